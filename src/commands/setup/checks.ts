import { adoptChecks, isShownWhole } from "../../project/adopt-checks.ts";
import { pickQuestion, type PrepareStep } from "./define.ts";

const MOST = 8;

/** Checks that the project seems to have become its Definition of Done when the user picks them; none is run for it. */
export const prepareChecks: PrepareStep = async (runtime) => {
  const found = (await runtime.verifier.suggest()) ?? [];
  const suggestions = found.filter(isShownWhole).slice(0, MOST);
  if (suggestions.length === 0) return null;
  const { question, read } = pickQuestion(
    "Checks",
    "Nothing is configured that has to pass before work counts as done. Which of these should?",
    suggestions,
    ({ command, kind, source, cwd }) => ({
      label: command,
      description: `${kind}, from ${source}${cwd === undefined ? "" : `, run in ${cwd}`}`,
    }),
  );
  return {
    question,
    async settle(labels) {
      const picked = read(labels)?.picked ?? [];
      if (picked.length === 0) return "";
      return adoptChecks(runtime, picked);
    },
  };
};
