import type { ApprovalRequest, PlannedWave } from "./events.ts";
import { type Outcome, outcome, inOrder } from "./outcome.ts";
import { type CollaborationState, hasApprovedWave, mayOpen, type Wave, NOTHING_SPENT } from "./state.ts";
import { excerpt } from "../../lib/excerpt.ts";
import type { CollaborationDefaults } from "./defaults.ts";
import type { CollaborationEffect } from "./effects.ts";
import { closeGate, reportInPassing } from "./pause.ts";
import { paceOf } from "./profiles.ts";

const MAX_TITLE = 120;

type NewWave = Pick<Wave, "id" | "workUnit" | "title">;

/** A human allowed the wave. It counts only in supervised mode, the one in which there is something to allow. */
export function approveWave(state: CollaborationState, wave: NewWave): Outcome {
  if (state.knobs.mode !== "supervised") return waveOpened(state, wave);
  return inOrder(
    state,
    (now) => waveOpened(now, wave),
    (now) => outcome({ ...now, wave: now.wave && { ...now.wave, approved: true }, spent: NOTHING_SPENT }),
  );
}

/**
 * A wave begins. That gives no approval; the one which a human gave to this very wave, or to the plan that begins with it, stays. The failures in a row go
 * on counting, or a model could outrun their limit by opening wave after wave.
 */
export function waveOpened(state: CollaborationState, wave: NewWave, planned?: PlannedWave): Outcome {
  if (mayOpen(state, wave.workUnit, planned)) return approveWave({ ...state, opens: null }, wave);
  if (isCurrent(state, wave)) return outcome(state);
  return inOrder(
    state,
    (now) => changeWorkUnit(now, wave.workUnit),
    (now) => endApproval(now, `wave ${wave.id} began`),
    (now) =>
      outcome({
        ...now,
        wave: { ...wave, title: excerpt(wave.title, MAX_TITLE), approved: false },
        spent: { ...NOTHING_SPENT, failures: now.spent.failures },
      }),
  );
}

/** A wave is complete: its approval ends and its check-in is due as the cadence says. */
export function waveCompleted(
  state: CollaborationState,
  wave: Pick<Wave, "id" | "workUnit">,
  defaults: CollaborationDefaults,
): Outcome {
  const current = outdateWaves(
    state,
    (approval) => approval.wave === wave.id && approval.workUnit === wave.workUnit,
  );
  if (!isCurrent(current, wave)) return outcome(current);
  const spent = { ...NOTHING_SPENT, failures: current.spent.failures };
  return inOrder(
    current,
    (now) => outcome({ ...now, wave: null, spent }),
    (now) => {
      if (paceOf(now.knobs) === "wave") return closeGate(now, "wave", null, defaults);
      return now.knobs.checkinCadence === "milestone" ? outcome(now) : reportInPassing(now, "wave");
    },
  );
}

/** Work goes on in another unit, or in none. Approvals never cross that line; a new request gets a new handshake. */
export function changeWorkUnit(given: CollaborationState, workUnit: string | null): Outcome {
  // A plan may be approved before its unit is turned to.
  const opens = given.opens?.workUnit === workUnit ? given.opens : null;
  const state = { ...given, opens };
  if (state.workUnit === workUnit) return outcome(state);
  const outdated = outdateWaves(state, (approval) => approval.workUnit !== workUnit);
  const handshake = handshakeAfter(state, workUnit);
  return inOrder(
    outdated,
    (now) => endApproval(now, "the work unit changed"),
    (now) => outcome({ ...now, workUnit, wave: null, opens, handshake }),
  );
}

function handshakeAfter(
  { handshake, workUnit: before }: CollaborationState,
  next: string | null,
): CollaborationState["handshake"] {
  if (before !== null && handshake === "earlier") return "due";
  if (handshake === "settled" && next === null) return "spent";
  return handshake === "spent" ? "settled" : handshake;
}

/** What is said when a yes came too late to count. */
export function tooLate(wave: string): CollaborationEffect {
  return {
    type: "toast",
    variant: "warning",
    message: `The approval of wave ${wave} came after its time and does not count; GAIA has to ask again.`,
  };
}

function isCurrent(state: CollaborationState, { id, workUnit }: Pick<Wave, "id" | "workUnit">): boolean {
  return state.wave?.id === id && state.wave.workUnit === workUnit;
}

/**
 * Takes the current wave's approval away (SPEC 8, "Waves"), and that of one that a plan's yes would open; the wave itself goes
 * on, and is asked for again.
 * @param cause why, as the end of a sentence: "the mode was set"
 */
export function endApproval(given: CollaborationState, cause: string): Outcome {
  const state = { ...given, opens: null };
  if (state.wave === null || !hasApprovedWave(state)) return outcome(state);
  return outcome(
    { ...state, wave: { ...state.wave, approved: false } },
    { type: "note", text: `The approval of wave ${state.wave.id} ended: ${cause}. You are asked again.` },
  );
}

/** Marks open approval dialogs of waves that were overtaken: a yes that comes after does not count any more. */
export function outdateWaves(
  state: CollaborationState,
  isOutdated: (approval: Extract<ApprovalRequest, { kind: "wave" }>) => boolean,
): CollaborationState {
  const pending = state.pending.map((request) => {
    if (request.kind !== "permission" || request.approval?.kind !== "wave") return request;
    return isOutdated(request.approval) ? { ...request, stale: true } : request;
  });
  return { ...state, pending };
}
