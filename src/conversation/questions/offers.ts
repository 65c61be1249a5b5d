import { textOf } from "../../lib/json.ts";
import type { Part } from "../part.ts";

/** A question as a model gave it, unchecked. */
export type AskedQuestion = { readonly header?: unknown; readonly question?: unknown };

/** One question as OpenCode's question tool takes it. */
export interface OfferedQuestion {
  readonly header: string;
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
  readonly multiple: boolean;
}

/**
 * Something that only the user decides and the plugin then does. A model has to call the question tool, for nothing else
 * can raise a question; the words are the plugin's, and so is what follows from the answer.
 */
export interface Offer {
  /** By this header of the model's call it is known which offer is meant. */
  readonly header: string;
  readonly questions: readonly OfferedQuestion[];
  /**
   * Does what the user chose.
   * @param answers the chosen labels, per question
   * @returns one or more sentences for the model: what was done
   */
  settle(answers: readonly (readonly string[])[]): Promise<string>;
}

/** The open offers of a conversation; each is made until it is answered or replaced. */
export interface Offers extends Part {
  put(offer: Offer): void;
  /** The offer that one of a model's questions is about, from now on tied to the call; null when it is about none. */
  open(callId: string, questions: readonly AskedQuestion[]): Offer | null;
  /** Ties an offer to a call that asks other questions first, `from` of them. */
  tie(callId: string, offer: Offer, from: number): void;
  /** Settles what a call's answer was about; null when it was about no offer. */
  close(callId: string, answers: readonly (readonly string[])[]): Promise<string | null>;
}

export function createOffers(): Offers {
  let offers: readonly Offer[] = [];
  const asked = new Map<string, { readonly offer: Offer; readonly from: number }>();
  return {
    put(offer) {
      offers = [...offers.filter(({ header }) => header !== offer.header), offer];
    },
    open(callId, questions) {
      const headers = new Set(questions.map(({ header }) => textOf(header)));
      const offer = offers.find((each) => headers.has(each.header)) ?? null;
      if (offer !== null) asked.set(callId, { offer, from: 0 });
      return offer;
    },
    tie(callId, offer, from) {
      asked.set(callId, { offer, from });
    },
    async close(callId, answers) {
      const found = asked.get(callId);
      asked.delete(callId);
      if (found === undefined) return null;
      const { offer, from } = found;
      offers = offers.filter(({ header }) => header !== offer.header);
      // What the model asks beside it is for the model.
      return offer.settle(answers.slice(from, from + offer.questions.length));
    },
  };
}
