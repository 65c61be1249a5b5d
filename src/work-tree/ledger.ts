import type { BigIntStats } from "node:fs";
import { type FileVersion, isSame, NO_FILE, originsOf, type TreeChange } from "../snapshot/version.ts";
import type { TreeState } from "../snapshot/uncommitted.ts";

/** A call that may be changing the project right now. */
export interface RunningWriter {
  /** Files that it is known to write, relative to the project; as they were before, where no look tells. */
  readonly writes: ReadonlyMap<string, FileVersion | null>;
  /** Whether it may write others as well: a command, a tool that is not known. */
  readonly isOpenEnded: boolean;
  /** When it began without a look at the tree, as files' times are: a change may be older. Null where there was one. */
  readonly lateSince: number | null;
  /** When it ended, as files' times are; absent while it runs. */
  readonly endedAt?: number;
}

/** Files' times may be so much behind the clock. */
const FILE_TIME_MS = 20;

/**
 * The calls that may have made a change: those that name the file, else those that may write any file. Several of them share the
 * change.
 * @param now undefined for a file that is gone
 */
export function makersOf<Call extends RunningWriter>(
  { path }: Pick<TreeChange, "path">,
  calls: readonly Call[],
  now: BigIntStats | undefined,
): readonly Call[] {
  const changedAt = now === undefined ? null : Number(now.ctimeNs / 1_000_000n);
  const running = calls.filter(({ endedAt = Infinity }) => changedAt === null || changedAt <= endedAt);
  const naming = running.filter(({ writes }) => writes.has(path));
  const isSince = ({ lateSince }: Call): boolean =>
    lateSince === null || (changedAt ?? 0) >= lateSince - FILE_TIME_MS;
  return naming.length > 0 ? naming : running.filter((call) => call.isOpenEnded && isSince(call));
}

/** A file that GAIA's calls have changed and no commit holds yet: as it was before them, and as they left it last. */
export interface LedgerEntry extends Pick<TreeChange, "before" | "after"> {
  /** Whether it was as committed before. */
  readonly wasClean: boolean;
  /** Whether someone else changed it between two of GAIA's changes. */
  readonly isShared: boolean;
}

/** By path relative to the project, the oldest first. */
export type Ledger = ReadonlyMap<string, LedgerEntry>;

/** Files in the ledger; the oldest are dropped first, and then count as the user's. */
export const MAX_ENTRIES = 2_000;

/** A file with work of the user's in it that no commit holds. */
export interface UsersFile {
  readonly path: string;
  /** GAIA's calls have changed it too. */
  readonly isMixed: boolean;
  readonly entry: LedgerEntry | undefined;
}

/** The ledger after changes of GAIA's calls; `isShared`: someone else may have a part in it. @param from the state before them */
export function creditWork(
  ledger: Ledger,
  changes: readonly (TreeChange & { readonly isShared: boolean })[],
  from: TreeState,
): Ledger {
  const next = new Map(ledger);
  const origins = originsOf(changes);
  const users = new Set(origins.size === 0 ? [] : usersFiles(ledger, from).map(({ path }) => path));
  for (const change of changes) {
    const { path, after } = change;
    const origin = origins.get(change);
    // Where a file of the user's was moved, what they had in it is still theirs.
    const { path: place, before } = origin !== undefined && users.has(origin.path) ? origin : change;
    const known = ledger.get(place);
    const isKept = known === undefined || (!known.isShared && isSame(known.after, before));
    const isShared = change.isShared || !isKept;
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

/** The ledger without files that are clean by now. */
export function pruneLedger(ledger: Ledger, { dirty }: TreeState): Ledger {
  const isOver = (path: string): boolean => !dirty.has(path);
  return [...ledger.keys()].some(isOver) ? new Map([...ledger].filter(([path]) => !isOver(path))) : ledger;
}

/** The user's own work: uncommitted files that are not as GAIA's calls left them. A file without an entry is the user's. */
export function usersFiles(ledger: Ledger, { dirty }: TreeState): UsersFile[] {
  return [...dirty].flatMap(([path, { now }]) => {
    const entry = ledger.get(path);
    const isMixed = entry !== undefined && !isSame(entry.before, now);
    const isOurs = isMixed && entry.wasClean && !entry.isShared && isSame(entry.after, now);
    return isOurs ? [] : [{ path, isMixed, entry }];
  });
}

/** Uncommitted files that GAIA's calls have changed. */
export function workFiles(ledger: Ledger, { dirty }: TreeState): string[] {
  return [...ledger.keys()].filter((path) => dirty.has(path));
}

/** Ids of an empty file in git, with SHA-1 and SHA-256. */
const EMPTY: ReadonlySet<string> = new Set([
  "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
  "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
]);

/**
 * The changes that destroyed work of the user's: the file is gone, empty, or as committed, and no other file holds its bytes.
 * Without a commit, all files that GAIA's calls did not write are such work.
 * @param from the state before them @param to the state after them @param ledger as it was before them
 */
export function thrownAway(
  changes: readonly TreeChange[],
  from: TreeState,
  to: TreeState,
  ledger: Ledger,
): TreeChange[] {
  const users = new Set(usersFiles(ledger, from).map(({ path }) => path));
  const hasCommit = from.heads.get("") !== "";
  const isUsers = (path: string): boolean => users.has(path) || (!hasCommit && !from.dirty.has(path));
  const standing = new Set([...to.dirty.values()].map(({ now }) => now.id));
  return changes.filter(({ path, before, after }) => {
    const isGone = isSame(after, NO_FILE) || EMPTY.has(after.id) || !to.dirty.has(path);
    const held = !isSame(before, NO_FILE) && !EMPTY.has(before.id);
    return isGone && held && isUsers(path) && !standing.has(before.id);
  });
}
