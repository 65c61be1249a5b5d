import { propose } from "../conversation/record/harvest.ts";
import type { Workspace } from "../record/workspace.ts";

/** A model's learnings are for the user to accept, whichever way they come in (SPEC 10). @param unit in which they were learnt */
export async function proposeLearnings(
  workspace: Workspace,
  bullets: readonly string[],
  unit: string | null,
): Promise<object> {
  const proposed = await propose(workspace, bullets, "GAIA", unit);
  if (!proposed.ok) return proposed;
  return { ok: true, hint: "Proposed: the user decides on them (ctrl+x k, /gaia-init)." };
}
