import type { ConversationCore } from "../core.ts";

/** Tells all features of a conversation the end of its turn, of which OpenCode's word was lost or came too early. */
export function tellIdle({ rootId, each }: Pick<ConversationCore, "rootId" | "each">): void {
  each((part) => part.observe?.({ type: "session.status", sessionId: rootId, status: "idle" }, true));
}
