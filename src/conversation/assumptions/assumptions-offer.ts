import type { Assumption, Assumptions } from "./assumptions.ts";
import type { Offer } from "../questions/offers.ts";

/** By this header of a question it is known that it is about what was taken for granted. */
export const ASSUMPTIONS_HEADER = "Assumptions";
const HOLDS = "It holds";
const DOES_NOT = "It does not";
/** As many as one question of OpenCode's shows well; the least sure ones first. */
export const MAX_QUESTIONS = 4;

/** An assumption with who made it, and how sure they were. */
export function describeAssumption({ text, confidence, agent }: Assumption): string {
  return `${text} (${agent}, ${confidence})`;
}

/**
 * Asks in the plugin's words, so that the answers stand in the record as decisions.
 * @param room how many questions there is room for
 */
export function assumptionsOffer(assumptions: Assumptions, room = MAX_QUESTIONS): Offer {
  const asked = assumptions
    .pending()
    .toSorted((a, b) => a.confidence - b.confidence)
    .slice(0, room);
  const questions = asked.map(({ text, agent }) => ({
    header: ASSUMPTIONS_HEADER,
    question: `Assumed by ${agent}: ${text}. Does that hold?`,
    options: [
      { label: HOLDS, description: "It becomes a decision." },
      { label: DOES_NOT, description: "GAIA works without it; say what is true instead, if you like." },
    ],
    multiple: false,
  }));
  return {
    header: ASSUMPTIONS_HEADER,
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
