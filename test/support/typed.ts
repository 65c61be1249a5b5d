import type { SlashCommandContext } from "../../src/commands/define.ts";

/** A command that is typed in the conversation itself. */
export function typed({
  runtime,
  conversation,
}: Pick<SlashCommandContext, "runtime" | "conversation">): SlashCommandContext {
  const { rootId } = conversation;
  const session = { rootId, specialist: null, workUnit: null, waveId: null, isGuest: false };
  return { runtime, conversation, session, sessionId: rootId };
}
