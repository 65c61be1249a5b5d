import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

/** What was tried before no longer counts against the work once the user has spoken. */
export function createProofs(
  { rootId }: Pick<ConversationCore, "rootId">,
  { verifier }: Pick<ConversationServices, "verifier">,
): Part {
  return {
    userSpoke(how) {
      if (how === "go-on" || how === "answer") verifier.userSpoke(rootId);
    },
    dispose() {
      verifier.forget(rootId);
    },
  };
}
