import { outcomeSchema, type Verdict } from "../../contracts/contract.ts";
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
