import { parseLearning } from "../../src/record/documents/learning.ts";
import type { Workspace } from "../../src/record/workspace.ts";

/** Puts learnings into the record the way that a person does: proposed, and accepted. */
export async function acceptLearnings(
  workspace: Pick<Workspace, "observe" | "acceptProposals">,
  ...texts: readonly string[]
): Promise<Awaited<ReturnType<Workspace["acceptProposals"]>>> {
  const observed = await workspace.observe({ learnings: texts.map(parseLearning) });
  if (!observed.ok) return observed;
  return workspace.acceptProposals({ ids: observed.proposals.map(({ id }) => id) });
}
