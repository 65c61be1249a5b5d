import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

/** What GAIA may still do in the turn in which her work was blocked: look, record, tell. */
const MAX_CALLS = 8;
const WENT_ON = "the work is BLOCKED, and this turn went on all the same";
const STOPPED = `Refused: ${WENT_ON}. It was stopped; the user decides.`;

/**
 * Ends the turn of a model that goes on calling tools after its work was blocked, so that a refusal which goes unheeded is
 * no loop (SPEC 2.5): no further request of hers goes out.
 */
export function createBlockedCalls(
  conversation: Pick<ConversationCore, "rootId" | "state">,
  { bounds }: Pick<ConversationServices, "bounds">,
): Part {
  const { rootId } = conversation;
  let calls = 0;
  return {
    // A command may leave the work blocked, and has a turn of its own.
    userSpoke() {
      calls = 0;
    },
    refuse(_call, isRoot) {
      if (!isRoot) return null;
      calls = conversation.state.pause?.reason === "blocked" ? calls + 1 : 0;
      if (calls <= MAX_CALLS) return null;
      bounds.stop(rootId, WENT_ON);
      return STOPPED;
    },
  };
}
