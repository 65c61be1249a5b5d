import type { HistoryPart } from "./history/history.ts";
import type { StagingCall } from "./staging.ts";
import type { ProtectedTarget } from "./protected-visitor.ts";

/**
 * What a call does, from harmless to never (SPEC 9). `project`: changes inside the project and temporary folders that can be
 * taken back. `history`: commits, branches, tags. `unknown`: cannot be told. `lossy`: throws away what nothing else holds.
 * `outside`: reaches beyond the project: its files, other machines, services, other people. `forbidden`: in no mode.
 */
export type Effect = "read" | "project" | "history" | "unknown" | "lossy" | "outside" | "forbidden";

const ORDER: readonly Effect[] = ["read", "project", "history", "unknown", "lossy", "outside", "forbidden"];

/** Whether an effect is graver than another one; of several parts of a call the gravest counts. */
export function isGraver(effect: Effect, than: Effect): boolean {
  return ORDER.indexOf(effect) > ORDER.indexOf(than);
}

/** What something does, and why, in words for a person. */
export interface Finding {
  readonly effect: Effect;
  readonly reason: string;
  /** The files that it writes or throws away, where that is all it does to be told. */
  readonly paths?: readonly string[];
  /** The files of which nothing stays that was in them. */
  readonly replaces?: readonly string[];
}

/** Files that a call throws away, each of which may be held elsewhere after all. */
export interface Losses {
  readonly paths: readonly string[];
  /** What the call does beside that. */
  readonly otherwise: Effect;
}

/** A piece of shell source: UTF-16 offsets `[start, end)` into the script that holds it, and its text. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Everything that the policy says about a tool call, from its tool and arguments alone (SPEC 9). */
export interface Examination extends Omit<Finding, "paths" | "replaces"> {
  /** The part of a command that decided the effect. */
  readonly part: Span | null;
  /** A pattern of the user's own lets it reach as far as it does. */
  readonly isAllowed: boolean;
  /** Files that it writes, as far as they are known. */
  readonly writes: readonly string[];
  /** What makes a lossy call one; null where that cannot be told by files. */
  readonly losses: Losses | null;
  /** Commands of the line that take files into the index, a commit or a stash. */
  readonly staging: readonly StagingCall[];
  /** What the call would show that may hold secrets: a file, pattern or command, as the call names it. */
  readonly secret: string | null;
  /** What the call would change, or call, although only a person may. */
  readonly protectedTarget: ProtectedTarget | null;
  /** What it does to commits, branches and tags; null for nothing. */
  readonly history: HistoryPart | null;
  /** A command line that does nothing but read and run the project's checks. */
  readonly isCheck: boolean;
  /** What a command changes that makes it no check, as far as that is known. */
  readonly noCheck: string | null;
  /** The first command of a line that is not on the reading agents' static table. */
  readonly unlisted: string | null;
}

/** What stands in an examination of which nothing but the effect is to be said. */
export const NOTHING_FURTHER: Omit<Examination, "effect" | "reason"> = {
  part: null,
  isAllowed: false,
  writes: [],
  losses: null,
  staging: [],
  secret: null,
  protectedTarget: null,
  history: null,
  isCheck: false,
  noCheck: null,
  unlisted: null,
};
