import { conclusionOf, NOT_REVIEWED } from "../../review/outcome.ts";
import { recordOf } from "../../lib/json.ts";
import { PLAN_REVIEWER, PLAN_REVIEWS } from "./stage.ts";

/** More would be a wish list: these are what blocks the plan. */
const MAX_ISSUES = 3;

/**
 * A plan's review as GAIA gets it: the verdict in one word, at most three issues, and what follows from both. A review
 * that failed or gave no verdict is none, and the user decides in the end.
 * @param result of the reviewer's delegation
 * @param round which review of this plan it is, from 1
 */
export function settlePlanReview(
  result: { readonly status: string; readonly parsed_json?: unknown },
  round: number,
): object {
  if (result.status === "running") return result;
  const envelope = recordOf(result.parsed_json);
  const data = recordOf(envelope["data"]);
  const found: unknown[] = Array.isArray(data["vulnerabilities"]) ? data["vulnerabilities"] : [];
  const verdict = conclusionOf(PLAN_REVIEWER, result.status, envelope)?.verdict ?? null;
  const isOkay = verdict === "APPROVE";
  return {
    ...result,
    parsed_json:
      found.length <= MAX_ISSUES
        ? result.parsed_json
        : { ...envelope, data: { ...data, vulnerabilities: found.slice(0, MAX_ISSUES) } },
    plan_review: {
      round,
      of: PLAN_REVIEWS,
      verdict: isOkay ? "OKAY" : verdict === null ? NOT_REVIEWED : "REJECT",
      next: verdict === null ? unreviewedStep(round) : nextStep(isOkay, round),
    },
  };
}

function unreviewedStep(round: number): string {
  return round < PLAN_REVIEWS
    ? "Let it be reviewed once more."
    : "That was the last review. Tell the user that nobody reviewed it, then plan_gaia request_approval with kind plan.";
}

function nextStep(isOkay: boolean, round: number): string {
  const ask = "plan_gaia request_approval with kind plan";
  if (isOkay) return `${ask}.`;
  return round < PLAN_REVIEWS
    ? "Revise the plan for these issues only, then let it be reviewed once more."
    : `That was the last review. Revise what you can, tell the user what is still disputed, then ${ask}.`;
}
