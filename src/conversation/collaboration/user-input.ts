import { excerpt } from "../../lib/excerpt.ts";
import { EMPTY_BATCH, isEmptyBatch } from "./batch.ts";
import type { CollaborationDefaults } from "./knobs.ts";
import {
  rowNow,
  type CollaborationEffect,
  type Reduced,
  inOrder,
  outcome,
  type CollaborationState,
  type Pause,
  NOTHING_SPENT,
} from "./state.ts";
import { deeperThan, readFeedback, steerBy } from "./checkin-packet.ts";
import { reopen, showCheckin, endApproval } from "./gate.ts";
import { explainRejection, readRejected } from "./dialogs.ts";

const MAX_TEXT = 400;

/** `/next`: work goes on from the pause. At a budget that is the user's leave to use it up once more. */
export function goNext(state: CollaborationState, defaults: CollaborationDefaults): Reduced {
  const here = humanIsHere(state);
  const { pause } = here;
  if (pause === null) {
    return outcome(here, { type: "toast", variant: "info", message: "Nothing is waiting for /next." });
  }
  return inOrder(
    here,
    (now) => showCheckin(now, defaults),
    (now) =>
      outcome(
        { ...reopen(now), rejection: null },
        ...(pause.reason === "budget" || pause.reason === "blocked" ? [granted(now, pause, "/next")] : []),
      ),
  );
}

export function userWrote(state: CollaborationState, text: string, defaults: CollaborationDefaults): Reduced {
  const feedback = readFeedback(text);
  if (feedback.kind === "next") return goNext(state, defaults);
  const explanation = readRejected(text);
  // What is written while nothing waits for the user begins something.
  const isRequest = state.pause === null && state.idle && explanation === null;
  return inOrder(
    humanIsHere(isRequest ? { ...state, handshake: nextHandshake(state) } : state),
    (now) => showCheckin(now, defaults),
    (now) => {
      if (explanation !== null) return explainRejection(now, explanation.words, explanation.what);
      return now.pause === null ? outcome(now) : answerPause(now, now.pause, text);
    },
    (now) => {
      const about = isEmptyBatch(now.batch) ? now.lastBatch : now.batch;
      const { reviewDepth: before } = now.knobs;
      const reviewDepth = feedback.kind === "deeper" ? deeperThan(before) : before;
      const steer = steerBy(feedback, about, reviewDepth);
      const next = { ...reopen(now), knobs: { ...now.knobs, reviewDepth }, rejection: null };
      return steer === null ? outcome(next) : outcome(next, { type: "steer", text: steer });
    },
  );
}

/** Within a unit the next one is asked for again, and between two the next message. */
function nextHandshake({ handshake, workUnit }: CollaborationState): CollaborationState["handshake"] {
  if (handshake === "spent") return "due";
  return handshake === "settled" && workUnit !== null ? "earlier" : handshake;
}

export function userAborted(state: CollaborationState): Reduced {
  const pause: Pause = state.pause ?? { reason: "abort", detail: "", sessionId: null, checkinDue: false };
  const handshake = state.handshake === "asked" ? "due" : state.handshake;
  return endApproval({ ...state, pending: [], pause, handshake, idle: true }, "you stopped the run");
}

/** What was allowed and done is as if it had not been: no wave is open, nothing waits for an answer, nothing is to be looked at. */
export function userTookBack(state: CollaborationState): Reduced {
  const isStopped = state.pause?.reason === "abort" || state.pause?.reason === "budget";
  const handshake = state.handshake === "asked" ? "due" : state.handshake;
  const nothing = {
    wave: null,
    opens: null,
    pending: [],
    rejection: null,
    batch: EMPTY_BATCH,
    lastBatch: EMPTY_BATCH,
  };
  return outcome({ ...state, ...nothing, handshake, pause: isStopped ? state.pause : null });
}

/** A human ends a row of failures. Outside a wave each message also begins the budgets again. */
function humanIsHere(state: CollaborationState): CollaborationState {
  const spent = state.wave === null ? NOTHING_SPENT : { ...state.spent, failures: 0 };
  return { ...state, idle: false, spent };
}

function answerPause(state: CollaborationState, pause: Pause, text: string): Reduced {
  if (pause.reason === "abort") return outcome(state);
  if (pause.reason === "budget" || pause.reason === "blocked") {
    return outcome(state, granted(state, pause, text));
  }
  const files = state.batch.files.map((file) => `${file.path} (+${file.added} −${file.removed})`).join(", ");
  const row = rowNow(state, {
    key: `pair_feedback:${state.rootSession}:${state.at}`,
    type: "pair_feedback",
    question: excerpt(`Check-in (${pause.reason}): ${files || "no files"}`, MAX_TEXT),
    answer: excerpt(text, MAX_TEXT),
    impact: "GAIA shapes the next delegation by it.",
  });
  return outcome(state, { type: "decision", row });
}

function granted(state: CollaborationState, pause: Pause, answer: string): CollaborationEffect {
  const isBlocked = pause.reason === "blocked";
  const row = rowNow(state, {
    key: `${pause.reason}:${state.rootSession}:${state.at}`,
    type: "approval",
    question: isBlocked
      ? excerpt(`BLOCKED: ${pause.detail} How to go on?`, MAX_TEXT)
      : `The budget is used up (${pause.detail}). How to go on?`,
    answer: excerpt(answer, MAX_TEXT),
    impact: isBlocked ? "The work goes on." : "The budgets of the wave begin again.",
  });
  return { type: "decision", row };
}
