import { excerpt } from "../../lib/excerpt.ts";
import { withNext } from "../../lib/sentence.ts";
import { type CollaborationDefaults, paceOf } from "./knobs.ts";
import {
  type Reduced,
  inOrder,
  outcome,
  type CollaborationState,
  type BudgetName,
  hasApprovedWave,
} from "./state.ts";
import {
  pauseWork,
  commandTyped,
  changeWorkUnit,
  waveCompleted,
  waveOpened,
  closeGate,
  showCheckin,
  endApproval,
  turnKnobs,
  outdateWaves,
} from "./gate.ts";
import {
  addChecks,
  addFiles,
  MAX_EVIDENCE,
  addFact,
  addReport,
  changedProject,
  type ToolFact,
} from "./batch.ts";
import type { CollaborationEvent } from "./events.ts";
import {
  explainRejection,
  permissionAsked,
  permissionReplied,
  questionAnswered,
  questionAsked,
  questionDismissed,
} from "./dialogs.ts";
import { goNext, userAborted, userTookBack, userWrote } from "./user-input.ts";
import { addVerdict, noteAnswer, noteFix } from "./verdicts.ts";

/** The one owner of how GAIA and the user work together (SPEC 8). Never throws; after the root session has ended nothing happens. */
export function reduceCollaboration(
  state: CollaborationState,
  event: CollaborationEvent,
  defaults: CollaborationDefaults,
): Reduced {
  if (state.ended) return outcome(state);
  const now = advanceClock(state, event);
  switch (event.type) {
    case "command":
      return commandTyped(now, event.change);
    case "next":
      return goNext(now, defaults);
    case "user-message":
      return inOrder(
        now,
        (state) => userWrote(state, event.text, defaults),
        (state) => outcome({ ...state, verdicts: noteAnswer(state.verdicts) }),
      );
    case "aborted":
      return userAborted(now);
    case "taken-back":
      return userTookBack(now);
    case "permission-asked":
      return permissionAsked(now, event);
    case "permission-replied":
      return permissionReplied(now, event);
    case "rejection-explained":
      return now.rejection === null ? outcome(now) : explainRejection(now, event.reason);
    case "question-asked":
      return questionAsked(now, event);
    case "question-answered":
      return questionAnswered(now, event);
    case "question-dismissed":
      return questionDismissed(now, event.requestId, defaults);
    case "wave-opened":
      return waveOpened(
        now,
        { id: event.wave, workUnit: event.workUnit, title: event.title ?? "" },
        event.planned,
      );
    case "wave-completed":
      return waveCompleted(now, { id: event.wave, workUnit: event.workUnit }, defaults);
    case "work-unit-changed":
      return changeWorkUnit(now, event.workUnit);
    case "tool-finished":
      return toolFinished(now, event.fact, defaults);
    case "files-changed":
      return outcome({ ...now, batch: addFiles(now.batch, event.files) });
    case "delegation-started":
      return delegationStarted(now, event);
    case "delegation-finished":
      return delegationFinished(now, event, defaults);
    case "reviewed":
      return outcome({ ...now, verdicts: addVerdict(now.verdicts, event.given, now.at) });
    case "work-changed":
      return outcome({ ...now, verdicts: noteFix(now.verdicts, event.workUnit) });
    case "checks-ran":
      return outcome({ ...now, batch: addChecks(now.batch, event.checks) });
    case "evidence-judged":
      return outcome({ ...now, batch: { ...now.batch, evidence: excerpt(event.line, MAX_EVIDENCE) } });
    case "blocked":
      return blockWork(now, event, defaults);
    case "turn-ended":
      return turnEnded(now, defaults);
    case "session-ended":
      return sessionEnded(now, event.sessionId);
    case "tick":
      return stopIfSpent(now, defaults);
  }
}

const MAX_REASON = 500;
const MAX_NEXT_STEP = 300;

/** The pipeline ends: it takes the place of any other pause but the user's own stop, and is told once. */
function blockWork(
  state: CollaborationState,
  given: { readonly reason: string; readonly nextStep: string },
  defaults: CollaborationDefaults,
): Reduced {
  const held = state.pause?.reason;
  if (held === "blocked" || held === "abort") return outcome(state);
  const reason = excerpt(given.reason, MAX_REASON);
  const nextStep = excerpt(given.nextStep, MAX_NEXT_STEP);
  const detail = withNext(reason, nextStep);
  const record = [`- Reason: ${reason}`, `- Next: ${nextStep}`, "- Nothing changes until the user answers."];
  return inOrder(
    state,
    (now) =>
      outcome(
        now,
        { type: "toast", variant: "error", message: `BLOCKED: ${detail}` },
        { type: "log", workUnit: now.workUnit, title: "BLOCKED", markdown: record.join("\n") },
      ),
    (now) => pauseWork(now, { reason: "blocked", detail, sessionId: null }, defaults),
  );
}

type Started = Extract<CollaborationEvent, { type: "delegation-started" }>;
type Finished = Extract<CollaborationEvent, { type: "delegation-finished" }>;

function toolFinished(state: CollaborationState, fact: ToolFact, defaults: CollaborationDefaults): Reduced {
  const { sessionId } = fact;
  const changed = changedProject(fact);
  const delegations = state.delegations.map((running) =>
    changed && running.sessionId === sessionId ? { ...running, changed } : running,
  );
  const idle = state.idle && sessionId !== state.rootSession;
  const counted = countTool({ ...state, idle, delegations, batch: addFact(state.batch, fact) }, fact);
  return inOrder(
    counted,
    (now) =>
      changed && paceOf(now.knobs) === "step" ? closeGate(now, "step", sessionId, defaults) : outcome(now),
    (now) => stopIfSpent(now, defaults),
  );
}

function delegationStarted(state: CollaborationState, { sessionId, agent }: Started): Reduced {
  const others = state.delegations.filter((running) => running.sessionId !== sessionId);
  return outcome({
    ...state,
    idle: false,
    delegations: [...others, { sessionId, agent, changed: false }],
  });
}

function delegationFinished(
  state: CollaborationState,
  { sessionId, ok, report }: Finished,
  defaults: CollaborationDefaults,
): Reduced {
  const finished = state.delegations.find((running) => running.sessionId === sessionId);
  const delegations = state.delegations.filter((running) => running !== finished);
  const failures = ok ? 0 : state.spent.failures + 1;
  const batch = report === undefined ? state.batch : addReport(state.batch, report);
  return inOrder(
    { ...state, delegations, batch, spent: { ...state.spent, failures } },
    (now) =>
      finished?.changed && paceOf(now.knobs) === "batch"
        ? closeGate(now, "batch", null, defaults)
        : outcome(now),
    (now) => (now.pause?.sessionId === sessionId ? showCheckin(now, defaults) : outcome(now)),
    (now) => stopIfSpent(now, defaults),
  );
}

/** The root's turn is over: nothing more will come for a packet that is still due. */
function turnEnded(state: CollaborationState, defaults: CollaborationDefaults): Reduced {
  return showCheckin({ ...state, idle: true }, defaults);
}

/** A session is gone: a child takes its open requests with it, the root everything. */
function sessionEnded(state: CollaborationState, sessionId: string): Reduced {
  if (sessionId === state.rootSession) {
    return inOrder(
      state,
      (now) => endApproval(now, "the session ended"),
      (now) => outcome({ ...now, ended: true, wave: null, pause: null, pending: [], delegations: [] }),
    );
  }
  const delegations = state.delegations.filter((running) => running.sessionId !== sessionId);
  const pending = state.pending.filter(
    (request) => request.kind !== "permission" || request.sessionId !== sessionId,
  );
  return outcome({ ...state, delegations, pending });
}

const MINUTE_MS = 60_000;

interface BudgetUse {
  readonly which: BudgetName;
  readonly value: number;
  readonly limit: number;
}

/** How far each budget of the current wave is used (SPEC 8, "Autopilot budgets"). */
export function budgetUse(state: CollaborationState, defaults: CollaborationDefaults): BudgetUse[] {
  const { autopilotSafeguards: limits } = defaults;
  const { failures, toolCalls, activeMs } = state.spent;
  return [
    { which: "consecutive failures", value: failures, limit: limits.consecutiveFailureLimit },
    { which: "tool calls", value: toolCalls, limit: limits.maxToolCallsPerWave },
    { which: "minutes", value: activeMs / MINUTE_MS, limit: limits.maxWaveMinutes },
  ];
}

/** Counts the time since the last event as work, unless everyone was waiting for the user. */
function advanceClock(state: CollaborationState, event: CollaborationEvent): CollaborationState {
  const { spent } = state;
  const passed = Math.max(0, event.at - state.at);
  const waited = state.pause !== null || state.idle || state.pending.length > 0;
  const worked = !waited || event.type === "tool-finished" || event.type === "delegation-finished";
  return {
    ...state,
    at: state.at + passed,
    spent: { ...spent, activeMs: spent.activeMs + (worked ? passed : 0) },
  };
}

/** Outside a wave reading is free; what can change something counts everywhere. A failed read is exploring, not failing. */
function countTool(state: CollaborationState, fact: ToolFact): CollaborationState {
  const { spent } = state;
  const counts = fact.mutating || state.wave !== null;
  const failures = fact.failed ? spent.failures + 1 : 0;
  return {
    ...state,
    spent: {
      ...spent,
      toolCalls: spent.toolCalls + (counts ? 1 : 0),
      failures: fact.mutating ? failures : spent.failures,
    },
  };
}

/** Closes the wave and stops the work when a budget of it is used up, then falls back as configured. */
function stopIfSpent(state: CollaborationState, defaults: CollaborationDefaults): Reduced {
  const answersItself = state.knobs.mode === "autopilot" || hasApprovedWave(state);
  if (state.pause !== null || !answersItself) return outcome(state);
  const reached = budgetUse(state, defaults).find(({ value, limit }) => value >= limit);
  if (reached === undefined) return outcome(state);

  const { which, limit } = reached;
  const value = Math.max(limit, Math.floor(reached.value));
  const fallback = defaults.autopilotSafeguards.onFailureLimit;
  const detail = `${value} of ${limit} ${which}`;
  return inOrder(
    outdateWaves(state, () => true),
    (now) => endApproval(now, `a budget is used up (${detail})`),
    (now) =>
      outcome(
        { ...now, wave: null },
        {
          type: "toast",
          variant: "warning",
          message: `GAIA stopped: ${detail}. /next grants as much again.`,
        },
      ),
    (now) =>
      fallback === "supervised_pause"
        ? turnKnobs(now, { knob: "mode", value: "supervised" }, `budget used up: ${detail}`)
        : outcome(now),
    (now) => pauseWork(now, { reason: "budget", detail, sessionId: anyAtWork(now) }, defaults),
  );
}

function anyAtWork(state: CollaborationState): string | null {
  return state.idle ? null : (state.delegations[0]?.sessionId ?? null);
}
