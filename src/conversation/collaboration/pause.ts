import type { Pause, CollaborationState } from "./state.ts";
import { EMPTY_BATCH, isEmptyBatch } from "./batch.ts";
import type { CheckinPacket } from "./checkin-packet.ts";
import type { CollaborationDefaults } from "./defaults.ts";
import type { CollaborationEffect } from "./effects.ts";
import { type Outcome, outcome } from "./outcome.ts";
import type { Pace } from "./profiles.ts";
import { isOpen, renderVerdict } from "./verdicts.ts";

/**
 * Closes the pair gate after a mutable batch (SPEC 8, "Pair"). The packet waits for the specialist's contract when the
 * change came from inside a delegation. Does nothing while something else has stopped the work already.
 */
export function closeGate(
  state: CollaborationState,
  reason: Pace,
  sessionId: string | null,
  defaults: CollaborationDefaults,
): Outcome {
  if (state.pause !== null) return outcome(state);
  const isRamp = state.knobs.profile === "pair_ramp";
  const ramp = isRamp ? { ...state.ramp, batches: state.ramp.batches + 1 } : state.ramp;
  return pauseWork({ ...state, ramp }, { reason, detail: "", sessionId }, defaults);
}

/** Stops the work until the user writes, and shows the packet as soon as nobody can add to it. */
export function pauseWork(
  state: CollaborationState,
  pause: Omit<Pause, "checkinDue">,
  defaults: CollaborationDefaults,
): Outcome {
  const paused = { ...state, pause: { ...pause, checkinDue: true } };
  return pause.sessionId === null ? showCheckin(paused, defaults) : outcome(paused);
}

/** Shows the packet of the pause when it is still due, and with it pair_ramp's question once the warm-up is over. */
export function showCheckin(state: CollaborationState, defaults: CollaborationDefaults): Outcome {
  const { pause, ramp, knobs } = state;
  if (pause === null || !pause.checkinDue || pause.reason === "abort") return outcome(state);
  const { reason, detail } = pause;
  const shown = { ...state, pause: { ...pause, checkinDue: false } };
  const packet = packetOf(state, { reason, detail, pausing: true });
  const asksRamp =
    knobs.profile === "pair_ramp" && !ramp.asked && ramp.batches >= defaults.startup.rampWarmupBatches;
  return asksRamp
    ? outcome({ ...shown, ramp: { ...ramp, asked: true } }, packet, { type: "ask-ramp" })
    : outcome(shown, packet);
}

/** Reports what happened without stopping the work; nothing when nothing changed or failed, or a pause reports it anyway. */
export function reportInPassing(state: CollaborationState, reason: "wave" | "milestone"): Outcome {
  if (state.pause !== null || isEmptyBatch(state.batch)) return outcome(state);
  const { files, omittedFiles, commands } = state.batch;
  const isQuiet =
    files.length + omittedFiles === 0 && !commands.some(({ exitCode }) => (exitCode ?? 0) !== 0);
  if (isQuiet) return outcome(archiveBatch(state));
  return outcome(archiveBatch(state), packetOf(state, { reason, detail: "", pausing: false }));
}

/** Lets the work go on: the next batch begins. */
export function reopen(state: CollaborationState): CollaborationState {
  return state.pause === null ? state : { ...archiveBatch(state), pause: null };
}

function archiveBatch(state: CollaborationState): CollaborationState {
  if (isEmptyBatch(state.batch)) return state;
  return { ...state, lastBatch: state.batch, batch: EMPTY_BATCH };
}

function packetOf(
  { batch, knobs, verdicts, workUnit }: CollaborationState,
  about: Pick<CheckinPacket, "reason" | "detail" | "pausing">,
): CollaborationEffect {
  // In passing only what stands against the work; the final report has each of them.
  const said = verdicts.filter(
    (each) => each.workUnit === (workUnit ?? "") && (about.pausing || isOpen(each)),
  );
  const reviews = said.length === 0 ? {} : { reviews: said.map(renderVerdict) };
  return { type: "checkin", packet: { ...about, batch, reviewDepth: knobs.reviewDepth, ...reviews } };
}

/** Why nothing may change now and what the agent does instead; for the model. */
export function whyPaused(pause: Pause): string {
  const why = {
    step: "check-in due",
    batch: "check-in due",
    wave: "check-in due",
    budget: `budget used up (${pause.detail}), check-in due`,
    abort: "the user stopped this run",
    blocked: `the work is BLOCKED (${pause.detail})`,
  }[pause.reason];
  return `${why}: return your contract now. Reading still works; changes are allowed again once the user answers.`;
}
