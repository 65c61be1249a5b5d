import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

/** Tells the state where a turn of GAIA's ends, and writes what waited for its end. */
export function createTurns(
  conversation: Pick<ConversationCore, "rootId" | "busy" | "dispatch" | "outbox">,
  { bounds }: Pick<ConversationServices, "bounds">,
): Part {
  let isRunning = false;
  const rest = (): void => {
    conversation.busy = false;
    conversation.dispatch({ type: "turn-ended" });
    // A note that cannot be written is logged there.
    void conversation.outbox.flush();
  };
  return {
    observe(event, isRoot) {
      if (!isRoot) return;
      if (event.type === "session.error") {
        // What the plugin itself has stopped was no word of the user's.
        const isUsers = bounds.heldBy(conversation.rootId) === null;
        if (event.failure.name === "MessageAbortedError" && isUsers)
          conversation.dispatch({ type: "aborted" });
        // A turn that was about to begin did not, and no end of it will be told.
        if (!isRunning && conversation.busy) rest();
      }
      if (event.type !== "session.status") return;
      isRunning = event.status === "busy";
      if (isRunning) conversation.busy = true;
      else rest();
    },
  };
}
