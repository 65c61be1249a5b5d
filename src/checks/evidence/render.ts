import { excerpt } from "../../lib/excerpt.ts";
import { type JudgedClaim, nameOf, tally } from "./claims.ts";

const MAX_NAMED = 6;
const MAX_WHY = 140;

/** `2 proven, 1 claimed, 1 stale`; empty where a plan claims nothing yet. */
export function renderTally(claims: readonly JudgedClaim[]): string {
  const { proven, claimed, stale } = tally(claims);
  if (proven + claimed + stale === 0) return "";
  return `${proven} proven, ${claimed} claimed, ${stale} stale`;
}

/** The tally with what is not proven and why; empty where a plan claims nothing yet. */
export function renderEvidence(claims: readonly JudgedClaim[]): string {
  const counts = renderTally(claims);
  const doubtful = claims.filter(({ standing }) => standing === "claimed" || standing === "stale");
  const named = doubtful
    .slice(0, MAX_NAMED)
    .map((claim) => `${nameOf(claim)} ${claim.standing}: ${excerpt(claim.why, MAX_WHY)}`);
  const more = doubtful.length - named.length;
  return [counts, ...named, ...(more > 0 ? [`and ${more} more`] : [])].filter(Boolean).join("; ");
}

/** What a model is told of claims, those that are not proven with the reason. */
export function evidenceView(claims: readonly JudgedClaim[]): object {
  const told = claims.filter(({ standing }) => standing !== "open");
  return {
    proven: told.filter(({ standing }) => standing === "proven").map(({ id }) => id),
    not_proven: told
      .filter(({ standing }) => standing !== "proven")
      .slice(0, 30)
      .map(({ id, standing, why }) => `${id} ${standing}: ${excerpt(why, MAX_WHY)}`),
  };
}
