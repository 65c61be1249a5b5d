import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

/** What GAIA may still do in the turn in which its work was blocked: look, record, tell. */
const MAX_BLOCKED_CALLS = 8;
const WENT_ON = "the work is BLOCKED, and this turn went on all the same";

/**
 * What a conversation does when GAIA itself has come to a bound: it tells the user and the model, and no tool runs in a
 * session that is stopped. Any word of the user's begins the count again.
 */
export interface OwnBounds extends Part {
  /** Why a session is stopped; null where it is not. */
  heldBy(sessionId: string): string | null;
  /**
   * Counts a call of the root, and ends the turn of a model that goes on after its work was blocked (SPEC 2.6).
   * @returns the refusal; null while it may go on
   */
  countBlocked(): string | null;
}

export function createOwnBounds(
  conversation: ConversationCore,
  { bounds, host }: Pick<ConversationServices, "bounds" | "host">,
): OwnBounds {
  const { rootId } = conversation;
  let blockedCalls = 0;
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
    heldBy: bounds.heldBy,
    countBlocked() {
      blockedCalls = conversation.state.pause?.reason === "blocked" ? blockedCalls + 1 : 0;
      if (blockedCalls <= MAX_BLOCKED_CALLS) return null;
      bounds.stop(rootId, WENT_ON);
      return `Refused: ${WENT_ON}. It was stopped; the user decides.`;
    },
    // A command may leave the work blocked, and has a turn of its own.
    userSpoke() {
      blockedCalls = 0;
      bounds.begin(rootId);
    },
    dispose: unsubscribe,
  };
}
