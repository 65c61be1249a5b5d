import type { Conversation } from "../conversation/conversation.ts";
import type { GaiaSession } from "../delegation/gaia-sessions.ts";
import type { Refusal } from "../lib/error.ts";
import type { Runtime } from "../runtime.ts";

export interface SlashCommandContext {
  readonly runtime: Runtime;
  readonly conversation: Conversation;
  readonly session: GaiaSession;
  readonly sessionId: string;
  /** Whether a model's turn follows in any case: the command came in a message, and not as a request of the panel. */
  readonly hasTurn: boolean;
}

export type CommandReply = {
  /** What the user reads in place of the bare command; no model sees it. */
  readonly forUser?: string;
} & (
  | {
      /** What the model is told; it answers with one short line at most, unless it is told to work. */
      readonly forModel: string;
    }
  | {
      /** What the user did: nothing is left for the model, which only hears of it where its turn follows anyway. */
      readonly did: string;
      /** All that the model then says. */
      readonly say?: string;
    }
);

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

/** What a model is told of a reply. @param isAtWork it goes on with its work; else the turn is the command's own */
export function wordsForModel(reply: CommandReply, isAtWork: boolean): string {
  if ("forModel" in reply) return reply.forModel;
  const { did, say = "Shown.", forUser } = reply;
  const told = `The user ${did}${forUser === undefined ? "" : ", and what came of it is on their screen"}`;
  return isAtWork
    ? `${told}; go on with your work without a word about it.`
    : `${told}. Call no tool and say only: ${say}`;
}
