import type { DelegationResult } from "../../delegation/result.ts";
import type { Refusal } from "../../lib/refusal.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { AskedQuestion, Offers } from "../questions/offers.ts";
import type { Assumption, Assumptions } from "./assumptions.ts";
import {
  ASSUMPTIONS_HEADER,
  assumptionsOffer,
  describeAssumption,
  MAX_QUESTIONS,
} from "./assumptions-offer.ts";

const ASK = `call question with header "${ASSUMPTIONS_HEADER}" (the plugin fills in the rest)`;

/** Brings what specialists took for granted before the user, whatever a model makes of it. */
export interface BringUp extends Part {
  /** A delegation's result as GAIA gets it, with the assumptions that are due after it. */
  withResult<T extends DelegationResult | Refusal>(result: T): Promise<T>;
  /** The user is about to be asked for something: what is not confirmed stands on the screen first. */
  decisionWaits(): void;
  /** The model's question with those about assumptions behind it; null when there are none, or there is no room. */
  join(callId: string, questions: readonly AskedQuestion[]): readonly AskedQuestion[] | null;
  /** What GAIA is told of them when she meets the conversation again. */
  remind(): string[];
}

export function createBringUp(
  conversation: Pick<ConversationCore, "state" | "canAsk" | "outbox" | "tell">,
  assumptions: Assumptions,
  offers: Offers,
): BringUp {
  const noted = new Set<string>();
  let isPaused = false;

  const note = (all: readonly Assumption[]): void => {
    const fresh = all.filter(({ text }) => !noted.has(text));
    if (fresh.length === 0) return;
    for (const { text } of fresh) noted.add(text);
    const lines = fresh.map((each) => `- ${describeAssumption(each)}`);
    conversation.outbox.note(["Assumed, and not confirmed by you:", ...lines].join("\n"));
  };
  /** What GAIA reads of them; on autopilot, and where nobody can answer, they are told to the user and hold nobody up. */
  const bringUp = async (due: readonly Assumption[]): Promise<string> => {
    const isAlone = conversation.state.knobs.mode === "autopilot" || !(await conversation.canAsk());
    if (isAlone) note(due);
    else offers.put(assumptionsOffer(assumptions));
    const next = isAlone
      ? "rest as little as you can on it, and name it in your report"
      : `before more is built on it ${ASK}`;
    return `Not confirmed by the user, ${next}: ${due.map(describeAssumption).join("; ")}`;
  };

  const decisionWaits = (): void => {
    const all = assumptions.pending();
    if (all.length === 0) return;
    note(all);
    assumptions.shown();
    offers.put(assumptionsOffer(assumptions));
  };

  return {
    async withResult(result) {
      const due = assumptions.collect(result);
      return due.length === 0 ? result : { ...result, assumptions: await bringUp(due) };
    },
    delegationFinished({ id, agent, background, outcome }) {
      // The result of any other is given back by the call that waits for it.
      if (!background || outcome === null) return;
      const result = { task_id: id, agent, status: "completed", parsed_json: outcome.envelope } as const;
      const due = assumptions.collect(result);
      if (due.length > 0) void bringUp(due).then(conversation.tell);
    },
    decisionWaits,
    heard() {
      const { pause } = conversation.state;
      const begins = pause !== null && pause.reason !== "abort" && !isPaused;
      isPaused = pause !== null;
      if (begins) decisionWaits();
    },
    join(callId, questions) {
      const room = MAX_QUESTIONS - questions.length;
      if (room <= 0 || assumptions.pending().length === 0) return null;
      const offer = assumptionsOffer(assumptions, room);
      offers.tie(callId, offer, questions.length);
      return [...questions, ...offer.questions];
    },
    remind() {
      const all = assumptions.pending();
      if (all.length === 0) return [];
      offers.put(assumptionsOffer(assumptions));
      return [`not confirmed by the user, ${ASK}: ${all.map(describeAssumption).join("; ")}`];
    },
  };
}
