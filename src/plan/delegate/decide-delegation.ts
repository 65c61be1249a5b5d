import { conclusionOf, NOT_REVIEWED } from "../review/outcome.ts";
import {
  PLAN_REVIEWER,
  PLAN_REVIEWS,
  refuseBeginning,
  type PlanFacts,
  type Stage,
} from "../../conversation/planning/stage.ts";
import { listOf, recordOf } from "../../lib/json.ts";
import { describePause } from "../../conversation/collaboration/gate.ts";
import { refuse, type Refusal } from "../../lib/error.ts";
import type { WorkRules } from "../../conversation/collaboration/knobs.ts";

export interface DelegationFacts {
  readonly agent: string;
  readonly mutates: boolean;
  readonly readers: readonly string[];
  readonly stage: Stage | null;
  readonly plan: PlanFacts | null;
  readonly state: WorkRules;
  /** The configuration wants a wave, the conversation is about a work unit, and the call names no wave. */
  readonly lacksWave: boolean;
}

/** Whether a delegation may begin (SPEC 8, 12). It must not depend on a model; readers stay available nearly always. */
export function refuseDelegation(facts: DelegationFacts): Refusal | null {
  const { agent, mutates, stage } = facts;
  if (mutates) return refuseEditor(facts);
  if (agent !== PLAN_REVIEWER || stage?.kind !== "planning" || stage.reviews < PLAN_REVIEWS) return null;
  return refuse(
    `Refused: ${PLAN_REVIEWER} has reviewed this plan ${PLAN_REVIEWS} times.`,
    "Tell the user what is still disputed and call plan_gaia request_approval with kind plan.",
  );
}

/** Why a specialist that the configuration disables cannot be called at all. */
export function refuseDisabled(agent: string, roster: readonly string[]): Refusal {
  return refuse(
    `${agent} is disabled in the config.`,
    `Use another agent of the roster, or tell the user which one is missing. Roster: ${roster.join(", ")}`,
  );
}

function refuseEditor(facts: DelegationFacts): Refusal | null {
  const { agent, readers, stage, plan, state, lacksWave } = facts;
  const early = refuseBeginning(stage, plan, state);
  if (early !== null) return early;
  if (state.knobs.mode === "locked") {
    return refuse(
      `Refused delegate_gaia: ${agent} changes files and the session is locked.`,
      `Read-only specialists work: ${readers.join(", ")}. The user unlocks with /supervised or /autopilot.`,
    );
  }
  if (state.pause !== null) return refusePaused(state.pause);
  // A change that belongs to no wave cannot be covered by the user's approval of one. Without a work unit, for a quick
  // fix, every action is asked for by itself.
  if (state.knobs.mode !== "supervised" || !lacksWave) return null;
  return refuse(
    "In supervised mode a delegation that changes files names its wave, and this one names none.",
    "plan_gaia open_wave first, then pass that wave_id.",
  );
}

function refusePaused(pause: NonNullable<WorkRules["pause"]>): Refusal {
  return refuse(
    `Refused delegate_gaia: ${describePause(pause)}.`,
    "End your turn now, and tell the user why. They answer with /next or feedback; delegations to read-only specialists still work.",
  );
}

/** More would be a wish list: these are what blocks the plan. */
const MAX_ISSUES = 3;

/** The verdict in one word, at most three issues, and what follows. A failed review is none. @param round from 1 */
export function settlePlanReview(
  result: { readonly status: string; readonly parsed_json?: unknown },
  round: number,
): object {
  if (result.status === "running") return result;
  const envelope = recordOf(result.parsed_json);
  const data = recordOf(envelope["data"]);
  const issues = listOf(data["vulnerabilities"]).slice(0, MAX_ISSUES);
  const shown =
    issues.length === 0 ? {} : { parsed_json: { ...envelope, data: { ...data, vulnerabilities: issues } } };
  const verdict = conclusionOf(PLAN_REVIEWER, result.status, envelope)?.verdict ?? null;
  const isOkay = verdict === null ? null : verdict === "APPROVE";
  const word = isOkay === null ? NOT_REVIEWED : isOkay ? "OKAY" : "REJECT";
  const next = nextStep(isOkay, round);
  return { ...result, ...shown, plan_review: { round, of: PLAN_REVIEWS, verdict: word, next } };
}

function nextStep(isOkay: boolean | null, round: number): string {
  const ask = "plan_gaia request_approval with kind plan";
  if (isOkay === true) return `${ask}.`;
  const [again, last] =
    isOkay === null
      ? ["Let it", "Tell the user that nobody reviewed it"]
      : [
          "Revise the plan for these issues only, then let it",
          "Revise what you can, tell the user what is still disputed",
        ];
  return round < PLAN_REVIEWS
    ? `${again} be reviewed once more.`
    : `That was the last review. ${last}, then ${ask}.`;
}
