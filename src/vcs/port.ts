import type { VcsType } from "../contracts/contract.ts";
import type { BranchBase } from "./branch-base.ts";
import type { Commit, HistorySubject } from "./git-commits.ts";
import type { Trees } from "./trees.ts";

/** A file that differs from the base. */
export interface ChangedFile {
  /** Relative to the project. */
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

/** What was changed since a revision. */
export interface Changes {
  /** At most {@link MAX_CHANGED_FILES}. */
  readonly files: readonly ChangedFile[];
  /** The revision that it was compared with; null when only uncommitted changes could be told. */
  readonly base: string | null;
  /** False where there is no version control, or it did not answer; `files` are then those that were seen to change, if any. */
  readonly known: boolean;
  /** Why version control, where there is one, did not answer: its own words. */
  readonly failed?: string;
}

/** More changed files than this are not listed. */
export const MAX_CHANGED_FILES = 1_000;
export const UNKNOWN_CHANGES: Changes = { files: [], base: null, known: false };

/** What is not committed yet. */
export interface WorkingDiff {
  /** A unified diff as git writes it, new files included as far as they are small text. */
  readonly diff: string;
  /** New files, relative to the project; those that `diff` leaves out as well. */
  readonly newFiles: readonly string[];
  /** Every changed file that version control knows, where there is too much to be read of them. */
  readonly manyFiles?: readonly string[];
  /** Why it could not be told, in the words of version control: what is here is not all of it. */
  readonly failed?: string;
}

/**
 * The version control of one project. GAIA's own record is left out of every answer. Nothing here throws, and no program
 * that is asked runs longer than ten seconds.
 */
export interface Vcs {
  readonly kind: VcsType;
  /** Looks at the tree file by file. */
  readonly trees: Trees;
  /**
   * The revision that the project is at, without what is not committed; null where none can be told.
   * @param then the newest of this history that is not younger, in milliseconds; git alone tells it
   */
  baseRevision(then?: number): Promise<string | null>;
  /** The files that differ from `base` now, committed since or not; the uncommitted ones where `base` is unknown or gone. */
  changesSince(base: string | null, signal?: AbortSignal): Promise<Changes>;
  /**
   * @param isSensitive files that must not be opened, by their path relative to the project
   * @param only files of which it is told; all by default
   * @param base what it is compared with; the newest commit by default
   */
  workingDiff(
    isSensitive: (path: string) => boolean,
    signal?: AbortSignal,
    only?: readonly string[],
    base?: string,
  ): Promise<WorkingDiff>;
  /** The newest commits about something, the newest first; empty where none is known. */
  commitsAbout(subject: HistorySubject): Promise<readonly Commit[]>;
  /** Where the branch left another one; the default branch where null. */
  branchBase(name: string | null): Promise<BranchBase>;
  /**
   * Stands for what the project's files hold, those of repositories inside included: the same as long as that is, staged and
   * committed or not. Null when that could not be told or was aborted.
   */
  fingerprint(signal?: AbortSignal): Promise<string | null>;
  /** The files, by absolute paths, that no commit holds as they are; null where that cannot be told. */
  uncommitted(signal?: AbortSignal): Promise<readonly string[] | null>;
  /** Whether a path, relative to the project, is one that version control leaves alone. */
  isIgnored(path: string): Promise<boolean>;
}

/**
 * The changes since a base; since the newest revision where the base was rewritten away and tells nothing any more.
 * @param compare lists the files that differ from a base, or from the newest revision; a text says why that failed
 */
export async function changesSince(
  base: string | null,
  compare: (base: string | null) => Promise<ChangedFile[] | string>,
): Promise<Changes> {
  const since = await compare(base);
  const isSince = typeof since !== "string";
  const found = isSince || base === null ? since : await compare(null);
  if (typeof found === "string") return { ...UNKNOWN_CHANGES, failed: found };
  return { files: found.slice(0, MAX_CHANGED_FILES), base: isSince ? base : null, known: true };
}
