/** One file at one moment. */
export interface FileVersion {
  /** The content's name in git, "" where there is no file. One that begins with `~` stands for a file too large to be read. */
  readonly id: string;
  /** As git has it: `100644`, `100755`, `120000`, `160000`, `040000` for a {@link folderVersion}; "" where there is no file. */
  readonly mode: string;
  /** The content's name with the line ends that git stores, where the file has others. */
  readonly stored?: string;
}

/** A file that is not as the newest commit has it. */
export interface DirtyFile {
  readonly now: FileVersion;
  readonly committed: FileVersion;
}

/** The project's files at one moment, by what differs from the newest commits; paths are relative to the project. */
export interface TreeState {
  /** The commit of the project's repository and of each below it, by folder; the project's own is "". */
  readonly heads: ReadonlyMap<string, string>;
  readonly dirty: ReadonlyMap<string, DirtyFile>;
}

/** A file that is not the same at two moments. */
export interface TreeChange {
  readonly path: string;
  readonly before: FileVersion;
  readonly after: FileVersion;
}

export const NO_FILE: FileVersion = { id: "", mode: "" };
const FOLDER = "040000";

/**
 * Stands for all files of a folder that git does not know, where there are too many to look at each. Its path ends in `/`.
 * @param count how many they are; null where even that is too many to tell
 */
export function folderVersion(path: string, count: number | null): FileVersion {
  return { id: `~${path} ${count ?? "many"}`, mode: FOLDER };
}

export function isFolder({ mode }: FileVersion): boolean {
  return mode === FOLDER;
}

/** The folder that stands for a path among its files; null where none does. */
export function folderAbove(path: string, { dirty }: Pick<TreeState, "dirty">): string | null {
  for (let at = path.indexOf("/"); at !== -1 && at < path.length - 1; at = path.indexOf("/", at + 1)) {
    const folder = path.slice(0, at + 1);
    if (dirty.has(folder)) return folder;
  }
  return null;
}

/** Whether two versions of a file are one. */
export function isSame(a: FileVersion, b: FileVersion): boolean {
  const sameContent = a.id === b.id || a.stored === b.id || (b.stored !== undefined && b.stored === a.id);
  return sameContent && (a.mode === b.mode || a.id === "");
}

/**
 * What changed between two states. A file that is clean in one of them is what the commit had there. Of a folder that stands for
 * its files in one of them, it is not told which of these changed.
 * @param moved files that differ between the commits themselves
 */
export function changesBetween(
  from: TreeState,
  to: TreeState,
  moved: ReadonlyMap<string, Omit<TreeChange, "path">>,
): TreeChange[] {
  const paths = new Set([...from.dirty.keys(), ...to.dirty.keys(), ...moved.keys()]);
  const changes: TreeChange[] = [];
  const untold = new Set([from, to].flatMap((state) => inFolders(paths, state)));
  for (const path of paths) {
    if (untold.has(path)) continue;
    const [was, is, commits] = [from.dirty.get(path), to.dirty.get(path), moved.get(path)];
    const before = was?.now ?? commits?.before ?? is?.committed ?? NO_FILE;
    const after = is?.now ?? commits?.after ?? was?.committed ?? NO_FILE;
    if (!isSame(before, after)) changes.push({ path, before, after });
  }
  return changes;
}

/** Those of the paths for which a folder stands in a state, and that folder. */
function inFolders(paths: Iterable<string>, state: TreeState): string[] {
  return [...paths].flatMap((path) => {
    const folder = folderAbove(path, state);
    return folder === null ? [] : [path, folder];
  });
}

/** Changes that follow each other as one; a file that is as it was before them is left out. */
export function joinChanges(...lists: readonly (readonly TreeChange[])[]): TreeChange[] {
  const joined = new Map<string, TreeChange>();
  for (const change of lists.flat()) {
    const earlier = joined.get(change.path);
    // What someone else wrote in between is theirs: only what came behind it is one change.
    const isNext = earlier !== undefined && isSame(earlier.after, change.before);
    joined.set(change.path, isNext ? { ...earlier, after: change.after } : change);
  }
  return [...joined.values()].filter(({ before, after }) => !isSame(before, after));
}
