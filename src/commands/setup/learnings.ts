import { failureForPerson } from "../../lib/for-person.ts";
import { pickQuestion, type PrepareStep } from "./define.ts";

/** More at once nobody reads; the rest comes with the next `/gaia-init`. */
const MOST = 6;

/** What the plugin noticed by itself becomes a learning only when the user says so (SPEC 10). */
export const prepareLearnings: PrepareStep = async ({ workspace, knowledge }) => {
  const found = await workspace.proposals();
  const proposals = found.ok ? found.proposals.slice(0, MOST) : [];
  if (proposals.length === 0) return null;
  const { question, read } = pickQuestion(
    "Learnings",
    "GAIA noticed this while you worked. What should she remember? What you leave out is dropped.",
    proposals,
    ({ kind, text, date, unit }) => ({
      label: text,
      description: `${kind}${unit === null ? "" : `, ${unit}`}, ${date}`,
    }),
  );
  return {
    question,
    async settle(labels) {
      const answer = read(labels);
      if (answer === null) return "";
      const ids = (of: readonly { readonly id: string }[]): string[] => of.map(({ id }) => id);
      const kept = await workspace.acceptProposals({ ids: ids(answer.picked) });
      const dropped = await workspace.declineProposals({ ids: ids(answer.left) });
      if (kept.ok) await knowledge.keepLearnings(kept.texts);
      // What an agent put into the file itself goes from there with the user's no.
      const left = await knowledge.leftLearnings();
      const removed = answer.left.filter(({ id }) => left.some((line) => line.id === id));
      if (removed.length > 0) await workspace.settleDoubtful({ removed, kept: [] });
      if (!kept.ok) return failureForPerson(kept);
      return `Learnings: ${answer.picked.length} kept in .gaia/learnings.md, ${dropped.ok ? dropped.declined : 0} dropped.`;
    },
  };
};
