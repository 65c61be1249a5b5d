import { REJECTED } from "../display/metadata-keys.ts";
import type { CollaborationState, PendingPermission, PendingQuestion } from "./state.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { rowNow } from "./effects.ts";
import { initialKnobs, type CollaborationDefaults } from "./defaults.ts";
import type { CollaborationEvent } from "./events.ts";
import { parseHandshakeAnswer, parseRampAnswer } from "./handshake.ts";
import { KNOBS, type Profile } from "../../config/knobs.ts";
import { applyKnobs } from "./knob-transitions.ts";
import { type Outcome, inOrder, outcome } from "./outcome.ts";
import { reopen } from "./pause.ts";

const MAX_TEXT = 400;

type Asked = Extract<CollaborationEvent, { type: "question-asked" }>;
type Answered = Extract<CollaborationEvent, { type: "question-answered" }>;

/** A question is on the user's screen. One that claims to be a handshake or a ramp counts as such only when it is due. */
export function questionAsked(state: CollaborationState, event: Asked): Outcome {
  const { requestId } = event;
  const purpose = isDue(state, event.purpose) ? event.purpose : "other";
  const questions = event.questions.map((question) => excerpt(question, MAX_TEXT));
  const registered = remember(state, { kind: "question", requestId, purpose, questions });
  return outcome(purpose === "handshake" ? { ...registered, handshake: "asked" } : registered);
}

/** The user answered: settings follow for a handshake or a ramp, and the answers are recorded. */
export function questionAnswered(state: CollaborationState, event: Answered): Outcome {
  const request = findQuestion(state, event.requestId);
  if (request === undefined) {
    const claim = "an answer to no pending question";
    return outcome(state, { type: "forged-approval", requestId: event.requestId, claim });
  }
  return inOrder(
    forget(state, request.requestId),
    (now) => applyAnswer(now, request, event.answers),
    (now) => recordAnswers(now, request, event.answers),
  );
}

/**
 * The user closed a question without an answer. A handshake is not asked again: what the configuration says counts,
 * unless the user has turned knobs before.
 */
export function questionDismissed(
  state: CollaborationState,
  requestId: string,
  defaults: CollaborationDefaults,
): Outcome {
  const request = findQuestion(state, requestId);
  if (request === undefined) return outcome(state);
  const open = forget(state, request.requestId);
  if (request.purpose !== "handshake") return outcome(open);
  const settled = { ...open, handshake: "settled" as const };
  const unasked = { ...defaults, startup: { ...defaults.startup, askAtTaskStart: false } };
  const isUntouched = JSON.stringify(open.knobs) === JSON.stringify(initialKnobs(defaults));
  return isUntouched ? outcome({ ...settled, knobs: initialKnobs(unasked) }) : outcome(settled);
}

function isDue(state: CollaborationState, purpose: Asked["purpose"]): boolean {
  if (purpose === "handshake") return state.handshake === "due";
  return purpose === "ramp" && state.knobs.profile === "pair_ramp" && state.ramp.asked;
}

function applyAnswer(
  state: CollaborationState,
  request: PendingQuestion,
  answers: Answered["answers"],
): Outcome {
  if (request.purpose === "handshake") {
    const settled = { ...state, handshake: "settled" as const };
    const profile = parseHandshakeAnswer(answers);
    return profile === null ? outcome(settled, notUnderstood(state)) : chosen(settled, profile);
  }
  if (request.purpose !== "ramp" || state.knobs.profile !== "pair_ramp") {
    // How to go on with blocked work may be asked as well as told.
    return outcome(state.pause?.reason === "blocked" ? reopen(state) : state);
  }
  const answer = parseRampAnswer(answers);
  const goesOn = reopen(state);
  return answer === null || answer === "stay" ? outcome(goesOn) : chosen(goesOn, answer);
}

function chosen(state: CollaborationState, profile: Profile): Outcome {
  return inOrder(
    state,
    (now) => applyKnobs(now, { knob: "profile", value: profile }),
    (now) =>
      outcome(now, {
        type: "toast",
        variant: now.knobs.mode === "autopilot" ? "warning" : "info",
        message: `GAIA profile ${profile}: ${KNOBS.profile.values[profile].meaning}.`,
      }),
  );
}

function notUnderstood({ knobs }: CollaborationState) {
  return {
    type: "toast" as const,
    variant: "info" as const,
    message: `No profile in that answer; GAIA stays with ${knobs.profile}. /profile changes it.`,
  };
}

function recordAnswers(
  state: CollaborationState,
  request: PendingQuestion,
  answers: Answered["answers"],
): Outcome {
  const rows = request.questions.map((question, index) => {
    const answer = excerpt((answers[index] ?? []).join(", "), MAX_TEXT);
    return rowNow(state, {
      key: `question:${request.requestId}:${index}`,
      type: "question",
      question,
      answer: answer || "(no answer)",
      impact: request.purpose === "other" ? "" : `Profile ${state.knobs.profile}, mode ${state.knobs.mode}.`,
    });
  });
  return outcome(state, ...rows.map((row) => ({ type: "decision" as const, row })));
}

/** Open dialogs that are remembered; more at once means that their sessions died without a word. */
const MAX_PENDING = 64;

/** Registers an open dialog. */
export function remember(
  state: CollaborationState,
  request: PendingPermission | PendingQuestion,
): CollaborationState {
  return { ...state, pending: [...state.pending, request].slice(-MAX_PENDING) };
}

/** Takes a dialog off the list: it was answered, and a second answer counts for nothing. */
export function forget(state: CollaborationState, requestId: string): CollaborationState {
  return { ...state, pending: state.pending.filter((known) => known.requestId !== requestId) };
}

/** The open permission dialog of this id; undefined when it was never asked or is answered. */
export function findPermission(state: CollaborationState, requestId: string): PendingPermission | undefined {
  return state.pending.find(
    (known): known is PendingPermission => known.kind === "permission" && known.requestId === requestId,
  );
}

/** The open question of this id; undefined when it was never asked or is answered. */
function findQuestion(state: CollaborationState, requestId: string): PendingQuestion | undefined {
  return state.pending.find(
    (known): known is PendingQuestion => known.kind === "question" && known.requestId === requestId,
  );
}

/** What the prompt begins with after a rejection without a reason. @param what was asked for */
export function promptForReason(what: string): string {
  return `Rejected ${what} because: `;
}

/** The prompt that {@link promptForReason} began, with what the user wrote behind it; null for any other. Pure. */
export function readRejected(text: string): { readonly what: string; readonly words: string } | null {
  const [begins = "", what] = REJECTED.exec(text.trim()) ?? [];
  return what === undefined ? null : { what, words: text.trim().slice(begins.length) };
}
