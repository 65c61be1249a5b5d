import { parsePlan } from "../../plan/grammar.ts";
import type { Workspace } from "../../record/workspace.ts";
import type { EvidencePart } from "../evidence/evidence.ts";

/**
 * How a work unit ended, as the state of the finding that it came from: done where it is complete and the host has seen all of
 * it, or its user wants it as it is. Empty while it is under way, and where that cannot be told.
 */
export async function endOfUnit(
  workspace: Pick<Workspace, "readWorkUnit" | "listWorkUnits" | "readDocument">,
  evidence: Pick<EvidencePart, "standing" | "isAccepted">,
  slug: string,
): Promise<string> {
  const unit = await workspace.readWorkUnit({ slug });
  if (unit.ok && unit.status !== "complete") return "";
  const listed = await workspace.listWorkUnits();
  const archived = listed.ok ? listed.archived.findLast((name) => name.endsWith(`.${slug}`)) : undefined;
  if (!unit.ok && archived === undefined) return "";
  const place = `archive/${archived ?? ""}`;
  const plan = unit.ok ? null : await workspace.readDocument({ path: `${place}/plan.md` });
  if (plan?.ok === true && parsePlan(plan.text).status !== "complete")
    return `claimed: ${slug} was archived and is not complete`;
  const claims = await evidence.standing(
    slug,
    plan?.ok === true ? { place, planText: plan.text } : undefined,
  );
  // What the plan says of itself is no proof.
  return claims.length > 0 && evidence.isAccepted(slug, claims)
    ? `done: ${slug} is complete`
    : `claimed: ${slug} is complete by its plan, and not all of it is proven`;
}
