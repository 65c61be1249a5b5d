import type { ProtectedTarget } from "./protected-target.ts";

/**
 * What a call does, from harmless to never (SPEC 9). `project`: changes files of the project. `outside`: files beyond it.
 * `unknown`: cannot be told, as of every command that is not on the short list of what reads. `forbidden`: in no mode.
 */
export type Effect = "read" | "project" | "outside" | "unknown" | "forbidden";

/** What a command asks for beyond its sandbox: the network, or to run without it. */
type SandboxRequest = "network" | "off";

const NOTHING = {
  /** A command that a pattern of the user's own lets run unasked. */
  isAllowed: false,
  /** Names of files stand for one of its words: which, only a sandbox bounds. */
  hasPattern: false,
  /** What a command asks for beyond its sandbox. */
  asks: null as SandboxRequest | null,
  /** The simple commands that a line consists of and nothing else, as they are written; empty where it is more. */
  commands: [] as readonly string[],
  /** A file that git ignores and the command plainly deletes: nothing holds it, so a person is asked. */
  deletes: null as string | null,
  /** Files that an edit writes, and redirections of a command, as absolute paths. */
  writes: [] as readonly string[],
  /** What the call would show that may hold secrets, as it names it. Of a command: a plain path in it. */
  secret: null as string | null,
  /** What the call would change although only a person may. Of a command: a plain path in it. */
  protectedTarget: null as ProtectedTarget | null,
  /** The host then runs the project's code outside of any sandbox: a command that changes the project is asked for. */
  escapes: false,
  /** A file of which an edit would damage bytes that it does not mean. */
  damages: null as string | null,
};

/** Everything that the policy says about a tool call, from its tool and arguments alone (SPEC 9). */
export type Examination = Readonly<typeof NOTHING> & {
  readonly effect: Effect;
  /** Why, in words for a person; empty where the tool's name tells. */
  readonly reason: string;
};

/** An examination of which nothing but the effect is to be said. */
export function examination(effect: Effect, reason: string, further: Partial<Examination> = {}): Examination {
  return { ...NOTHING, ...further, effect, reason };
}

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
