import { type CommandReply, type SlashCommandContext, wordsForModel } from "../../src/commands/define.ts";
import { isRefusal, type Refusal } from "../../src/lib/error.ts";

/** A command that is typed in the conversation itself. */
export function typed({
  runtime,
  conversation,
}: Pick<SlashCommandContext, "runtime" | "conversation">): SlashCommandContext {
  const { rootId } = conversation;
  const session = { rootId, specialist: null, workUnit: null, waveId: null, isGuest: false };
  return { runtime, conversation, session, sessionId: rootId, hasTurn: true };
}

/** What a model is told of a command, be it carried out or refused. */
export function replyOf(reply: CommandReply | Refusal): {
  readonly forModel: string;
  readonly forUser?: string;
} {
  return isRefusal(reply) ? { forModel: reply.reason } : { ...reply, forModel: wordsForModel(reply, false) };
}
