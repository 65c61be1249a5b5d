import { excerpt } from "../../lib/excerpt.ts";
import { withNext } from "../../lib/sentence.ts";
import type { CollaborationDefaults } from "./defaults.ts";
import { type Outcome, inOrder, outcome } from "./outcome.ts";
import { pauseWork } from "./pause.ts";
import type { CollaborationState } from "./state.ts";
import { addChecks, addFiles, MAX_EVIDENCE } from "./batch.ts";
import { advanceClock, stopIfSpent } from "./budgets.ts";
import type { CollaborationEvent } from "./events.ts";
import { commandTyped } from "./knob-transitions.ts";
import { explainRejection, permissionAsked, permissionReplied } from "./permissions.ts";
import { questionAnswered, questionAsked, questionDismissed } from "./questions.ts";
import { goNext, userAborted, userTookBack, userWrote } from "./user-input.ts";
import { delegationFinished, delegationStarted, sessionEnded, toolFinished, turnEnded } from "./work.ts";
import { addVerdict, noteAnswer, noteFix } from "./verdicts.ts";
import { changeWorkUnit, waveCompleted, waveOpened } from "./waves.ts";

/**
 * The one owner of how GAIA and the user work together (SPEC 8): the next state, and what has to be done because of the
 * event. Never throws; after the root session has ended nothing happens any more.
 */
export function reduceCollaboration(
  state: CollaborationState,
  event: CollaborationEvent,
  defaults: CollaborationDefaults,
): Outcome {
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

/**
 * The pipeline ends: a reviewer said BLOCKED, rejected twice, or nothing moves (SPEC 12). It takes the place of any other
 * pause but the user's own stop, and is told once.
 */
function blockWork(
  state: CollaborationState,
  given: { readonly reason: string; readonly nextStep: string },
  defaults: CollaborationDefaults,
): Outcome {
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
