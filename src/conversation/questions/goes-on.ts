import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ResultDelivery } from "../result-delivery/result-delivery.ts";

/**
 * OpenCode ends the turn in which a question was closed. Of how to work together there is an answer all the same, the
 * configured default, so the work goes on with it: once the turn is over, and not where the user stopped it.
 */
export function createGoesOn(
  conversation: Pick<ConversationCore, "state">,
  delivery: Pick<ResultDelivery, "nudge">,
): Part {
  let asked = "";
  let isDue = false;
  const goOn = (): void => {
    const { profile, mode } = conversation.state.knobs;
    const words = `The user closed the question how to work together, so their default holds: profile ${profile}, mode ${mode}. Do not ask again; go on with what they asked for.`;
    if (isDue && delivery.nudge(words)) isDue = false;
  };
  return {
    heard(event) {
      if (event.type === "question-asked" && event.purpose === "handshake") asked = event.requestId;
      if (event.type !== "question-dismissed" || event.requestId !== asked) return;
      asked = "";
      isDue = true;
      goOn();
    },
    userSpoke() {
      isDue = false;
    },
    observe(event, isRoot) {
      if (!isRoot) return;
      if (event.type === "session.error" && event.failure.name === "MessageAbortedError") isDue = false;
      if (event.type === "session.status" && event.status === "idle") goOn();
    },
  };
}
