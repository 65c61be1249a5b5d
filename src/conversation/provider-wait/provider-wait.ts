import { clockTime } from "../../lib/duration.ts";
import { excerpt } from "../../lib/excerpt.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

/** Of what a provider says, in characters; some answer with a page. */
const MAX_WHY = 300;

/** For what GAIA's own provider makes her wait. */
export interface ProviderWait extends Part {
  /** null while it does not. `until` in milliseconds since the epoch. */
  now(): { readonly until: number; readonly why: string } | null;
}

/**
 * Shows how long GAIA's own provider makes her wait, as OpenCode tells it; she goes on by herself. Of such a wait
 * `opencode run` says nothing of its own, be it a minute or an hour.
 */
export function createProviderWait(
  conversation: Pick<ConversationCore, "learn">,
  { host, redact }: Pick<ConversationServices, "host" | "redact">,
): ProviderWait {
  let wait: ReturnType<ProviderWait["now"]> = null;
  return {
    now: () => wait,
    observe(event, isRoot) {
      if (!isRoot) return;
      if (event.type === "session.retry") {
        wait = { until: event.nextAt, why: excerpt(redact(event.message), MAX_WHY) };
        host.oneShot?.print(`↻ goes on at ${clockTime(wait.until)}: ${wait.why}`);
        conversation.learn({ wait });
        return;
      }
      const goesOn =
        event.type === "message.started" ||
        event.type === "message.finished" ||
        event.type === "text.activity" ||
        event.type === "tool.activity" ||
        (event.type === "session.status" && event.status === "idle");
      if (wait === null || !goesOn) return;
      wait = null;
      conversation.learn({ wait: null });
    },
  };
}
