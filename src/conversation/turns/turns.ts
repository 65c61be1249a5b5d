import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

/** Tells the state where a turn of GAIA's ends, and writes what waited for its end. */
export function createTurns(
  conversation: ConversationCore,
  { bounds }: Pick<ConversationServices, "bounds">,
): Part {
  return {
    observe(event, isRoot) {
      if (!isRoot) return;
      // What the plugin itself has stopped was no word of the user's.
      const isStopped = bounds.heldBy(conversation.rootId) !== null;
      if (event.type === "session.error" && event.failure.name === "MessageAbortedError" && !isStopped) {
        conversation.dispatch({ type: "aborted" });
      }
      if (event.type !== "session.status") return;
      conversation.busy = event.status === "busy";
      if (conversation.busy) return;
      conversation.dispatch({ type: "turn-ended" });
      // A note that cannot be written is logged there.
      void conversation.outbox.flush();
    },
  };
}
