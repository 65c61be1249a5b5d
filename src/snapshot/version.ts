import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";

export interface FileVersion {
  /** The name of its bytes in git, "" where there is no file. */
  readonly id: string;
  /**
   * The mode in git: `100644`, `100755`, `120000`; "" where there is no file. `160000` where the id is not of bytes: the commit of
   * another repository, or size and time of a file that is too large.
   */
  readonly mode: string;
}

export interface TreeChange {
  readonly path: string;
  readonly before: FileVersion;
  readonly after: FileVersion;
}

export const NO_FILE: FileVersion = { id: "", mode: "" };
export const FILE = "100644";
export const PROGRAM = "100755";
export const LINK = "120000";
export const OPAQUE = "160000";

export function stampOf({ size, mtimeNs }: BigIntStats, hash: string): string {
  return createHash(hash).update(`${size}:${mtimeNs}`).digest("hex");
}

export function isSame(a: FileVersion, b: FileVersion): boolean {
  return a.id === b.id && (a.mode === b.mode || a.id === "");
}

/** Successive changes of each file, joined as long as nobody else wrote in between. */
export function runsOf(...lists: readonly (readonly TreeChange[])[]): TreeChange[] {
  const runs: TreeChange[] = [];
  const newest = new Map<string, number>();
  for (const change of lists.flat()) {
    const at = newest.get(change.path) ?? -1;
    const earlier = runs[at];
    if (earlier !== undefined && isSame(earlier.after, change.before))
      runs[at] = { ...earlier, after: change.after };
    else newest.set(change.path, runs.push(change) - 1);
  }
  return runs;
}

/** The newest run of each file; an unchanged file is left out. */
export function joinChanges(...lists: readonly (readonly TreeChange[])[]): TreeChange[] {
  const newest = new Map(runsOf(...lists).map((change) => [change.path, change]));
  return [...newest.values()].filter(({ before, after }) => !isSame(before, after));
}

/** The origin of each new file with the bytes of a deleted one: the file was moved. */
export function originsOf(changes: readonly TreeChange[]): ReadonlyMap<TreeChange, TreeChange> {
  const gone = new Map<string, TreeChange[]>();
  for (const change of changes) {
    if (!isSame(change.after, NO_FILE)) continue;
    gone.set(change.before.id, [...(gone.get(change.before.id) ?? []), change]);
  }
  const origins = new Map<TreeChange, TreeChange>();
  for (const fresh of changes) {
    const from = isSame(fresh.before, NO_FILE) ? gone.get(fresh.after.id)?.shift() : undefined;
    if (from !== undefined) origins.set(fresh, from);
  }
  return origins;
}

export function foldersAbove(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join("/"));
}

/** Rows for `git update-index -z --index-info`. @param length of an object id */
export function indexRows(
  files: readonly (FileVersion & { readonly path: string })[],
  length: number,
): string {
  const none = "0".repeat(length);
  const rows = files.map(({ path, id, mode }) =>
    id === "" ? `0 ${none}\t${path}\0` : `${mode} ${id}\t${path}\0`,
  );
  // Deletions first: a folder may replace a file.
  return rows.toSorted((a, b) => Number(b.startsWith("0")) - Number(a.startsWith("0"))).join("");
}

/** What differs between two trees, without guessing at renames. */
export const COMPARE = ["diff-tree", "-r", "--raw", "-z", "--no-abbrev", "--no-renames"] as const;
/** What `cat-file --batch` printed: a row with name, type and size, and the bytes. */
export function parseBlobs(all: Buffer): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (let at = 0; at < all.length;) {
    const end = all.indexOf("\n", at);
    if (end === -1) break;
    const [id = "", type, size] = all.toString("latin1", at, end).split(" ");
    at = end + 1;
    if (type !== "blob") continue;
    found.set(id, all.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
}

/** What {@link COMPARE} printed. */
export function parseRaw(text: string): TreeChange[] {
  const rows = text.split("\0");
  const changes: TreeChange[] = [];
  const version = (mode = "", id = ""): FileVersion => (mode === "000000" ? NO_FILE : { id, mode });
  for (let at = 0; at + 1 < rows.length; at += 2) {
    const [modeA, modeB, idA, idB] = (rows[at] ?? "").slice(1).split(" ");
    changes.push({ path: rows[at + 1] ?? "", before: version(modeA, idA), after: version(modeB, idB) });
  }
  return changes;
}

/** Rows or names, each ended by NUL. */
export function nulRows(text: string): string[] {
  return text.split("\0").filter(Boolean);
}
