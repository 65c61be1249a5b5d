import type { Assumption, Assumptions } from "./assumptions.ts";
import type { DelegationResult } from "../../delegation/result.ts";
import type { Refusal } from "../../lib/refusal.ts";
import type { Offer } from "../questions/offers.ts";
import type { Conversation } from "../conversation.ts";

const HEADER = "Assumptions";
const HOLDS = "It holds";
const DOES_NOT = "It does not";
/** As many as one question of OpenCode's shows well; the least sure ones first. */
const MAX_QUESTIONS = 4;

/**
 * Brings up what specialists took for granted, in the result after which it is due: the user is asked in the plugin's
 * words, so that their answers stand in the record as decisions. On autopilot, and where nobody can answer, they are told.
 */
export async function surfaceAssumptions<T extends DelegationResult | Refusal>(
  conversation: Conversation | null,
  result: T,
): Promise<T> {
  if (conversation === null) return result;
  const { assumptions, offers } = conversation.parts;
  const due = assumptions.collect(result);
  if (due.length === 0) return result;
  const listed = due.map(({ text, confidence, agent }) => `${text} (${agent}, ${confidence})`);
  const isAlone = conversation.state.knobs.mode === "autopilot" || !(await conversation.canAsk());
  if (isAlone)
    conversation.outbox.note(
      ["Assumed, and not confirmed by you:", ...listed.map((line) => `- ${line}`)].join("\n"),
    );
  else offers.put(assumptionsOffer(assumptions));
  const next = isAlone
    ? "rest as little as you can on it, and name it in your report"
    : `before more is built on it call question with header "${HEADER}" (the plugin fills in the rest)`;
  return { ...result, assumptions: `Not confirmed by the user, ${next}: ${listed.join("; ")}` };
}

function assumptionsOffer(assumptions: Assumptions): Offer {
  const asked = assumptions
    .pending()
    .toSorted((a, b) => a.confidence - b.confidence)
    .slice(0, MAX_QUESTIONS);
  const questions = asked.map(({ text, agent }) => ({
    header: HEADER,
    question: `Assumed by ${agent}: ${text}. Does that hold?`,
    options: [
      { label: HOLDS, description: "It becomes a decision." },
      { label: DOES_NOT, description: "GAIA works without it; say what is true instead, if you like." },
    ],
    multiple: false,
  }));
  return {
    header: HEADER,
    questions,
    async settle(answers) {
      const answered = asked.flatMap((each, at) => {
        const words = (answers[at] ?? []).join(", ");
        return words === "" ? [] : [{ ...each, words }];
      });
      assumptions.settle(answered.map(({ text }) => text));
      const wrong = answered.filter(({ words }) => words !== HOLDS);
      if (wrong.length === 0) return "The user's answers are recorded; what holds is decided.";
      return `The user's answers are recorded. What does not hold must be put right before you go on: ${wrong.map(describe).join("; ")}.`;
    },
  };
}

function describe({ text, words }: Assumption & { words: string }): string {
  return words === DOES_NOT ? text : `${text} (${words})`;
}
