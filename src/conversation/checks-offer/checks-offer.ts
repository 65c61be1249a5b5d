import type { CheckSuggestion } from "../../checks/definition-of-done/suggest/suggestion.ts";
import { describeError } from "../../lib/error.ts";
import { isShownWhole } from "../../project/adopt-checks.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

/** Offered at once; `/gaia-init` lets the user choose among more. */
const MOST = 4;
/** Where it is remembered that the user said no, in their own data for this project. */
const KEPT = "checks-offer";

/** A project without checks is offered those that it seems to have, once, when its first plan is about to be carried out. */
export interface ChecksOffer extends Part {
  /** What is to be offered now; empty for nothing. Each conversation is asked once. Never rejects. */
  take(): Promise<readonly CheckSuggestion[]>;
  /** The user wants none of them now: no conversation of this project asks again by itself. */
  decline(): void;
}

export function createChecksOffer(
  conversation: Pick<ConversationCore, "state" | "canAsk">,
  { verifier, workStore, host }: Pick<ConversationServices, "verifier" | "workStore" | "host">,
): ChecksOffer {
  let isAsked = false;
  return {
    async take() {
      const { knobs, pause } = conversation.state;
      // In autopilot nobody waits to be asked.
      if (isAsked || knobs.mode !== "supervised" || pause !== null) return [];
      isAsked = true;
      try {
        if ((await conversation.canAsk()) === false) return [];
        const found = (await verifier.suggest()) ?? [];
        if (found.length === 0 || (await workStore.load(KEPT))["declined"] === true) return [];
        return found.filter(isShownWhole).slice(0, MOST);
      } catch (error) {
        host.logger.log("warn", "checks-offer", describeError(error));
        return [];
      }
    },
    decline() {
      workStore.save(KEPT, () => ({ declined: true }));
    },
  };
}
