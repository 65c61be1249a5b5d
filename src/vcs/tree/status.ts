import type { FileVersion } from "./state.ts";

/** A line of `git status`: a file, as the commit, the index and the folder have it. */
export interface StatusRow {
  /** Relative to the top of the repository. */
  readonly path: string;
  readonly committed: FileVersion;
  readonly indexed: FileVersion;
  /** The mode in the folder; "" where no file is there, null for a file that git does not know. */
  readonly mode: string | null;
  /** Whether the folder has something else than the index. */
  readonly isUnstaged: boolean;
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
/** The same, with a folder in the place of its files where git knows none of them; its path ends in `/`. */
export const STATUS_BY_FOLDER = STATUS.map((word) =>
  word === "--untracked-files=all" ? "--untracked-files=normal" : word,
);

const CHANGED = /^1 .(.) \S+ (\d+) (\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) (.+)$/su;
const UNMERGED = /^u .. \S+ \d+ (\d+) \d+ (\d+) [0-9a-f]+ ([0-9a-f]+) [0-9a-f]+ (.+)$/su;

/** Reads what git printed; `head` is "" before the first commit. */
export function parseStatus(text: string): { readonly head: string; readonly rows: readonly StatusRow[] } {
  const rows: StatusRow[] = [];
  let head = "";
  for (const row of text.split("\0")) {
    const [, unstaged = ".", modeH = "", modeI = "", modeW = "", idH = "", idI = "", path] =
      CHANGED.exec(row) ?? [];
    const [, ourMode = "", mode = "", ourId = "", conflicted] = UNMERGED.exec(row) ?? [];
    if (path !== undefined) {
      rows.push({
        path,
        committed: version(idH, modeH),
        indexed: version(idI, modeI),
        mode: modeOf(modeW),
        isUnstaged: unstaged !== ".",
      });
    } else if (conflicted !== undefined) {
      const committed = version(ourId, ourMode);
      rows.push({
        path: conflicted,
        committed,
        indexed: committed,
        mode: modeOf(mode),
        isUnstaged: true,
      });
    } else if (row.startsWith("? ")) {
      const nothing = version("", "");
      rows.push({
        path: row.slice(2),
        committed: nothing,
        indexed: nothing,
        mode: null,
        isUnstaged: true,
      });
    } else head = /^# branch\.oid ([0-9a-f]+)$/u.exec(row)?.[1] ?? head;
  }
  return { head, rows };
}

/** Git writes zeros for what is not there. */
function version(id: string, mode: string): FileVersion {
  return /^0*$/u.test(id) ? { id: "", mode: "" } : { id, mode };
}

function modeOf(mode: string): string {
  return /^0*$/u.test(mode) ? "" : mode;
}
