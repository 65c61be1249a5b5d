import { knobEntry, KNOB_NAMES, type KnobSetting } from "../../config/knobs.ts";
import { EMPTY_BATCH, isEmptyBatch } from "./batch.ts";
import type { CheckinPacket } from "./checkin-packet.ts";
import type { ApprovalRequest, PlannedWave } from "./approval-kinds.ts";
import type { EventOf } from "./events.ts";
import { applyChange, paceOf, setsMode, type Pace } from "./knobs.ts";
import {
  decide,
  mayOpen,
  NOTHING_SPENT,
  type CollaborationState,
  type StateDraft,
  type Pause,
  type Wave,
} from "./state.ts";
import { isOpen, renderVerdict } from "./verdicts.ts";

const ASK_RAMP =
  'Instead, call question now with header "Pair ramp" (the plugin fills in the rest) and act on the answer.';

/** Closes the pair gate (SPEC 8). The packet waits for the specialist's contract when the change came from inside a delegation. */
export function closeGate(draft: StateDraft, reason: Pace, sessionId: string | null): void {
  const { state } = draft;
  if (state.pause !== null) return;
  if (state.knobs.profile === "pair_ramp") state.rampBatches += 1;
  pauseWork(draft, { reason, detail: "", sessionId });
}

export function pauseWork(draft: StateDraft, pause: Pause): void {
  draft.state.pause = pause;
  if (pause.sessionId === null) tellPause(draft, pause);
}

/** Shows the packet of the pause when it is still due. */
export function showCheckin(draft: StateDraft): void {
  const { pause } = draft.state;
  if (pause === null || pause.sessionId === null) return;
  draft.state.pause = { ...pause, sessionId: null };
  tellPause(draft, pause);
}

/** With pair_ramp's question at the end of the warm-up. */
function tellPause(draft: StateDraft, { reason, detail }: Pause): void {
  const { state, defaults } = draft;
  if (reason === "abort") return;
  emitPacket(draft, { reason, detail, pausing: true });
  const isWarm =
    state.knobs.profile === "pair_ramp" && state.rampBatches === defaults.startup.rampWarmupBatches;
  if (isWarm && isPace(reason)) draft.emit({ type: "steer", text: ASK_RAMP, isQuestion: true });
}

/** Reports what happened without stopping the work; nothing when nothing changed or failed, or a pause reports it anyway. */
export function reportInPassing(draft: StateDraft, reason: "wave" | "milestone"): void {
  const { state } = draft;
  if (state.pause !== null || isEmptyBatch(state.batch)) return;
  const { files, omittedFiles, commands } = state.batch;
  const isLoud = files.length + omittedFiles > 0 || commands.some(({ exitCode }) => (exitCode ?? 0) !== 0);
  if (isLoud) emitPacket(draft, { reason, detail: "", pausing: false });
  archiveBatch(state);
}

export function reopen(state: StateDraft["state"]): void {
  if (state.pause === null) return;
  state.pause = null;
  archiveBatch(state);
}

function archiveBatch(state: StateDraft["state"]): void {
  if (!isEmptyBatch(state.batch)) state.batch = EMPTY_BATCH;
}

function emitPacket(
  { state: { batch, knobs, verdicts, workUnit }, emit }: StateDraft,
  about: Pick<CheckinPacket, "reason" | "detail" | "pausing">,
): void {
  // In passing only what stands against the work; the final report has each of them.
  const reviews = verdicts
    .filter((each) => each.workUnit === (workUnit ?? "") && (about.pausing || isOpen(each)))
    .map(renderVerdict);
  emit({ type: "checkin", packet: { ...about, batch, reviewDepth: knobs.reviewDepth, reviews } });
}

function isPace(reason: Pause["reason"] | undefined): boolean {
  return reason === "step" || reason === "batch";
}

/** Why nothing is changed during a pause, in a few words. */
export function describePause({ reason, detail }: Pick<Pause, "reason" | "detail">): string {
  return {
    step: "check-in due",
    batch: "check-in due",
    budget: `budget used up (${detail}), check-in due`,
    abort: "the user stopped this run",
    blocked: `the work is BLOCKED (${detail})`,
  }[reason];
}

export function whyPaused(pause: Pause): string {
  return `${describePause(pause)}: return your contract now. Reading still works; changes are allowed again once the user answers.`;
}

type NewWave = Pick<Wave, "id" | "workUnit">;

/** A human allowed the wave. It counts only in supervised mode, the one in which there is something to allow. */
export function approveWave(draft: StateDraft, wave: NewWave): void {
  waveOpened(draft, wave);
  const { state } = draft;
  if (state.knobs.mode !== "supervised") return;
  state.wave = state.wave && { ...state.wave, approved: true };
  state.spent = NOTHING_SPENT;
}

/** A wave begins, without approval but for a human's to this wave or its plan. Failures go on counting, or waves would reset them. */
export function waveOpened(draft: StateDraft, wave: NewWave, planned?: PlannedWave): void {
  const { state } = draft;
  if (mayOpen(state, wave.workUnit, planned)) {
    state.opens = null;
    return approveWave(draft, wave);
  }
  if (isCurrent(state, wave)) return;
  changeWorkUnit(draft, wave.workUnit);
  endApproval(draft, `wave ${wave.id} began`);
  state.wave = { ...wave, approved: false };
  state.spent = { ...NOTHING_SPENT, failures: state.spent.failures };
}

/** A wave is complete: its approval ends. What stops the work is the next one's dialog. */
export function waveCompleted(draft: StateDraft, event: EventOf<"wave-completed">): void {
  const { wave, workUnit, isReported = false } = event;
  const { state } = draft;
  outdateWaves(state, (approval) => approval.wave === wave && approval.workUnit === workUnit);
  if (!isCurrent(state, { id: wave, workUnit })) return;
  state.wave = null;
  state.spent = { ...NOTHING_SPENT, failures: state.spent.failures };
  const { report, files } = state.batch;
  // The report names no risks.
  const isSafe = report.risk === "" && files.every(({ risk }) => risk === undefined);
  if (isReported && isSafe && state.pause === null) archiveBatch(state);
  else if (state.knobs.checkinCadence !== "milestone") reportInPassing(draft, "wave");
}

/** Work goes on in another unit, or in none. Approvals never cross that line; a new request gets a new handshake. */
export function changeWorkUnit(draft: StateDraft, workUnit: string | null): void {
  const { state } = draft;
  // A plan may be approved before its unit is turned to.
  const opens = state.opens?.workUnit === workUnit ? state.opens : null;
  if (state.workUnit !== workUnit) {
    outdateWaves(state, (approval) => approval.workUnit !== workUnit);
    endApproval(draft, "the work unit changed");
    state.handshake = handshakeAfter(state, workUnit);
    state.workUnit = workUnit;
    state.wave = null;
  }
  state.opens = opens;
}

function handshakeAfter(
  { handshake, workUnit: before }: CollaborationState,
  next: string | null,
): CollaborationState["handshake"] {
  if (before !== null && handshake === "earlier") return "due";
  if (handshake === "settled" && next === null) return "spent";
  return handshake === "spent" ? "settled" : handshake;
}

function isCurrent(state: CollaborationState, { id, workUnit }: NewWave): boolean {
  return state.wave?.id === id && state.wave.workUnit === workUnit;
}

/** Takes away the current wave's approval (SPEC 8), and that of one that a plan's yes would open. @param cause ends a sentence */
export function endApproval({ state, emit }: StateDraft, cause: string): void {
  state.opens = null;
  if (state.wave?.approved !== true) return;
  state.wave = { ...state.wave, approved: false };
  emit({ type: "note", text: `The approval of wave ${state.wave.id} ended: ${cause}. You are asked again.` });
}

/** Marks open approval dialogs of waves that were overtaken: a yes that comes after does not count any more. */
export function outdateWaves(
  state: StateDraft["state"],
  isOutdated: (approval: Extract<ApprovalRequest, { kind: "wave" }>) => boolean,
): void {
  state.pending = state.pending.map((request) => {
    if (request.kind !== "permission" || request.approval?.kind !== "wave") return request;
    return isOutdated(request.approval) ? { ...request, stale: true } : request;
  });
}

/**
 * Turns knobs and records it as a mode switch when anything changed. Whatever names a mode ends the wave's approval, even the
 * mode that is on. @param cause goes into the record
 */
export function turnKnobs(draft: StateDraft, change: KnobSetting, cause: string): void {
  const { state } = draft;
  const before = state.knobs;
  const knobs = applyChange(before, change);
  state.knobs = knobs;
  if (change.knob === "profile") Object.assign(state, { rampBatches: 0, isCadenceChosen: false });
  if (change.knob === "checkinCadence") state.isCadenceChosen = true;
  // A pace that the user has just taken away no longer holds the work up; a budget or an abort still does.
  if (isPace(state.pause?.reason) && paceOf(knobs) === null) reopen(state);
  const { name, meaning } = describeChange(change);
  const letsGo = knobs.mode === "autopilot" && before.mode !== "autopilot";
  draft.emit({
    type: "toast",
    variant: letsGo ? "warning" : "info",
    message: `GAIA ${name}: ${meaning}.${change.knob === "mode" ? "" : ` Mode: ${knobs.mode}.`}`,
  });
  if (setsMode(change)) {
    state.spent = NOTHING_SPENT;
    outdateWaves(state, () => true);
    endApproval(draft, "the mode was set");
  }
  const turned = KNOB_NAMES.filter((knob) => before[knob] !== knobs[knob]);
  if (turned.length === 0) return;
  decide(draft, {
    key: `mode_switch:${state.rootSession}:${state.at}:${name}`,
    type: "mode_switch",
    question: `Collaboration settings (${cause})`,
    answer: turned.map((knob) => `${knob}: ${knobs[knob]}`).join(", "),
    impact: meaning,
  });
}

/** A change by the command that turns it, and what it means. */
export function describeChange({ knob, value }: KnobSetting): {
  readonly name: string;
  readonly meaning: string;
} {
  const { command, values } = knobEntry(knob);
  const name = knob === "interaction" ? value : `${command?.name ?? knob} ${value}`;
  return { name, meaning: values[value]?.meaning ?? "" };
}
