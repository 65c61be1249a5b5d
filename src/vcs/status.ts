import { type FileVersion, NO_FILE } from "../snapshot/version.ts";

/** A line of `git status`: a file, as the commit, the index and the folder have it. */
export interface StatusRow {
  /** Relative to the top of the repository. */
  readonly path: string;
  readonly committed: FileVersion;
  readonly indexed: FileVersion;
  /** Git does not know it. */
  readonly isNew: boolean;
}

/** The arguments whose output {@link parseStatus} reads. What lies in submodules is asked for there. */
export const STATUS = [
  "status",
  "--porcelain=v2",
  "--branch",
  "-z",
  "--untracked-files=all",
  "--no-renames",
  "--ignore-submodules=dirty",
] as const;

const CHANGED = /^1 .. \S+ (\d+) (\d+) \d+ ([0-9a-f]+) ([0-9a-f]+) (.+)$/su;
const UNMERGED = /^u .. \S+ \d+ (\d+) \d+ \d+ [0-9a-f]+ ([0-9a-f]+) [0-9a-f]+ (.+)$/su;

/** Reads what git printed; `head` is "" before the first commit. */
export function parseStatus(text: string): { readonly head: string; readonly rows: readonly StatusRow[] } {
  const rows: StatusRow[] = [];
  let head = "";
  for (const row of text.split("\0")) {
    const [, modeH = "", modeI = "", idH = "", idI = "", path] = CHANGED.exec(row) ?? [];
    const [, ourMode = "", ourId = "", conflicted] = UNMERGED.exec(row) ?? [];
    if (path !== undefined)
      rows.push({ path, committed: version(idH, modeH), indexed: version(idI, modeI), isNew: false });
    else if (conflicted !== undefined) {
      const committed = version(ourId, ourMode);
      rows.push({ path: conflicted, committed, indexed: committed, isNew: false });
    } else if (row.startsWith("? "))
      rows.push({ path: row.slice(2), committed: NO_FILE, indexed: NO_FILE, isNew: true });
    else head = /^# branch\.oid ([0-9a-f]+)$/u.exec(row)?.[1] ?? head;
  }
  return { head, rows };
}

/** Git writes zeros for what is not there. */
function version(id: string, mode: string): FileVersion {
  return /^0*$/u.test(id) ? NO_FILE : { id, mode };
}
