import { excerpt, withNext } from "../../lib/text.ts";
import {
  addChecks,
  addFact,
  addFiles,
  addReport,
  changedProject,
  EMPTY_BATCH,
  MAX_EVIDENCE,
} from "./batch.ts";
import { askDeeper, deeperThan, readFeedback } from "./checkin-packet.ts";
import {
  explainRejection,
  handshakeClosed,
  permissionAsked,
  permissionReplied,
  questionAnswered,
  questionAsked,
  questionDismissed,
  readRejected,
} from "./dialogs.ts";
import type { CollaborationEvent, ConversationEvent, EventOf } from "./events.ts";
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
  decide,
  hasApprovedWave,
  NOTHING_SPENT,
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
  const take = TRANSITIONS[event.type] as (draft: StateDraft, event: CollaborationEvent) => void;
  take({ state, defaults, emit: (...more) => void effects.push(...more) }, event);
  return { state, effects };
}

/** What each event does. */
const TRANSITIONS: {
  readonly [Type in ConversationEvent["type"]]: (draft: StateDraft, event: EventOf<Type>) => void;
} = {
  command(draft, { change }) {
    if (setsMode(change)) draft.state.handshake = "settled";
    turnKnobs(draft, change, "changed by you");
  },
  next: goNext,
  "user-message"(draft, { text }) {
    userWrote(draft, text);
    draft.state.verdicts = noteAnswer(draft.state.verdicts);
  },
  aborted(draft) {
    const { state } = draft;
    state.pending = [];
    state.pause ??= { reason: "abort", detail: "", sessionId: null };
    state.idle = true;
    endApproval(draft, "you stopped the run");
  },
  /** As if nothing had been allowed and done: no wave is open, nothing waits for an answer or a look. */
  "taken-back"({ state }) {
    if (state.pause?.reason !== "abort" && state.pause?.reason !== "budget") state.pause = null;
    Object.assign(state, { wave: null, opens: null, pending: [], rejection: null, batch: EMPTY_BATCH });
  },
  "permission-asked": permissionAsked,
  "permission-replied": permissionReplied,
  "rejection-explained"(draft, { reason }) {
    if (draft.state.rejection !== null) explainRejection(draft, reason);
  },
  "question-asked": questionAsked,
  "question-answered": questionAnswered,
  "question-dismissed": questionDismissed,
  "handshake-closed": handshakeClosed,
  "wave-opened"(draft, { wave: id, workUnit, planned }) {
    waveOpened(draft, { id, workUnit }, planned);
  },
  "wave-completed": waveCompleted,
  "work-unit-changed"(draft, { workUnit }) {
    changeWorkUnit(draft, workUnit);
  },
  "tool-finished": toolFinished,
  "files-changed"({ state }, { files }) {
    state.batch = addFiles(state.batch, files);
  },
  "delegation-started"({ state }, { sessionId }) {
    state.delegations = [...without(state, sessionId), { sessionId, changed: false }];
    state.idle = false;
  },
  "delegation-finished": delegationFinished,
  reviewed({ state }, { given }) {
    state.verdicts = addVerdict(state.verdicts, given, state.at);
  },
  "work-changed"({ state }, { workUnit }) {
    state.verdicts = noteFix(state.verdicts, workUnit);
  },
  "checks-ran"({ state }, { checks }) {
    state.batch = addChecks(state.batch, checks.lines);
  },
  "evidence-judged"({ state }, { line }) {
    state.batch = { ...state.batch, evidence: excerpt(line, MAX_EVIDENCE) };
  },
  blocked: blockWork,
  "turn-ended"(draft) {
    draft.state.idle = true;
    // Nothing more will come for a packet that is still due.
    showCheckin(draft);
  },
  "session-ended": sessionEnded,
  tick: stopIfSpent,
};

const MAX_TEXT = 400;

/** `/next`: work goes on from the pause. At a budget that is the user's leave to use it up once more. */
function goNext(draft: StateDraft): void {
  const { pause } = draft.state;
  if (pause !== null) return goOn(draft, () => isStopped(pause) && answerPause(draft, pause, "/next"));
  humanIsHere(draft.state);
  draft.emit({ type: "toast", variant: "info", message: "Nothing is waiting for /next." });
}

function userWrote(draft: StateDraft, text: string): void {
  const { state } = draft;
  const feedback = readFeedback(text);
  if (feedback === "next") return goNext(draft);
  const { pause } = state;
  const explanation = readRejected(text);
  // What is written while nothing waits for the user begins something.
  if (pause === null && state.idle && explanation === null) state.handshake = nextHandshake(state);
  const about = state.batch;
  goOn(draft, () => {
    if (explanation !== null) explainRejection(draft, explanation.words, explanation.what);
    else if (pause !== null) answerPause(draft, pause, text);
  });
  if (feedback !== "deeper") return;
  const reviewDepth = deeperThan(state.knobs.reviewDepth);
  state.knobs = { ...state.knobs, reviewDepth };
  draft.emit({ type: "steer", text: askDeeper(about, reviewDepth) });
}

/** A human's word ends a pause, once its packet is shown and `answer` is recorded. */
function goOn(draft: StateDraft, answer: () => unknown): void {
  humanIsHere(draft.state);
  showCheckin(draft);
  answer();
  reopen(draft.state);
  draft.state.rejection = null;
}

/** Within a unit the next one is asked for again, and between two the next message. */
function nextHandshake({ handshake, workUnit }: CollaborationState): CollaborationState["handshake"] {
  if (handshake === "spent") return "due";
  return handshake === "settled" && workUnit !== null ? "earlier" : handshake;
}

/** A human ends a row of failures. Outside a wave each message also begins the budgets again. */
function humanIsHere(state: StateDraft["state"]): void {
  state.idle = false;
  state.spent = state.wave === null ? NOTHING_SPENT : { ...state.spent, failures: 0 };
}

/** Whether the user's next word is their leave to go on, and not a remark. */
function isStopped({ reason }: Pause): boolean {
  return reason === "budget" || reason === "blocked";
}

/** What the user says to a check-in shapes the next delegation; to used up budgets and blocked work, it is their leave to go on. */
function answerPause(draft: StateDraft, pause: Pause, text: string): void {
  const { reason, detail } = pause;
  if (reason === "abort") return;
  const { state } = draft;
  const files = state.batch.files.map((file) => `${file.path} (+${file.added} −${file.removed})`).join(", ");
  const [question, impact] =
    reason === "blocked"
      ? [`BLOCKED: ${detail} How to go on?`, "The work goes on."]
      : reason === "budget"
        ? [`The budget is used up (${detail}). How to go on?`, "The budgets of the wave begin again."]
        : [`Check-in (${reason}): ${files || "no files"}`, "GAIA shapes the next delegation by it."];
  decide(draft, {
    key: `${isStopped(pause) ? reason : "pair_feedback"}:${state.rootSession}:${state.at}`,
    type: isStopped(pause) ? "approval" : "pair_feedback",
    question: excerpt(question, MAX_TEXT),
    answer: excerpt(text, MAX_TEXT),
    impact,
  });
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
  const { sessionId, mutating } = fact;
  const changed = changedProject(fact);
  if (changed)
    state.delegations = state.delegations.map((running) =>
      running.sessionId === sessionId ? { ...running, changed } : running,
    );
  state.idle &&= sessionId !== state.rootSession;
  state.batch = addFact(state.batch, fact);
  const { toolCalls, failures } = state.spent;
  state.spent = {
    ...state.spent,
    // Outside a wave reading is free; what can change something counts everywhere.
    toolCalls: toolCalls + Number(mutating || state.wave !== null),
    // A failed read is exploring, not failing.
    failures: !mutating ? failures : fact.failed ? failures + 1 : 0,
  };
  if (changed && paceOf(state.knobs) === "step") closeGate(draft, "step", sessionId);
  stopIfSpent(draft);
}

function without({ delegations }: CollaborationState, sessionId: string): CollaborationState["delegations"] {
  return delegations.filter((running) => running.sessionId !== sessionId);
}

function delegationFinished(
  draft: StateDraft,
  { sessionId, ok, report }: EventOf<"delegation-finished">,
): void {
  const { state } = draft;
  const finished = state.delegations.find((running) => running.sessionId === sessionId);
  state.delegations = without(state, sessionId);
  state.spent = { ...state.spent, failures: ok ? 0 : state.spent.failures + 1 };
  if (report !== undefined) state.batch = addReport(state.batch, report);
  if (finished?.changed && paceOf(state.knobs) === "batch") closeGate(draft, "batch", null);
  if (state.pause?.sessionId === sessionId) showCheckin(draft);
  stopIfSpent(draft);
}

/** A session is gone: a child takes its open requests with it, the root everything. */
function sessionEnded(draft: StateDraft, { sessionId }: EventOf<"session-ended">): void {
  const { state } = draft;
  if (sessionId === state.rootSession) {
    endApproval(draft, "the session ended");
    Object.assign(state, { ended: true, wave: null, pause: null, pending: [], delegations: [] });
    return;
  }
  state.delegations = without(state, sessionId);
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
