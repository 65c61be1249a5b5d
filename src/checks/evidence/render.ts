import { excerpt } from "../../lib/excerpt.ts";
import { type JudgedClaim, claimName, renderTallied, tally } from "./claims.ts";

const MAX_NAMED = 6;
const MAX_WHY = 140;

/** `2 proven, 1 claimed, 1 stale`; empty where a plan claims nothing yet. */
export function renderTally(claims: readonly JudgedClaim[]): string {
  return renderTallied(tally(claims));
}

/** The tally with what is not proven and why; empty where a plan claims nothing yet. */
export function renderEvidence(claims: readonly JudgedClaim[]): string {
  return [renderTally(claims), ...renderDoubts(claims)].filter(Boolean).join("; ");
}

export function renderDoubts(claims: readonly JudgedClaim[]): string[] {
  const doubtful = claims.filter(({ standing }) => standing !== "proven" && standing !== "open");
  const named = doubtful
    .slice(0, MAX_NAMED)
    .map((claim) => `${claimName(claim)} ${claim.standing}: ${excerpt(claim.why, MAX_WHY)}`);
  const more = doubtful.length - named.length;
  return more > 0 ? [...named, `and ${more} more`] : named;
}

/** What a model is told of claims, those that are not proven with the reason. */
export function evidenceView(claims: readonly JudgedClaim[]): object {
  const told = claims.filter(({ standing }) => standing !== "open");
  const reasons = (wanted: (claim: JudgedClaim) => boolean): string[] =>
    told
      .filter(wanted)
      .slice(0, 30)
      .map(({ id, standing, why }) => `${id} ${standing}: ${excerpt(why, MAX_WHY)}`);
  const passes = reasons(({ standing }) => standing === "passes");
  return {
    proven: told.filter(({ standing }) => standing === "proven").map(({ id }) => id),
    ...(passes.length === 0 ? {} : { passes }),
    not_proven: reasons(({ standing }) => standing !== "proven" && standing !== "passes"),
  };
}
