import { textOf } from "../../lib/json.ts";

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

/** The open offers of all conversations; each is made until it is answered or replaced. */
export interface Offers {
  put(rootId: string, offer: Offer): void;
  /** The offer that a model's question is about, from now on tied to the call; null when it is about none. */
  open(rootId: string, callId: string, questions: readonly AskedQuestion[]): Offer | null;
  /** Settles what a call's answer was about; null when it was about no offer. */
  close(rootId: string, callId: string, answers: readonly (readonly string[])[]): Promise<string | null>;
  forget(rootId: string): void;
}

export function createOffers(): Offers {
  const offers = new Map<string, Offer[]>();
  const asked = new Map<string, Offer>();
  const of = (rootId: string): Offer[] => offers.get(rootId) ?? [];
  return {
    put(rootId, offer) {
      offers.set(rootId, [...of(rootId).filter(({ header }) => header !== offer.header), offer]);
    },
    open(rootId, callId, [first]) {
      const header = textOf(first?.["header"]);
      const offer = of(rootId).find((each) => each.header === header) ?? null;
      if (offer !== null) asked.set(callId, offer);
      return offer;
    },
    async close(rootId, callId, answers) {
      const offer = asked.get(callId);
      asked.delete(callId);
      if (offer === undefined) return null;
      offers.set(
        rootId,
        of(rootId).filter((each) => each !== offer),
      );
      return offer.settle(answers);
    },
    forget(rootId) {
      offers.delete(rootId);
    },
  };
}
