import type { Conversation } from "../conversation/conversation.ts";
import type { GaiaSession } from "../delegation/gaia-sessions.ts";
import type { Refusal } from "../lib/error.ts";
import type { Runtime } from "../runtime.ts";

export interface SlashCommandContext {
  readonly runtime: Runtime;
  readonly conversation: Conversation;
  readonly session: GaiaSession;
  readonly sessionId: string;
}

export interface CommandReply {
  /** What the model is told; it answers with one short line at most, unless it is told to work. */
  readonly forModel: string;
  /** What the user reads in place of the bare command; no model sees it. */
  readonly forUser?: string;
}

export interface CommandEntry {
  readonly name: string;
  /** For the slash menu: what it does, with the values that it takes. */
  readonly description: string;
  /** Set where OpenCode itself has a command of this name, which stays as it is outside of GAIA's sessions. */
  readonly native?: true;
  /** The user relies on what it does: an entry of the same name, which a project can bring along, does not take its place. */
  readonly guards?: true;
  /** Shown in the menu where GAIA was never used as well. */
  readonly isEntryPoint?: boolean;
}

export type CommandRun = (
  argumentText: string,
  context: SlashCommandContext,
) => Promise<CommandReply | Refusal> | CommandReply | Refusal;

/** A slash command (SPEC 13): its state change is done here, before any model is asked. */
export interface CommandDefinition extends CommandEntry {
  readonly run: CommandRun;
}

/** What a model is told that has nothing to do. @param did what the user did @param say all that it says where it is not at work */
export function tellOnly({ busy }: Pick<Conversation, "busy">, did: string, say: string): string {
  return busy
    ? `The user ${did}; go on with your work without a word about it.`
    : `The user ${did}. Call no tool and say only: ${say}`;
}

/** The answer to what only shows something. */
export function showOnly(
  conversation: Conversation,
  forUser: string,
  did: string,
  say = "Shown.",
): CommandReply {
  return { forUser, forModel: tellOnly(conversation, `${did}, and what came of it is on their screen`, say) };
}
