import { TASK_SYNTAX } from "../task.ts";
import { excerpt } from "../../lib/text.ts";
import { refuse, type Refusal } from "../../lib/error.ts";
import { findPlanProblems, type PlanSurroundings } from "../problems.ts";
import type { PlanArgs } from "./args.ts";
import type { WorkRules } from "../../conversation/collaboration/knobs.ts";
import type { StandingVerdict } from "../../conversation/collaboration/verdicts.ts";
import {
  PLAN_REVIEWER,
  refuseBeginning,
  type PlanFacts,
  type Stage,
} from "../../conversation/planning/stage.ts";

const MAX_PROBLEMS = 2_000;
/** What a model does about a plan with problems: all of them at once. */
const CORRECT = `Correct all of it in one update_plan, then ask again. ${TASK_SYNTAX}`;

export interface ApprovalFacts {
  readonly op: PlanArgs["op"];
  readonly kind?: string | undefined;
  readonly status?: string | undefined;
  /** Whether GAIA itself asks; of the specialists only the historian has this tool. */
  readonly isGaia: boolean;
  /** Whether a specialist of GAIA's asks, for whom the units are not to make, to choose or to close. */
  readonly isSpecialist?: boolean;
  readonly stage: Stage | null;
  /** Of the conversation in which it is called; null outside of any. */
  readonly state: WorkRules | null;
  readonly plan: (PlanFacts & { readonly plan_md: string; readonly refused: boolean }) | null;
  readonly around?: Omit<PlanSurroundings, "agents" | "isStrict">;
  /** Someone else than this conversation wrote the plan as it reads: what it leaves open is shown to the user, who decides. */
  readonly isByHand?: boolean;
  readonly specialists: ReadonlyMap<string, { readonly mutates: boolean }>;
  /** What a reviewer said against the unit's work, and nobody has settled; null for nothing. */
  readonly objection?: Pick<StandingVerdict, "reviewer" | "verdict" | "reason"> | null;
}

export function refuseBlocked({ state }: Pick<ApprovalFacts, "state">, hint: string): Refusal | null {
  const pause = state?.pause;
  return pause?.reason === "blocked" ? refuse(`The work is BLOCKED: ${pause.detail}`, hint) : null;
}

/** What a reviewer rejected is closed when it was fixed and looked at again, or the user overrules it (SPEC 12). */
export function refuseObjected({ objection }: Pick<ApprovalFacts, "objection">): Refusal | null {
  if (objection === null || objection === undefined) return null;
  const { reviewer, verdict, reason } = objection;
  const why = reason === "" ? "." : `: ${reason}`;
  if (verdict === null)
    return refuse(
      `Refused: not reviewed by ${reviewer}${why}`,
      `Have it reviewed again. Only the user goes on without: plan_gaia request_approval with kind verification asks.`,
    );
  return refuse(
    `Refused: the ${verdict} of ${reviewer} stands${why}`,
    `Have it fixed, then have ${reviewer} look again. Only the user overrules it: plan_gaia request_approval with kind verification asks.`,
  );
}

export function refuseStatus(facts: ApprovalFacts): Refusal | null {
  const { status, stage, state } = facts;
  if (status === "approved" && state?.knobs.mode === "supervised") {
    return refuse("Only the user approves a plan.", "request_approval with kind: plan asks.");
  }
  if (status === "complete")
    return refuse(
      "A unit is complete once it is archived.",
      "archive_work_unit proves what is open, and asks the user about the rest.",
    );
  return status === "in-progress" && stage?.kind === "planning" ? refuseBeginning(stage, null, state) : null;
}

/** What is wrong with a plan in this conversation; the user is shown what nobody is held to. */
export function judgePlan(
  facts: Pick<ApprovalFacts, "stage" | "plan" | "specialists" | "around" | "isByHand">,
): {
  readonly refused: readonly string[];
  readonly shown: readonly string[];
} {
  const { stage, plan, specialists: agents, around, isByHand = false } = facts;
  const isStrict = stage?.kind === "planning";
  const { faults, gaps } = findPlanProblems(plan?.plan_md ?? "", { ...around, agents, isStrict });
  return isByHand ? { refused: faults, shown: gaps } : { refused: [...faults, ...gaps], shown: [] };
}

export function refuseRequest(facts: ApprovalFacts): Refusal | null {
  const { kind, stage, plan, specialists, state } = facts;
  if (kind !== "plan" || plan === null) return null;
  const isPlanning = stage?.kind === "planning";
  const isEmpty = plan.tasks.length === 0;
  if (isEmpty && !isPlanning) {
    const who = `Agents: ${[...specialists.keys()].join(", ")}.`;
    return refuse(
      "Refused: the plan holds no task, so there is nothing to approve.",
      `${TASK_SYNTAX} ${who}`,
    );
  }
  const { refused: held, shown } = judgePlan(facts);
  // A plan without a task is nobody's to approve.
  const refused = isEmpty ? [...held, ...shown] : held;
  if (refused.length > 0) {
    return refuse(
      `Refused: the plan is not complete (${excerpt(refused.join("; "), MAX_PROBLEMS)}).`,
      CORRECT,
    );
  }
  // In autopilot nobody would be asked, and to this text the user has said no.
  if (plan.refused && state?.knobs.mode === "autopilot") {
    return refuse("Refused: the user said no to this plan as it reads.", "Change it as they wish first.");
  }
  // What the user has seen and refused may be put to them again as it reads.
  if (!isPlanning || stage.reviews > 0 || plan.refused || !specialists.has(PLAN_REVIEWER)) return null;
  return refuse(`Refused: ${PLAN_REVIEWER} has not reviewed the plan yet.`);
}
