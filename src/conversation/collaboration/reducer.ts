import { excerpt, withNext } from "../../lib/text.ts";
import {
  addChecks,
  addFact,
  addFiles,
  addReport,
  changedProject,
  EMPTY_BATCH,
  isEmptyBatch,
  MAX_EVIDENCE,
} from "./batch.ts";
import { askDeeper, deeperThan, readFeedback } from "./checkin-packet.ts";
import {
  explainRejection,
  permissionAsked,
  permissionReplied,
  questionAnswered,
  questionAsked,
  questionDismissed,
  readRejected,
} from "./dialogs.ts";
import type { CollaborationEvent, EventOf } from "./events.ts";
import {
  changeWorkUnit,
  closeGate,
  endApproval,
  outdateWaves,
  pauseWork,
  reopen,
  showCheckin,
  turnKnobs,
  waveCompleted,
  waveOpened,
} from "./gate.ts";
import { type CollaborationDefaults, paceOf, setsMode } from "./knobs.ts";
import {
  hasApprovedWave,
  NOTHING_SPENT,
  rowNow,
  type CollaborationEffect,
  type CollaborationState,
  type StateDraft,
  type Pause,
} from "./state.ts";
import { addVerdict, noteAnswer, noteFix } from "./verdicts.ts";

/** The one owner of how GAIA and the user work together (SPEC 8). Never throws; after the root session has ended nothing happens. */
export function reduceCollaboration(
  before: CollaborationState,
  event: CollaborationEvent,
  defaults: CollaborationDefaults,
): { readonly state: CollaborationState; readonly effects: readonly CollaborationEffect[] } {
  const effects: CollaborationEffect[] = [];
  if (before.ended) return { state: before, effects };
  const state = { ...before };
  advanceClock(state, event);
  take({ state, defaults, emit: (...more) => void effects.push(...more) }, event);
  return { state, effects };
}

function take(draft: StateDraft, event: CollaborationEvent): void {
  const { state } = draft;
  switch (event.type) {
    case "command":
      if (setsMode(event.change)) state.handshake = "settled";
      return turnKnobs(draft, event.change, "changed by command");
    case "next":
      return goNext(draft);
    case "user-message":
      userWrote(draft, event.text);
      state.verdicts = noteAnswer(state.verdicts);
      return;
    case "aborted":
      state.pending = [];
      state.pause ??= { reason: "abort", detail: "", sessionId: null, checkinDue: false };
      state.idle = true;
      askAgain(state);
      return endApproval(draft, "you stopped the run");
    case "taken-back":
      return takeBack(draft);
    case "permission-asked":
      return permissionAsked(draft, event);
    case "permission-replied":
      return permissionReplied(draft, event);
    case "rejection-explained":
      if (state.rejection !== null) explainRejection(draft, event.reason);
      return;
    case "question-asked":
      return questionAsked(draft, event);
    case "question-answered":
      return questionAnswered(draft, event);
    case "question-dismissed":
      return questionDismissed(draft, event.requestId);
    case "wave-opened": {
      const { wave: id, workUnit, title = "", planned } = event;
      return waveOpened(draft, { id, workUnit, title }, planned);
    }
    case "wave-completed":
      return waveCompleted(draft, { id: event.wave, workUnit: event.workUnit });
    case "work-unit-changed":
      return changeWorkUnit(draft, event.workUnit);
    case "tool-finished":
      return toolFinished(draft, event);
    case "files-changed":
      state.batch = addFiles(state.batch, event.files);
      return;
    case "delegation-started": {
      const { sessionId, agent } = event;
      const others = state.delegations.filter((running) => running.sessionId !== sessionId);
      state.delegations = [...others, { sessionId, agent, changed: false }];
      state.idle = false;
      return;
    }
    case "delegation-finished":
      return delegationFinished(draft, event);
    case "reviewed":
      state.verdicts = addVerdict(state.verdicts, event.given, state.at);
      return;
    case "work-changed":
      state.verdicts = noteFix(state.verdicts, event.workUnit);
      return;
    case "checks-ran":
      state.batch = addChecks(state.batch, event.checks);
      return;
    case "evidence-judged":
      state.batch = { ...state.batch, evidence: excerpt(event.line, MAX_EVIDENCE) };
      return;
    case "blocked":
      return blockWork(draft, event);
    case "turn-ended":
      state.idle = true;
      // Nothing more will come for a packet that is still due.
      return showCheckin(draft);
    case "session-ended":
      return sessionEnded(draft, event.sessionId);
    case "tick":
      return stopIfSpent(draft);
  }
}

const MAX_TEXT = 400;

/** `/next`: work goes on from the pause. At a budget that is the user's leave to use it up once more. */
function goNext(draft: StateDraft): void {
  const { state } = draft;
  humanIsHere(state);
  const { pause } = state;
  if (pause === null)
    return draft.emit({ type: "toast", variant: "info", message: "Nothing is waiting for /next." });
  showCheckin(draft);
  reopen(state);
  state.rejection = null;
  if (pause.reason === "budget" || pause.reason === "blocked") answerPause(draft, pause, "/next");
}

function userWrote(draft: StateDraft, text: string): void {
  const { state } = draft;
  const feedback = readFeedback(text);
  if (feedback === "next") return goNext(draft);
  const explanation = readRejected(text);
  // What is written while nothing waits for the user begins something.
  if (state.pause === null && state.idle && explanation === null) state.handshake = nextHandshake(state);
  humanIsHere(state);
  showCheckin(draft);
  if (explanation !== null) explainRejection(draft, explanation.words, explanation.what);
  else if (state.pause !== null) answerPause(draft, state.pause, text);
  const about = isEmptyBatch(state.batch) ? state.lastBatch : state.batch;
  reopen(state);
  state.rejection = null;
  if (feedback !== "deeper") return;
  const reviewDepth = deeperThan(state.knobs.reviewDepth);
  state.knobs = { ...state.knobs, reviewDepth };
  draft.emit({ type: "steer", text: askDeeper(about, reviewDepth) });
}

/** Within a unit the next one is asked for again, and between two the next message. */
function nextHandshake({ handshake, workUnit }: CollaborationState): CollaborationState["handshake"] {
  if (handshake === "spent") return "due";
  return handshake === "settled" && workUnit !== null ? "earlier" : handshake;
}

/** A handshake whose answer will not come any more. */
function askAgain(state: StateDraft["state"]): void {
  if (state.handshake === "asked") state.handshake = "due";
}

/** What was allowed and done is as if it had not been: no wave is open, nothing waits for an answer, nothing is to be looked at. */
function takeBack({ state }: StateDraft): void {
  if (state.pause?.reason !== "abort" && state.pause?.reason !== "budget") state.pause = null;
  askAgain(state);
  Object.assign(state, { wave: null, opens: null, pending: [], rejection: null });
  Object.assign(state, { batch: EMPTY_BATCH, lastBatch: EMPTY_BATCH });
}

/** A human ends a row of failures. Outside a wave each message also begins the budgets again. */
function humanIsHere(state: StateDraft["state"]): void {
  state.idle = false;
  state.spent = state.wave === null ? NOTHING_SPENT : { ...state.spent, failures: 0 };
}

/** What the user says to a check-in shapes the next delegation; to used up budgets and blocked work, it is their leave to go on. */
function answerPause({ state, emit }: StateDraft, { reason, detail }: Pause, text: string): void {
  if (reason === "abort") return;
  const isGrant = reason === "budget" || reason === "blocked";
  const files = state.batch.files.map((file) => `${file.path} (+${file.added} −${file.removed})`).join(", ");
  const [question, impact] =
    reason === "blocked"
      ? [`BLOCKED: ${detail} How to go on?`, "The work goes on."]
      : reason === "budget"
        ? [`The budget is used up (${detail}). How to go on?`, "The budgets of the wave begin again."]
        : [`Check-in (${reason}): ${files || "no files"}`, "GAIA shapes the next delegation by it."];
  const row = rowNow(state, {
    key: `${isGrant ? reason : "pair_feedback"}:${state.rootSession}:${state.at}`,
    type: isGrant ? "approval" : "pair_feedback",
    question: excerpt(question, MAX_TEXT),
    answer: excerpt(text, MAX_TEXT),
    impact,
  });
  emit({ type: "decision", row });
}

const MAX_REASON = 500;
const MAX_NEXT_STEP = 300;

/** The pipeline ends: it takes the place of any other pause but the user's own stop, and is told once. */
function blockWork(draft: StateDraft, given: EventOf<"blocked">): void {
  const { pause, workUnit } = draft.state;
  if (pause?.reason === "blocked" || pause?.reason === "abort") return;
  const reason = excerpt(given.reason, MAX_REASON);
  const nextStep = excerpt(given.nextStep, MAX_NEXT_STEP);
  const detail = withNext(reason, nextStep);
  const record = [`- Reason: ${reason}`, `- Next: ${nextStep}`, "- Nothing changes until the user answers."];
  draft.emit(
    { type: "toast", variant: "error", message: `BLOCKED: ${detail}` },
    { type: "log", workUnit, title: "BLOCKED", markdown: record.join("\n") },
  );
  pauseWork(draft, { reason: "blocked", detail, sessionId: null });
}

function toolFinished(draft: StateDraft, { fact }: EventOf<"tool-finished">): void {
  const { state } = draft;
  const { sessionId } = fact;
  const changed = changedProject(fact);
  state.delegations = state.delegations.map((running) =>
    changed && running.sessionId === sessionId ? { ...running, changed } : running,
  );
  state.idle &&= sessionId !== state.rootSession;
  state.batch = addFact(state.batch, fact);
  const { spent } = state;
  // Outside a wave reading is free; what can change something counts everywhere. A failed read is exploring, not failing.
  const counts = fact.mutating || state.wave !== null;
  const failures = !fact.mutating ? spent.failures : fact.failed ? spent.failures + 1 : 0;
  state.spent = { ...spent, toolCalls: spent.toolCalls + Number(counts), failures };
  if (changed && paceOf(state.knobs) === "step") closeGate(draft, "step", sessionId);
  stopIfSpent(draft);
}

function delegationFinished(
  draft: StateDraft,
  { sessionId, ok, report }: EventOf<"delegation-finished">,
): void {
  const { state } = draft;
  const finished = state.delegations.find((running) => running.sessionId === sessionId);
  state.delegations = state.delegations.filter((running) => running !== finished);
  state.spent = { ...state.spent, failures: ok ? 0 : state.spent.failures + 1 };
  if (report !== undefined) state.batch = addReport(state.batch, report);
  if (finished?.changed && paceOf(state.knobs) === "batch") closeGate(draft, "batch", null);
  if (state.pause?.sessionId === sessionId) showCheckin(draft);
  stopIfSpent(draft);
}

/** A session is gone: a child takes its open requests with it, the root everything. */
function sessionEnded(draft: StateDraft, sessionId: string): void {
  const { state } = draft;
  if (sessionId === state.rootSession) {
    endApproval(draft, "the session ended");
    Object.assign(state, { ended: true, wave: null, pause: null, pending: [], delegations: [] });
    return;
  }
  state.delegations = state.delegations.filter((running) => running.sessionId !== sessionId);
  state.pending = state.pending.filter(
    (request) => request.kind !== "permission" || request.sessionId !== sessionId,
  );
}

const MINUTE_MS = 60_000;

/** How far each budget of the current wave is used (SPEC 8, "Autopilot budgets"). */
export function budgetUse(state: CollaborationState, defaults: CollaborationDefaults) {
  const { autopilotSafeguards: limits } = defaults;
  const { failures, toolCalls, activeMs } = state.spent;
  return [
    { which: "consecutive failures", value: failures, limit: limits.consecutiveFailureLimit },
    { which: "tool calls", value: toolCalls, limit: limits.maxToolCallsPerWave },
    { which: "minutes", value: activeMs / MINUTE_MS, limit: limits.maxWaveMinutes },
  ];
}

/** Counts the time since the last event as work, unless everyone was waiting for the user. */
function advanceClock(state: StateDraft["state"], event: CollaborationEvent): void {
  const passed = Math.max(0, event.at - state.at);
  const waited = state.pause !== null || state.idle || state.pending.length > 0;
  const worked = !waited || event.type === "tool-finished" || event.type === "delegation-finished";
  state.at += passed;
  if (worked) state.spent = { ...state.spent, activeMs: state.spent.activeMs + passed };
}

/** Closes the wave and stops the work when a budget of it is used up, then falls back as configured. */
function stopIfSpent(draft: StateDraft): void {
  const { state, defaults } = draft;
  const answersItself = state.knobs.mode === "autopilot" || hasApprovedWave(state);
  if (state.pause !== null || !answersItself) return;
  const reached = budgetUse(state, defaults).find(({ value, limit }) => value >= limit);
  if (reached === undefined) return;

  const { which, limit } = reached;
  const detail = `${Math.max(limit, Math.floor(reached.value))} of ${limit} ${which}`;
  outdateWaves(state, () => true);
  endApproval(draft, `a budget is used up (${detail})`);
  state.wave = null;
  const message = `GAIA stopped: ${detail}. /next grants as much again.`;
  draft.emit({ type: "toast", variant: "warning", message });
  if (defaults.autopilotSafeguards.onFailureLimit === "supervised_pause")
    turnKnobs(draft, { knob: "mode", value: "supervised" }, `budget used up: ${detail}`);
  const atWork = state.idle ? null : (state.delegations[0]?.sessionId ?? null);
  pauseWork(draft, { reason: "budget", detail, sessionId: atWork });
}
