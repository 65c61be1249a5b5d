import type { ReviewDepth } from "../../config/knobs.ts";
import type { Role } from "../../config/roles.ts";

/** What decides who has to look at a wave's work. */
export interface ReviewFacts {
  readonly isLast: boolean;
  /** Whether anything was changed that is no documentation. */
  readonly changesCode: boolean;
  readonly depth: ReviewDepth;
  /** Whether the project's own checks passed in the host. */
  readonly isProven: boolean;
  /** Changed files that deserve a second look and that no reviewer has seen yet. */
  readonly hotspots: number;
  /** Whether a later wave changes more than tests: it would build on what nobody has looked at. */
  readonly isBuiltOn: boolean;
  /** Roles that judge in the plan itself, in this wave. */
  readonly planned: readonly (Role | null)[];
}

/**
 * Who looks at a wave's work before it is closed (SPEC 12): one who runs the checks where the host could not, and a reviewer
 * at the end of a plan that changes code, where the change is risky and others build on it, and at each wave where the user wants all of it looked at.
 */
export function whoReviews(facts: ReviewFacts): readonly Role[] {
  const { isLast, changesCode, depth, isProven, hotspots, isBuiltOn, planned } = facts;
  if (!changesCode) return [];
  const isRisky = (hotspots > 0 && isBuiltOn) || depth === "deep_repo";
  const checker: readonly Role[] = isProven || !isLast ? [] : ["checker"];
  const reviewer: readonly Role[] = isLast || isRisky ? ["reviewer"] : [];
  return [...checker, ...reviewer].filter((role) => !planned.includes(role));
}
