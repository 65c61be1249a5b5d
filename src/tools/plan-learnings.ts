import { propose } from "../conversation/record/harvest.ts";
import { refuse } from "../lib/refusal.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** A specialist's learnings are for the user to accept, whichever way they come in (SPEC 10). */
export async function proposeLearnings(
  workspace: Workspace,
  bullets: readonly string[] | undefined,
): Promise<object> {
  if (bullets === undefined) return refuse("This operation needs bullets.", "Call again with bullets.");
  const proposed = await propose(workspace, bullets);
  if (proposed?.ok === false) return proposed;
  return { ok: true, hint: "Proposed: the user decides on them in /gaia-init." };
}
