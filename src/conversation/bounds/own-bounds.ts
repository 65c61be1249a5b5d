import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

/**
 * What a conversation does when GAIA herself has come to a bound: it tells the user and her, and no tool runs in a session
 * that is stopped. Any word of the user's begins the count again.
 */
export function createOwnBounds(
  conversation: ConversationCore,
  { bounds, host }: Pick<ConversationServices, "bounds" | "host">,
): Part {
  const { rootId } = conversation;
  const unsubscribe = bounds.subscribe((sessionId, why) => {
    if (sessionId !== rootId) return;
    void host.toast("warning", `GAIA stopped: ${why}. Write to her to go on.`);
    conversation.outbox.note(
      `GAIA stopped: ${why}. What was done stands, and results wait. Your next message lets her go on, with as much again.`,
    );
    conversation.tell(
      `The plugin ended your last turn: ${why}. Do not do the same again; go on with what is left, or say what is in the way.`,
    );
    void conversation.outbox.flush();
  });
  return {
    userSpoke() {
      bounds.begin(rootId);
    },
    refuse({ sessionId }) {
      const why = bounds.heldBy(sessionId);
      return why === null ? null : `Refused: this session was stopped, ${why}. Only its user lets it go on.`;
    },
    dispose: unsubscribe,
  };
}
