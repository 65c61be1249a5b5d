import { originsOf } from "./moves.ts";
import {
  type FileVersion,
  folderAbove,
  isSame,
  NO_FILE,
  type TreeChange,
  type TreeState,
} from "../../vcs/tree/state.ts";

/** A file that GAIA's calls have changed and no commit holds yet. */
export interface LedgerEntry {
  /** What it was before they first changed it. */
  readonly before: FileVersion;
  /** What they left there last. */
  readonly after: FileVersion;
  /** Whether it was as committed before. */
  readonly wasClean: boolean;
  /** Whether someone else changed it between two of their changes. */
  readonly isShared: boolean;
}

/** By path relative to the project, the oldest first. */
export type Ledger = ReadonlyMap<string, LedgerEntry>;

/** Files that are remembered; the oldest go first, and count as the user's from then on. */
export const MAX_ENTRIES = 2_000;

/** A file with work of the user's in it that no commit holds. */
export interface UsersFile {
  readonly path: string;
  /** GAIA's calls have changed it too. */
  readonly isMixed: boolean;
  /** Git does not know it. */
  readonly isNew: boolean;
}

/** The ledger after changes of GAIA's calls. @param from the state before them */
export function creditWork(ledger: Ledger, changes: readonly TreeChange[], from: TreeState): Ledger {
  const next = new Map(ledger);
  const origins = originsOf(changes);
  const users = new Set(origins.size === 0 ? [] : usersFiles(ledger, from).map(({ path }) => path));
  for (const change of changes) {
    const { path, after } = change;
    const origin = origins.get(change);
    // Where a file of the user's was moved, what they had in it is still theirs.
    const { path: place, before } = origin !== undefined && users.has(origin.path) ? origin : change;
    const known = ledger.get(place);
    const isShared = known !== undefined && (known.isShared || !isSame(known.after, before));
    next.delete(path);
    next.set(path, {
      before: known?.before ?? before,
      after,
      wasClean: known?.wasClean ?? !from.dirty.has(place),
      isShared,
    });
  }
  const excess = next.size - MAX_ENTRIES;
  return excess > 0 ? new Map([...next].slice(excess)) : next;
}

/** The ledger without what a commit holds by now, or what is as it was. What a folder stands for stays. */
export function pruneLedger(ledger: Ledger, tree: TreeState): Ledger {
  const isOver = (path: string): boolean => !tree.dirty.has(path) && folderAbove(path, tree) === null;
  return [...ledger.keys()].some(isOver) ? new Map([...ledger].filter(([path]) => !isOver(path))) : ledger;
}

/**
 * The user's own work: everything that no commit holds and that GAIA's calls did not leave as it is. So a file of which
 * nothing is remembered counts as the user's.
 */
export function usersFiles(ledger: Ledger, { dirty }: TreeState): UsersFile[] {
  return [...dirty].flatMap(([path, { now, committed }]) => {
    const entry = ledger.get(path);
    const isMixed = entry !== undefined && !isSame(entry.before, now);
    const isOurs = isMixed && entry.wasClean && !entry.isShared && isSame(entry.after, now);
    return isOurs ? [] : [{ path, isMixed, isNew: isSame(committed, NO_FILE) }];
  });
}

/** Those of some files that are the user's, also where a folder of theirs stands for its files. */
export function usersAmong(
  { users, tree }: { readonly users: readonly UsersFile[]; readonly tree: TreeState },
  paths: readonly string[],
): UsersFile[] {
  const known = new Map(users.map((file) => [file.path, file]));
  return [...new Set(paths)].flatMap((path) => {
    const own = known.get(path) ?? known.get(folderAbove(path, tree) ?? "");
    return own === undefined ? [] : [{ ...own, path }];
  });
}

/** Files with work of GAIA's that no commit holds. */
export function workFiles(ledger: Ledger, { dirty }: TreeState): string[] {
  return [...ledger.keys()].filter((path) => dirty.has(path));
}
