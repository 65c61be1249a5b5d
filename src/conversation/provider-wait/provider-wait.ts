import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

/** Shows how long GAIA's own provider makes her wait, as OpenCode tells it; she goes on by herself. */
export function createProviderWait(
  conversation: Pick<ConversationCore, "learn">,
  { redact }: Pick<ConversationServices, "redact">,
): Part {
  let isWaiting = false;
  return {
    observe(event, isRoot) {
      if (!isRoot) return;
      if (event.type === "session.retry") {
        isWaiting = true;
        conversation.learn({ wait: { until: event.nextAt, why: redact(event.message) } });
        return;
      }
      const goesOn =
        event.type === "message.started" ||
        event.type === "message.finished" ||
        event.type === "text.activity" ||
        event.type === "tool.activity" ||
        (event.type === "session.status" && event.status === "idle");
      if (!isWaiting || !goesOn) return;
      isWaiting = false;
      conversation.learn({ wait: null });
    },
  };
}
