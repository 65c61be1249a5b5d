import type { StatusRow } from "./status.ts";

/** A folder that stands for the files in it, of which git knows none. */
export interface GatheredFolder {
  /** Relative to the top of the repository, with `/` at its end. */
  readonly path: string;
  /** How many files it holds; null where that is not known. */
  readonly count: number | null;
}

/**
 * Fewer rows, with folders in the place of the files that git does not know: the largest first, until the rest has room.
 * @param all a row for each file; null where they are too many to be listed
 * @param byFolder the same with a row for each folder of which git knows nothing
 * @returns null where there is no room for the rest either
 */
export function gatherFolders(
  all: readonly StatusRow[] | null,
  byFolder: readonly StatusRow[],
  room: number,
): { readonly rows: readonly StatusRow[]; readonly folders: readonly GatheredFolder[] } | null {
  const listed = new Set(all?.map(({ path }) => path));
  // A repository of its own is listed as a folder both times.
  const isFolder = ({ mode, path }: StatusRow): boolean =>
    mode === null && path.endsWith("/") && !listed.has(path);
  const counts = new Map(byFolder.filter(isFolder).map(({ path }) => [path, 0]));
  const folderOf = (path: string): string | null => {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1))
      if (counts.has(path.slice(0, at + 1))) return path.slice(0, at + 1);
    return null;
  };
  for (const { path } of all ?? []) {
    const folder = folderOf(path);
    if (folder !== null) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const gathered = new Set<string>();
  let left = all?.length ?? byFolder.length;
  for (const [path, count] of [...counts].toSorted((a, b) => b[1] - a[1])) {
    if (all !== null && left <= room) break;
    gathered.add(path);
    left -= Math.max(0, count - 1);
  }
  if (left > room) return null;
  const rows = (all ?? byFolder).filter(({ path }) => !gathered.has(folderOf(path) ?? path));
  const folders = [...gathered].map((path) => ({
    path,
    count: all === null ? null : (counts.get(path) ?? 0),
  }));
  return { rows, folders };
}
