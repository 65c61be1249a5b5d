import { visible } from "../lib/text.ts";
import { failureForPerson } from "../lib/for-person.ts";
import { CONFIGURATION } from "../checks/definition-of-done/load.ts";
import { type CheckSuggestion, definitionFrom } from "../checks/definition-of-done/suggest.ts";
import type { Verifier } from "../checks/verifier.ts";
import { definitionPowers } from "../trust/file-powers.ts";
import type { Workspace } from "../record/workspace.ts";
import type { ProjectTrust } from "./trust.ts";

const MAX_COMMAND = 70;

/** Whether a command is on the screen as it will run: a yes is to what is shown, so that nothing else is proposed. */
export function isShownWhole({ command }: CheckSuggestion): boolean {
  return command.length <= MAX_COMMAND && !/\s\s/.test(command) && visible(command) === command;
}

/** Writes checks into the configuration and lets them count, after a person's yes to exactly these. @returns one sentence */
export async function adoptChecks(
  {
    workspace,
    trust,
    verifier,
  }: {
    readonly workspace: Pick<Workspace, "addChecks">;
    readonly trust: Pick<ProjectTrust, "grant">;
    readonly verifier: Pick<Verifier, "adopt">;
  },
  picked: readonly CheckSuggestion[],
): Promise<string> {
  const definition = definitionFrom(picked);
  const written = await workspace.addChecks({ definition });
  if (!written.ok) return failureForPerson(written);
  await trust.grant(definitionPowers(CONFIGURATION, definition));
  verifier.adopt(definition);
  const count = picked.length === 1 ? "1 check" : `${picked.length} checks`;
  return `Definition of Done: ${count} written into ${written.path}, which ${picked.length === 1 ? "counts" : "count"} from now on.`;
}
