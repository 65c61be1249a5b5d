import { excerpt } from "../../lib/excerpt.ts";
import { EMPTY_BATCH, isEmptyBatch } from "./batch.ts";
import { deeperThan, readFeedback, steerBy } from "./checkin-packet.ts";
import { explainRejection, readRejected } from "./dialogs.ts";
import { endApproval, reopen, showCheckin } from "./gate.ts";
import { NOTHING_SPENT, rowNow, type CollaborationState, type StateDraft, type Pause } from "./state.ts";

const MAX_TEXT = 400;

/** `/next`: work goes on from the pause. At a budget that is the user's leave to use it up once more. */
export function goNext(draft: StateDraft): void {
  const { state } = draft;
  humanIsHere(state);
  const { pause } = state;
  if (pause === null)
    return draft.emit({ type: "toast", variant: "info", message: "Nothing is waiting for /next." });
  showCheckin(draft);
  reopen(state);
  state.rejection = null;
  if (pause.reason === "budget" || pause.reason === "blocked") grant(draft, pause, "/next");
}

export function userWrote(draft: StateDraft, text: string): void {
  const { state } = draft;
  const feedback = readFeedback(text);
  if (feedback.kind === "next") return goNext(draft);
  const explanation = readRejected(text);
  // What is written while nothing waits for the user begins something.
  if (state.pause === null && state.idle && explanation === null) state.handshake = nextHandshake(state);
  humanIsHere(state);
  showCheckin(draft);
  if (explanation !== null) explainRejection(draft, explanation.words, explanation.what);
  else if (state.pause !== null) answerPause(draft, state.pause, text);
  const about = isEmptyBatch(state.batch) ? state.lastBatch : state.batch;
  const { reviewDepth: before } = state.knobs;
  const reviewDepth = feedback.kind === "deeper" ? deeperThan(before) : before;
  const steer = steerBy(feedback, about, reviewDepth);
  reopen(state);
  state.knobs = { ...state.knobs, reviewDepth };
  state.rejection = null;
  if (steer !== null) draft.emit({ type: "steer", text: steer });
}

/** Within a unit the next one is asked for again, and between two the next message. */
function nextHandshake({ handshake, workUnit }: CollaborationState): CollaborationState["handshake"] {
  if (handshake === "spent") return "due";
  return handshake === "settled" && workUnit !== null ? "earlier" : handshake;
}

export function userAborted(draft: StateDraft): void {
  const { state } = draft;
  state.pending = [];
  state.pause ??= { reason: "abort", detail: "", sessionId: null, checkinDue: false };
  if (state.handshake === "asked") state.handshake = "due";
  state.idle = true;
  endApproval(draft, "you stopped the run");
}

/** What was allowed and done is as if it had not been: no wave is open, nothing waits for an answer, nothing is to be looked at. */
export function userTookBack({ state }: StateDraft): void {
  if (state.pause?.reason !== "abort" && state.pause?.reason !== "budget") state.pause = null;
  if (state.handshake === "asked") state.handshake = "due";
  state.wave = null;
  state.opens = null;
  state.pending = [];
  state.rejection = null;
  state.batch = EMPTY_BATCH;
  state.lastBatch = EMPTY_BATCH;
}

/** A human ends a row of failures. Outside a wave each message also begins the budgets again. */
function humanIsHere(state: StateDraft["state"]): void {
  state.idle = false;
  state.spent = state.wave === null ? NOTHING_SPENT : { ...state.spent, failures: 0 };
}

function answerPause(draft: StateDraft, pause: Pause, text: string): void {
  const { state } = draft;
  if (pause.reason === "abort") return;
  if (pause.reason === "budget" || pause.reason === "blocked") return grant(draft, pause, text);
  const files = state.batch.files.map((file) => `${file.path} (+${file.added} −${file.removed})`).join(", ");
  const row = rowNow(state, {
    key: `pair_feedback:${state.rootSession}:${state.at}`,
    type: "pair_feedback",
    question: excerpt(`Check-in (${pause.reason}): ${files || "no files"}`, MAX_TEXT),
    answer: excerpt(text, MAX_TEXT),
    impact: "GAIA shapes the next delegation by it.",
  });
  draft.emit({ type: "decision", row });
}

function grant({ state, emit }: StateDraft, pause: Pause, answer: string): void {
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
  emit({ type: "decision", row });
}
