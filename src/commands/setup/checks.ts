import { definitionFrom } from "../../checks/definition-of-done/suggest/suggest.ts";
import { CONFIGURATION } from "../../checks/definition-of-done/load.ts";
import { definitionPowers } from "../../trust/file-powers.ts";
import { visible } from "../../lib/visible.ts";
import { MAX_LABEL, pickQuestion, type PrepareStep } from "./define.ts";

const MOST = 8;

const isShownWhole = (command: string): boolean =>
  command.length <= MAX_LABEL && !/\s\s/.test(command) && visible(command) === command;

/** Checks that the project seems to have become its Definition of Done when the user picks them; none is run for it. */
export const prepareChecks: PrepareStep = async ({ verifier, workspace, trust }) => {
  const found = (await verifier.suggest()) ?? [];
  // A yes is to what is on the screen, so that nothing is proposed which is not shown whole.
  const suggestions = found.filter(({ command }) => isShownWhole(command)).slice(0, MOST);
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
      await trust.grant(definitionPowers(CONFIGURATION, definition));
      verifier.adopt(definition);
      return `Definition of Done: ${picked.length} checks written into ${written.path}; they count from now on.`;
    },
  };
};
