import { definitionFrom } from "../../checks/definition-of-done/suggest/suggest.ts";
import { pickQuestion, type PrepareStep } from "./define.ts";

const MOST = 8;

/** Checks that the project seems to have become its Definition of Done when the user picks them; none is run for it. */
export const prepareChecks: PrepareStep = async ({ verifier, workspace }) => {
  const suggestions = (await verifier.suggest())?.slice(0, MOST) ?? [];
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
      const definition = definitionFrom(picked);
      const written = await workspace.addChecks({ definition });
      if (!written.ok) return `${written.error} ${written.hint}`;
      verifier.adopt(definition);
      return `Definition of Done: ${picked.length} checks written into ${written.path}; they count from now on.`;
    },
  };
};
