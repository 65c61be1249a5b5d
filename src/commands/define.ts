import type { Conversation } from "../conversation/conversation.ts";
import type { GaiaSession } from "../delegation/gaia-sessions.ts";
import type { Host } from "../host/port.ts";
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
) => Promise<CommandReply> | CommandReply;

/** A slash command (SPEC 13): its state change is done here, before any model is asked. */
export interface CommandDefinition extends CommandEntry {
  readonly run: CommandRun;
}

/** Tells the user why a command did nothing, and has the model say so. @param what was not done: "started", "closed" */
export async function refuseCommand(host: Host, what: string, why: string): Promise<CommandReply> {
  await host.toast("warning", why);
  return { forModel: `Nothing was ${what}. Tell the user in one line: ${why}` };
}

/** The answer to what only shows something. @param did what the user did @param say all that a model says which is not at work */
export function showOnly({ busy }: Conversation, forUser: string, did: string, say = "Shown."): CommandReply {
  return {
    forUser,
    forModel: busy
      ? `The user ${did}; go on with your work without a word about it.`
      : `The user ${did}, and what came of it is on their screen. Call no tool. Say only: ${say}`,
  };
}
