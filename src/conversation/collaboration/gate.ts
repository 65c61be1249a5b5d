import {
  type Pause,
  type CollaborationState,
  type CollaborationEffect,
  type Reduced,
  outcome,
  inOrder,
  hasApprovedWave,
  mayOpen,
  type Wave,
  NOTHING_SPENT,
  rowNow,
  type DecisionRow,
  RAMP_START,
} from "./state.ts";
import { EMPTY_BATCH, isEmptyBatch } from "./batch.ts";
import type { CheckinPacket } from "./checkin-packet.ts";
import {
  type CollaborationDefaults,
  type Pace,
  paceOf,
  type KnobChange,
  applyChange,
  setsMode,
} from "./knobs.ts";
import { isOpen, renderVerdict } from "./verdicts.ts";
import type { ApprovalRequest, PlannedWave } from "./events.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { knobEntry, KNOB_NAMES, type KnobName, type Knobs } from "../../config/knobs.ts";

const ASK_RAMP =
  'Instead, call question now with header "Pair ramp" (the plugin fills in the rest) and act on the answer.';

/** Closes the pair gate (SPEC 8). The packet waits for the specialist's contract when the change came from inside a delegation. */
export function closeGate(
  state: CollaborationState,
  reason: Pace,
  sessionId: string | null,
  defaults: CollaborationDefaults,
): Reduced {
  if (state.pause !== null) return outcome(state);
  const isRamp = state.knobs.profile === "pair_ramp";
  const ramp = isRamp ? { ...state.ramp, batches: state.ramp.batches + 1 } : state.ramp;
  return pauseWork({ ...state, ramp }, { reason, detail: "", sessionId }, defaults);
}

export function pauseWork(
  state: CollaborationState,
  pause: Omit<Pause, "checkinDue">,
  defaults: CollaborationDefaults,
): Reduced {
  const paused = { ...state, pause: { ...pause, checkinDue: true } };
  return pause.sessionId === null ? showCheckin(paused, defaults) : outcome(paused);
}

/** Shows the packet of the pause when it is still due, and with it pair_ramp's question once the warm-up is over. */
export function showCheckin(state: CollaborationState, defaults: CollaborationDefaults): Reduced {
  const { pause, ramp, knobs } = state;
  if (pause === null || !pause.checkinDue || pause.reason === "abort") return outcome(state);
  const { reason, detail } = pause;
  const shown = { ...state, pause: { ...pause, checkinDue: false } };
  const packet = packetOf(state, { reason, detail, pausing: true });
  const asksRamp =
    knobs.profile === "pair_ramp" && !ramp.asked && ramp.batches >= defaults.startup.rampWarmupBatches;
  return asksRamp
    ? outcome({ ...shown, ramp: { ...ramp, asked: true } }, packet, { type: "steer", text: ASK_RAMP })
    : outcome(shown, packet);
}

/** Reports what happened without stopping the work; nothing when nothing changed or failed, or a pause reports it anyway. */
export function reportInPassing(state: CollaborationState, reason: "wave" | "milestone"): Reduced {
  if (state.pause !== null || isEmptyBatch(state.batch)) return outcome(state);
  const { files, omittedFiles, commands } = state.batch;
  const isQuiet =
    files.length + omittedFiles === 0 && !commands.some(({ exitCode }) => (exitCode ?? 0) !== 0);
  if (isQuiet) return outcome(archiveBatch(state));
  return outcome(archiveBatch(state), packetOf(state, { reason, detail: "", pausing: false }));
}

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

const MAX_TITLE = 120;

type NewWave = Pick<Wave, "id" | "workUnit" | "title">;

/** A human allowed the wave. It counts only in supervised mode, the one in which there is something to allow. */
export function approveWave(state: CollaborationState, wave: NewWave): Reduced {
  if (state.knobs.mode !== "supervised") return waveOpened(state, wave);
  return inOrder(
    state,
    (now) => waveOpened(now, wave),
    (now) => outcome({ ...now, wave: now.wave && { ...now.wave, approved: true }, spent: NOTHING_SPENT }),
  );
}

/** A wave begins, without approval but for a human's to this wave or its plan. Failures go on counting, or waves would reset them. */
export function waveOpened(state: CollaborationState, wave: NewWave, planned?: PlannedWave): Reduced {
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
): Reduced {
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
export function changeWorkUnit(given: CollaborationState, workUnit: string | null): Reduced {
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

/** Takes away the current wave's approval (SPEC 8), and that of one that a plan's yes would open. @param cause ends a sentence */
export function endApproval(given: CollaborationState, cause: string): Reduced {
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

export function commandTyped(state: CollaborationState, change: KnobChange): Reduced {
  const handshake = setsMode(change) ? "settled" : state.handshake;
  return turnKnobs({ ...state, handshake }, change, "changed by command");
}

/** Turns knobs and records it as a mode switch when anything changed. @param cause goes into the record */
export function turnKnobs(state: CollaborationState, change: KnobChange, cause: string): Reduced {
  const before = state.knobs;
  return inOrder(
    state,
    (now) => applyKnobs(now, change),
    (now) => {
      const turned = differences(before, now.knobs);
      const toast = toastOf(change, before, now.knobs);
      if (turned.length === 0) return outcome(now, toast);
      return outcome(now, toast, { type: "decision", row: rowOf(now, change, turned, cause) });
    },
  );
}

/** Turns knobs without a word about it. Whatever names a mode ends the wave's approval, even the mode that is on. */
export function applyKnobs(state: CollaborationState, change: KnobChange): Reduced {
  const knobs = applyChange(state.knobs, change);
  const ramp = "knob" in change && change.knob === "profile" ? RAMP_START : state.ramp;
  const turned = liftPause({ ...state, knobs, ramp });
  if (!setsMode(change)) return outcome(turned);
  const fresh = { ...turned, spent: NOTHING_SPENT };
  return endApproval(
    outdateWaves(fresh, () => true),
    "the mode was set",
  );
}

/** A pace that the user has just taken away no longer holds the work up; a budget or an abort still does. */
function liftPause(state: CollaborationState): CollaborationState {
  const reason = state.pause?.reason;
  const isPace = reason === "step" || reason === "batch" || reason === "wave";
  return isPace && paceOf(state.knobs) === null ? reopen(state) : state;
}

function differences(before: Knobs, after: Knobs): KnobName[] {
  return KNOB_NAMES.filter((knob) => before[knob] !== after[knob]);
}

function nameOfChange(change: KnobChange): string {
  return "preset" in change ? change.preset : `${change.knob} ${change.value}`;
}

/** The same by the command that turns it, where that has another name than the key of the configuration. */
function shownName(change: KnobChange): string {
  if ("preset" in change) return nameOfChange(change);
  return `${knobEntry(change.knob).command?.name ?? change.knob} ${change.value}`;
}

export function meaningOf(change: KnobChange): string {
  const [knob, value] =
    "preset" in change ? (["interaction", change.preset] as const) : [change.knob, change.value];
  return knobEntry(knob).values[value]?.meaning ?? "";
}

function toastOf(change: KnobChange, before: Knobs, after: Knobs) {
  const isMode = "knob" in change && change.knob === "mode";
  const letsGo = after.mode === "autopilot" && before.mode !== "autopilot";
  return {
    type: "toast" as const,
    variant: letsGo ? ("warning" as const) : ("info" as const),
    message: `GAIA ${shownName(change)}: ${meaningOf(change)}.${isMode ? "" : ` Mode: ${after.mode}.`}`,
  };
}

function rowOf(
  state: CollaborationState,
  change: KnobChange,
  turned: readonly KnobName[],
  cause: string,
): DecisionRow {
  return rowNow(state, {
    key: `mode_switch:${state.rootSession}:${state.at}:${nameOfChange(change)}`,
    type: "mode_switch",
    question: `Collaboration settings (${cause})`,
    answer: turned.map((knob) => `${knob}: ${state.knobs[knob]}`).join(", "),
    impact: meaningOf(change),
  });
}
