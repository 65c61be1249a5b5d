import type { CommandContext } from "../../src/commands/define.ts";

/** A command that is typed in the conversation itself. */
export function typed({
  runtime,
  conversation,
}: Pick<CommandContext, "runtime" | "conversation">): CommandContext {
  const { rootId } = conversation;
  const session = { rootId, specialist: null, workUnit: null, waveId: null, isGuest: false };
  return { runtime, conversation, session, sessionId: rootId };
}
