import type { ProtectedTarget } from "./protected-target.ts";

/**
 * What a call does, from harmless to never (SPEC 9). `project`: changes files of the project. `outside`: files beyond it.
 * `unknown`: cannot be told, as of every command that is not on the short list of what reads. `forbidden`: in no mode.
 */
export type Effect = "read" | "project" | "outside" | "unknown" | "forbidden";

/** Everything that the policy says about a tool call, from its tool and arguments alone (SPEC 9). */
export interface Examination {
  readonly effect: Effect;
  /** Why, in words for a person; empty where the tool's name tells. */
  readonly reason: string;
  /** A command that a pattern of the user's own lets run unasked. */
  readonly isAllowed: boolean;
  /** Names of files stand for one of its words: which, only a sandbox bounds. */
  readonly hasPattern: boolean;
  /** What a command asks for beyond its sandbox. */
  readonly asks: SandboxRequest | null;
  /** The simple commands that a line consists of and nothing else, as they are written; empty where it is more. */
  readonly commands: readonly string[];
  /** A file that git ignores and the command plainly deletes: nothing holds it, so a person is asked. */
  readonly deletes: string | null;
  /** Files that an edit writes, and redirections of a command, as absolute paths. */
  readonly writes: readonly string[];
  /** What the call would show that may hold secrets, as it names it. Of a command: a plain path in it. */
  readonly secret: string | null;
  /** What the call would change although only a person may. Of a command: a plain path in it. */
  readonly protectedTarget: ProtectedTarget | null;
  /** The host then runs the project's code outside of any sandbox: a command that changes the project is asked for. */
  readonly escapes: boolean;
  /** A file of which an edit would damage bytes that it does not mean. */
  readonly damages: string | null;
}

/** An examination of which nothing but the effect is to be said. */
export function examination(effect: Effect, reason: string, further: Partial<Examination> = {}): Examination {
  const nothing = {
    isAllowed: false,
    hasPattern: false,
    asks: null,
    commands: [],
    deletes: null,
    escapes: false,
    writes: [],
  };
  return { ...nothing, secret: null, protectedTarget: null, damages: null, ...further, effect, reason };
}

/** What a command asks for beyond its sandbox: the network, or to run without it. */
type SandboxRequest = "network" | "off";

/** The variable with which a command asks, as its first word: the user reads it in the dialog. */
const REQUEST = /^\s*GAIA_SANDBOX=(["']?)(network|off)\1\s+/u;

/** A command taken apart: what its first word asks for, null for nothing, and the rest of it. */
export function readRequest(command: string): {
  readonly asks: SandboxRequest | null;
  readonly rest: string;
} {
  const found = REQUEST.exec(command);
  const asks = found?.[2];
  if (found === null || (asks !== "network" && asks !== "off")) return { asks: null, rest: command };
  return { asks, rest: command.slice(found[0].length) };
}
