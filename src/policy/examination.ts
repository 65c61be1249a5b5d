import type { ProtectedTarget } from "./protected-visitor.ts";

/** What a command or a tool call may do, from harmless to never (SPEC 9). */
export type CommandRisk = "read-only" | "mutating" | "dangerous";

/** A piece of shell source: UTF-16 offsets `[start, end)` into the script that holds it, and its text. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Everything that the policy says about a tool call, from its tool and arguments alone (SPEC 9). */
export interface Examination {
  readonly risk: CommandRisk;
  /** Why, in words for a person. */
  readonly reason: string;
  /** The part of a command that decided the risk. */
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
