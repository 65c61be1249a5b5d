import { refuse, type Decision, type Refusal } from "../../lib/refusal.ts";
import type { Knobs } from "../../config/knobs.ts";
import type { Pause } from "../collaboration/state.ts";
import { PLAN_REVIEWER, PLAN_REVIEWS, refuseBeginning, type PlanFacts, type Stage } from "./stage.ts";

/** What is true when GAIA wants to give work to a specialist. */
export interface DelegationFacts {
  readonly agent: string;
  /** Whether the specialist changes files. */
  readonly mutates: boolean;
  /** Those who change none. */
  readonly readers: readonly string[];
  readonly stage: Stage | null;
  /** The plan of the unit that the work belongs to; null when there is none. */
  readonly plan: PlanFacts | null;
  readonly mode: Knobs["mode"];
  readonly pause: Pick<Pause, "reason" | "detail"> | null;
  /** The configuration wants a wave, the conversation is about a work unit, and the call names no wave. */
  readonly lacksWave: boolean;
}

/** Whether a delegation may begin (SPEC 8, 12). It must not depend on a model; readers stay available nearly always. */
export function decideDelegation(facts: DelegationFacts): Decision {
  const refusal = facts.mutates ? refuseEditor(facts) : refuseReader(facts);
  return refusal ?? { kind: "allowed" };
}

/** Why a specialist that the configuration disables cannot be called at all. */
export function refuseDisabled(agent: string, roster: readonly string[]): Refusal {
  return refuse(
    `${agent} is disabled in the config.`,
    `Use another agent of the roster, or tell the user which one is missing. Roster: ${roster.join(", ")}`,
  );
}

function refuseReader({ agent, stage }: DelegationFacts): Refusal | null {
  if (agent !== PLAN_REVIEWER || stage?.kind !== "planning" || stage.reviews < PLAN_REVIEWS) return null;
  return refuse(
    `Refused: ${PLAN_REVIEWER} has reviewed this plan ${PLAN_REVIEWS} times.`,
    "Tell the user what is still disputed and call plan_gaia request_approval with kind plan.",
  );
}

function refuseEditor({
  agent,
  readers,
  stage,
  plan,
  mode,
  pause,
  lacksWave,
}: DelegationFacts): Refusal | null {
  const early = refuseBeginning(stage, plan, mode);
  if (early !== null) return early;
  if (mode === "locked") {
    return refuse(
      `Refused delegate_gaia: ${agent} changes files and the session is locked.`,
      `Read-only specialists work: ${readers.join(", ")}. The user unlocks with /supervised or /autopilot.`,
    );
  }
  if (pause !== null) return refusePaused(pause);
  // A change that belongs to no wave cannot be covered by the user's approval of one. Without a work unit, for a quick
  // fix, every action is asked for by itself.
  if (mode !== "supervised" || !lacksWave) return null;
  return refuse(
    "In supervised mode a delegation that changes files names its wave, and this one names none.",
    "plan_gaia open_wave first, then pass that wave_id.",
  );
}

function refusePaused({ reason, detail }: NonNullable<DelegationFacts["pause"]>): Refusal {
  if (reason === "blocked") {
    return refuse(
      `Refused delegate_gaia: the work is BLOCKED: ${detail}`,
      "Tell the user the reason and the next step and end your turn; their answer opens it again. Delegations to read-only specialists still work.",
    );
  }
  const why = reason === "abort" ? "the user stopped this run" : "check-in due";
  return refuse(
    `Refused delegate_gaia: ${why}.`,
    "End your turn now. The user answers with /next or feedback; delegations to read-only specialists still work.",
  );
}
