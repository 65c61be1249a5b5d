import { outcomeSchema, VERDICTS, type Verdict } from "../../contracts/contract.ts";
import { recordOf } from "../../lib/json.ts";

export type ReviewVerdict = Verdict;

/** The state of a review that came to no verdict: neither an approval nor a rejection. */
export const NOT_REVIEWED = "not reviewed";

export interface ReviewerOutcome {
  reviewer: string;
  verdict: ReviewVerdict;
  reason?: string;
  nextStep?: string;
}

/** Several reviewers as one: the worst verdict, and what each of those who gave it said. */
export interface MergedOutcome {
  verdict: ReviewVerdict;
  reasons: string[];
  nextSteps: string[];
}

/** What work is under review: `verify` looks without changing anything, so there is nothing to fix. */
export type WorkKind = "change" | "verify";

export interface ReviewState {
  fixRounds: number;
}

export type ReviewDecision =
  | { kind: "proceed"; state: ReviewState }
  | { kind: "fix-round"; state: ReviewState }
  | { kind: "blocked"; state: ReviewState; reason: string; nextStep: string };

export const NO_REVIEW_YET: ReviewState = { fixRounds: 0 };

/** One rejection is sent back to be fixed; the second ends the pipeline (SPEC 12). */
const MAX_FIX_ROUNDS = 1;

/** What a review concludes; null for not reviewed. An approval counts only where the answer ended and fits its contract. */
export function conclusionOf(reviewer: string, status: string, envelope: unknown): ReviewerOutcome | null {
  const read = outcomeSchema().safeParse(recordOf(envelope)["outcome"]);
  if (!read.success) return null;
  const { verdict, reason, next_step: nextStep } = read.data;
  if (verdict === "APPROVE" && status !== "completed") return null;
  return {
    reviewer,
    verdict,
    ...(reason === undefined ? {} : { reason }),
    ...(nextStep === undefined ? {} : { nextStep }),
  };
}

/** Merges reviewers that looked at the same change side by side: the worst verdict wins. No reviewer is an APPROVE. */
export function mergeOutcomes(outcomes: readonly ReviewerOutcome[]): MergedOutcome {
  const objecting = outcomes
    .filter(({ verdict }) => verdict !== "APPROVE")
    .toSorted((a, b) => VERDICTS.indexOf(b.verdict) - VERDICTS.indexOf(a.verdict));
  const steps = objecting.flatMap(({ reviewer, nextStep }) => (nextStep ? [{ reviewer, nextStep }] : []));
  return {
    verdict: objecting[0]?.verdict ?? "APPROVE",
    reasons: objecting.map(({ reviewer, reason }) => `${reviewer}: ${reason ?? "gave no reason"}`),
    nextSteps: steps.map(({ reviewer, nextStep }) =>
      objecting.length === 1 ? nextStep : `${reviewer}: ${nextStep}`,
    ),
  };
}

/** Go on, one round of fixing, or stop: BLOCKED stops at once; REJECT is fixed once, and never where the work was to verify. */
export function decideAfterReview(
  state: ReviewState,
  outcomes: readonly ReviewerOutcome[],
  work: WorkKind = "change",
): ReviewDecision {
  const merged = mergeOutcomes(outcomes);
  if (merged.verdict === "APPROVE") return { kind: "proceed", state };
  if (merged.verdict === "REJECT" && work === "change" && state.fixRounds < MAX_FIX_ROUNDS) {
    return { kind: "fix-round", state: { fixRounds: state.fixRounds + 1 } };
  }
  return {
    kind: "blocked",
    state,
    reason: blockedReason(merged, work),
    nextStep: merged.nextSteps.join("; ") || "say how to go on.",
  };
}

function blockedReason({ verdict, reasons: all }: MergedOutcome, work: WorkKind): string {
  const reasons = all.join("; ");
  if (verdict === "BLOCKED") return reasons;
  if (work === "verify") return `verification is not met (${reasons})`;
  return `still rejected after one round of fixing (${reasons})`;
}
