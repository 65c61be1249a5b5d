import { failureForPerson } from "../../lib/for-person.ts";
import { idOfLearning } from "../../workspace/documents/learning.ts";
import { pickQuestion, type PrepareStep } from "./define.ts";

/** More at once nobody weighs. */
const MOST = 4;

/** What facts have contradicted is taken out of the learnings only when the user says so. */
export const prepareDoubtful: PrepareStep = async ({ workspace }) => {
  const found = await workspace.doubtfulLearnings();
  if (!found.ok || found.doubtful.length === 0) return null;
  const { question, read } = pickQuestion(
    "Doubtful",
    "Work that had to do with these learnings was taken back, refused or corrected. Which of them should go? What you leave in counts as right again.",
    found.doubtful.slice(0, MOST),
    ({ kind, text, date, unit }) => {
      const { confirmed = 0, contradicted = 0 } = found.evidence.get(idOfLearning(text)) ?? {};
      const seen = `contradicted ${contradicted} times, confirmed ${confirmed} times`;
      return { label: text, description: [kind, unit, date, seen].filter(Boolean).join(", ") };
    },
  );
  return {
    question,
    async settle(labels) {
      const answer = read(labels);
      if (answer === null) return "";
      const settled = await workspace.settleDoubtful({ removed: answer.picked, kept: answer.left });
      if (!settled.ok) return failureForPerson(settled);
      return `Doubtful learnings: ${settled.removed} removed from .gaia/learnings.md.`;
    },
  };
};
