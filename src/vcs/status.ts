import { type FileVersion, NO_FILE } from "../snapshot/version.ts";

/** A line of `git status`: a file, as the commit, the index and the folder have it. */
export interface StatusRow {
  /** Relative to the top of the repository. */
  readonly path: string;
  readonly committed: FileVersion;
  readonly indexed: FileVersion;
  readonly isNew: boolean;
  readonly isGone: boolean;
}

/** GAIA's own record: no part of what is reviewed or delivered, and it changes with every check. */
export const RECORD = ".gaia";
/** The record, as the end of a git command line in the project's folder. A folder of that name deeper down is no record. */
export const WITHOUT_RECORD = ["--", ".", `:(exclude,literal)${RECORD}`] as const;

/** The arguments whose output {@link parseStatus} reads. What lies in submodules is asked for there. */
export const STATUS = [
  "status",
  "--porcelain=v2",
  "--branch",
  "-z",
  "--untracked-files=all",
  "--no-renames",
  "--ignore-submodules=dirty",
  ...WITHOUT_RECORD,
] as const;

const CHANGED = /^1 .(.) \S+ (\d+) (\d+) \d+ ([0-9a-f]+) ([0-9a-f]+) (.+)$/su;
const UNMERGED = /^u .. \S+ \d+ (\d+) \d+ \d+ [0-9a-f]+ ([0-9a-f]+) [0-9a-f]+ (.+)$/su;

/** Reads what git printed; `head` is "" before the first commit. */
export function parseStatus(text: string): { readonly head: string; readonly rows: readonly StatusRow[] } {
  const rows: StatusRow[] = [];
  let head = "";
  for (const row of text.split("\0")) {
    const [, how, modeH = "", modeI = "", idH = "", idI = "", path] = CHANGED.exec(row) ?? [];
    const [, ourMode = "", ourId = "", conflicted] = UNMERGED.exec(row) ?? [];
    if (path !== undefined)
      rows.push({
        path,
        committed: version(idH, modeH),
        indexed: version(idI, modeI),
        isNew: false,
        isGone: how === "D",
      });
    else if (conflicted !== undefined) {
      const committed = version(ourId, ourMode);
      rows.push({ path: conflicted, committed, indexed: committed, isNew: false, isGone: false });
    } else if (row.startsWith("? "))
      rows.push({ path: row.slice(2), committed: NO_FILE, indexed: NO_FILE, isNew: true, isGone: false });
    else head = /^# branch\.oid ([0-9a-f]+)$/u.exec(row)?.[1] ?? head;
  }
  return { head, rows };
}

/** Git writes zeros for what is not there. */
function version(id: string, mode: string): FileVersion {
  return /^0*$/u.test(id) ? NO_FILE : { id, mode };
}
