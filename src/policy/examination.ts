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
}

/** A piece of shell source: UTF-16 offsets `[start, end)` into the script that holds it, and its text. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Everything that the policy says about a tool call, from its tool and arguments alone (SPEC 9). */
export interface Examination extends Finding {
  /** The part of a command that decided the effect. */
  readonly part: Span | null;
  /** What the call would show that may hold secrets: a file, pattern or command, as the call names it. */
  readonly secret: string | null;
  /** What the call would change, or call, although only a person may. */
  readonly protectedTarget: ProtectedTarget | null;
  /** A command line that does nothing but read and run the project's checks. */
  readonly isCheck: boolean;
  /** The first command of a line that is not on the reading agents' static table. */
  readonly unlisted: string | null;
}
