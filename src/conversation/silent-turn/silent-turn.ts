import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

/** A model that answers the user with nothing at all, which OpenCode shows as an ordinary end of the turn. */
export interface SilentTurn extends Part {
  /** Why the newest turn counts as failed; empty where something was said or done in it. */
  why(): string;
}

const WHY = "the model gave an empty answer";

export function createSilentTurn(
  { speaker, outbox }: Pick<ConversationCore, "speaker" | "outbox">,
  { host, orchestrator }: Pick<ConversationServices, "host" | "orchestrator">,
): SilentTurn {
  /** Whether anything was said or done since the user spoke. */
  let isHeard = false;
  let isSilent = false;
  return {
    why: () => (isSilent ? WHY : ""),
    userSpoke() {
      isHeard = false;
      isSilent = false;
    },
    observe(event, isRoot) {
      if (!isRoot) return;
      if (event.type === "tool.activity" || (event.type === "text.finished" && event.text.trim() !== "")) {
        isHeard = true;
        isSilent = false;
      }
      if (event.type !== "message.finished" || !event.isAnswer || isHeard || isSilent) return;
      if (speaker()?.agent !== orchestrator) return;
      isSilent = true;
      outbox.note(`✗ Nothing was said or done: ${WHY}. Say it again, or choose another model (/models).`);
      void host.toast("warning", `GAIA: ${WHY}. Say it again, or choose another model.`);
    },
  };
}
