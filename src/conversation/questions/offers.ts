import type { CheckSuggestion } from "../../checks/definition-of-done/suggest/suggestion.ts";
import { describeError } from "../../lib/error.ts";
import { textOf } from "../../lib/json.ts";
import { isShownWhole } from "../../project/adopt-checks.ts";
import type { Power } from "../../trust/power.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

export type AskedQuestion = { readonly header?: unknown; readonly question?: unknown };

export interface OfferedQuestion {
  readonly header: string;
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
  readonly multiple: boolean;
}

/** Something that only the user decides and the plugin then does: only a model can raise a question, but the words are the plugin's. */
export interface Offer {
  readonly header: string;
  readonly questions: readonly OfferedQuestion[];
  /** Does what the user chose. @param answers the chosen labels, per question @returns sentences for the model: what was done */
  settle(answers: readonly (readonly string[])[]): Promise<string>;
}

/** Checks that are offered at once; `/gaia-init` lets the user choose among more. */
const MOST_CHECKS = 4;
/** Where it is remembered that the user said no to them, in their own data for this project. */
const KEPT = "checks-offer";

export type Offers = ReturnType<typeof createOffers>;

/** What the user is offered in a conversation: questions in the plugin's words, trust in what they were shown, checks that the project seems to have. */
export function createOffers(
  conversation: Pick<ConversationCore, "state" | "canAsk">,
  { verifier, workStore, host }: Pick<ConversationServices, "verifier" | "workStore" | "host">,
) {
  let offers: readonly Offer[] = [];
  const asked = new Map<string, { readonly offer: Offer; readonly from: number }>();
  let powers: readonly Power[] | null = null;
  let isTrustTold = false;
  let areChecksOffered = false;
  return {
    put(offer: Offer): void {
      offers = [...offers.filter(({ header }) => header !== offer.header), offer];
    },
    /** The offer that one of a model's questions is about, from now on tied to the call; null when it is about none. */
    open(callId: string, questions: readonly AskedQuestion[]): Offer | null {
      const headers = new Set(questions.map(({ header }) => textOf(header)));
      const offer = offers.find((each) => headers.has(each.header)) ?? null;
      if (offer !== null) asked.set(callId, { offer, from: 0 });
      return offer;
    },
    tie(callId: string, offer: Offer, from: number): void {
      asked.set(callId, { offer, from });
    },
    /** Settles what a call's answer was about; null when it was about no offer. */
    async close(callId: string, answers: readonly (readonly string[])[]): Promise<string | null> {
      const found = asked.get(callId);
      asked.delete(callId);
      if (found === undefined) return null;
      const { offer, from } = found;
      offers = offers.filter(({ header }) => header !== offer.header);
      // What the model asks beside it is for the model.
      return offer.settle(answers.slice(from, from + offer.questions.length));
    },
    /** These are on the screen, by the user's own command: only they can be granted in the conversation. */
    showPowers(shown: readonly Power[]): void {
      powers = shown;
    },
    /** What is to be asked about, once; null when the user has not asked for it, or has said something else since. */
    takePowers(): readonly Power[] | null {
      const taken = powers;
      powers = null;
      return taken;
    },
    /** Whether this conversation has not been told yet what is not trusted; each first call says so. */
    isTrustNews(): boolean {
      const isNews = !isTrustTold;
      isTrustTold = true;
      return isNews;
    },
    /** The checks that a project without any seems to have, once, when its first plan is about to be carried out. Never rejects. */
    async takeChecks(): Promise<readonly CheckSuggestion[]> {
      const { knobs, pause } = conversation.state;
      // In autopilot nobody waits to be asked.
      if (areChecksOffered || knobs.mode !== "supervised" || pause !== null) return [];
      areChecksOffered = true;
      try {
        if ((await conversation.canAsk()) === false) return [];
        const found = (await verifier.suggest()) ?? [];
        if (found.length === 0 || (await workStore.load(KEPT))["declined"] === true) return [];
        return found.filter(isShownWhole).slice(0, MOST_CHECKS);
      } catch (error) {
        host.logger.log("warn", "offers", describeError(error));
        return [];
      }
    },
    declineChecks(): void {
      workStore.save(KEPT, () => ({ declined: true }));
    },
    userSpoke() {
      powers = null;
    },
  } satisfies Part & Record<string, unknown>;
}
