import { failureForPerson } from "../../lib/for-person.ts";
import { pickQuestion, type PrepareStep } from "./define.ts";

/** Learnings that hold in every task may stand in the curated file, if the user wants them there. */
export const preparePromotions: PrepareStep = async ({ workspace }) => {
  const [found, doubted] = await Promise.all([workspace.promotions(), workspace.doubtfulLearnings()]);
  const doubtful = new Set(doubted.ok ? doubted.doubtful.map(({ text }) => text) : []);
  const all = found.ok ? found.promotions : [];
  const promotions = all.filter(({ learning }) => !doubtful.has(learning.text));
  if (promotions.length === 0) return null;
  const { question, read } = pickQuestion(
    "Promotions",
    "Which learnings hold in every task, so that they belong into .gaia/gaia-init.md?",
    promotions,
    ({ learning: { text, kind }, heading }) => ({
      label: text,
      description: `${kind}, goes under ${heading}`,
    }),
  );
  return {
    question,
    async settle(labels) {
      const answer = read(labels);
      if (answer === null) return "";
      const settled = await workspace.settlePromotions({ accepted: answer.picked, declined: answer.left });
      if (!settled.ok) return failureForPerson(settled);
      return `Promotions: ${settled.promoted} written into .gaia/gaia-init.md.`;
    },
  };
};
