import { excerpt } from "../../lib/excerpt.ts";
import {
  rowNow,
  type CollaborationEffect,
  type DecisionRow,
  type Reduced,
  inOrder,
  outcome,
  type CollaborationState,
  type PendingPermission,
  type PendingQuestion,
} from "./state.ts";
import type { CollaborationEvent, ApprovalRequest } from "./events.ts";
import { reportInPassing, endApproval, approveWave, tooLate, applyKnobs, reopen } from "./gate.ts";
import { openObjections, overrule, renderVerdict, type StandingVerdict } from "./verdicts.ts";
import { REJECTED } from "../display/metadata-keys.ts";
import { initialKnobs, type CollaborationDefaults } from "./knobs.ts";
import { parseHandshakeAnswer, parseRampAnswer } from "../questions/handshake.ts";
import { KNOBS, type Profile } from "../../config/knobs.ts";

const MAX_TEXT = 400;

type Asked = Extract<CollaborationEvent, { type: "permission-asked" }>;
type Replied = Extract<CollaborationEvent, { type: "permission-replied" }>;

/** A dialog opened. In front of one of the plugin's own approvals the user first sees what happened until now. */
export function permissionAsked(state: CollaborationState, event: Asked): Reduced {
  const { requestId, sessionId, tool, approval = null } = event;
  const about = { requestId, sessionId, tool, approval };
  const registered = remember(state, { kind: "permission", ...about, stale: false });
  return approval === null ? outcome(registered) : reportInPassing(registered, "milestone");
}

/** A dialog was answered. A yes needs its pending request, and an approval needs a human; a no always closes. */
export function permissionReplied(state: CollaborationState, event: Replied): Reduced {
  const request = findOpen(state, "permission", event.requestId);
  const isApproval = request !== undefined && request.approval !== null;
  if (event.reply !== "reject") {
    if (request === undefined) return outcome(state, forged(event, "no such request is pending"));
    if (isApproval && event.by !== "human") return outcome(state, forged(event, "not answered by a human"));
    return allowed(forget(state, event.requestId), request);
  }
  const closed = request === undefined ? state : forget(state, event.requestId);
  // What the user does not want beside the work takes back nothing that they have allowed, and needs no reason.
  const kind = request?.approval?.kind;
  const isBeside = kind !== undefined && ["adopt", "pull-request", "candidate", "server"].includes(kind);
  if (event.by !== "human" || isBeside) return outcome(closed);
  return inOrder(
    closed,
    (now) => endApproval(now, "you rejected a request"),
    (now) => (request === undefined ? outcome(now) : rejected(now, request, event.reason ?? "")),
  );
}

export function explainRejection(state: CollaborationState, reason: string, tool = "the request"): Reduced {
  const row = state.rejection ?? rejectionRow(state, `rejection:${state.rootSession}:${state.at}`, tool);
  return outcome(
    { ...state, rejection: null },
    { type: "decision", row: { ...row, ...(reason === "" ? {} : { rationale: excerpt(reason, MAX_TEXT) }) } },
  );
}

function allowed(state: CollaborationState, request: PendingPermission): Reduced {
  const { approval } = request;
  if (approval === null) return outcome(state);
  const decision = { type: "decision" as const, row: approvalRow(state, request, approval, "approved") };
  const until = approval.overrulesUntil;
  if (until !== undefined) {
    const known = openObjections(state.verdicts, approval.workUnit).filter(({ at }) => at <= until);
    return inOrder(
      state,
      (now) => outcome(now, decision),
      (now) => overruled(now, known),
    );
  }
  if (approval.kind !== "wave") {
    const { opens, workUnit } = approval;
    const isFirst = opens !== undefined && state.knobs.mode === "supervised";
    return outcome(isFirst ? { ...state, opens: { ...opens, workUnit } } : state, decision);
  }
  const { wave: id, workUnit, title = "" } = approval;
  if (request.stale) return outcome(state, tooLate(id));
  return inOrder(
    state,
    (now) => approveWave(now, { id, workUnit, title }),
    (now) => outcome(now, decision),
  );
}

function overruled(state: CollaborationState, verdicts: readonly StandingVerdict[]): Reduced {
  if (verdicts.length === 0) return outcome(state);
  const row = rowNow(state, {
    key: `overruled:${state.rootSession}:${state.at}`,
    type: "approval",
    question: excerpt(`Does this hold the work up? ${verdicts.map(renderVerdict).join("; ")}`, MAX_TEXT),
    answer: "approved in the dialog",
    impact: "It is overruled and holds nothing up any more.",
  });
  const who = [...new Set(verdicts.map(({ reviewer }) => reviewer))].join(" and ");
  const isUnseen = verdicts.every(({ verdict }) => verdict === null);
  const did = isUnseen ? `went on without the review of ${who}` : `overruled ${who}`;
  const text = `You ${did}: it holds nothing up any more. A new review can object again.`;
  return outcome(
    { ...state, verdicts: overrule(state.verdicts, verdicts) },
    { type: "decision", row },
    { type: "note", text },
    { type: "steer", text: `The user ${did}.` },
  );
}

/** The host rejects a session's other open requests along with the one that the user rejected: one prompt is enough. */
function rejected(state: CollaborationState, request: PendingPermission, reason: string): Reduced {
  const { approval, tool, requestId } = request;
  const row =
    approval === null
      ? rejectionRow(state, `rejection:${requestId}`, tool)
      : approvalRow(state, request, approval, "rejected");
  if (reason !== "") return explainRejection({ ...state, rejection: row }, reason);
  if (state.rejection !== null) return outcome(state, { type: "decision", row });
  return outcome(
    { ...state, rejection: row },
    { type: "decision", row },
    { type: "prefill", text: `Rejected ${approval === null ? tool : nameOf(approval)} because: ` },
  );
}

function forged({ requestId, reply, by }: Replied, why: string): CollaborationEffect {
  return { type: "forged-approval", requestId, claim: `${reply} by ${by}: ${why}` };
}

function rejectionRow(state: CollaborationState, key: string, tool: string): DecisionRow {
  return rowNow(state, {
    key,
    type: "rejection",
    question: `May ${tool} run?`,
    answer: "rejected",
    impact: "The action did not happen; the agent adapts.",
  });
}

function nameOf(approval: ApprovalRequest): string {
  if (approval.kind === "adopt") return "the checks";
  return approval.kind === "wave"
    ? `wave ${excerpt(approval.wave, 60)}`
    : `the ${approval.kind.replaceAll("-", " ")}`;
}

function approvalRow(
  state: CollaborationState,
  request: PendingPermission,
  approval: ApprovalRequest,
  answer: "approved" | "rejected",
): DecisionRow {
  const isWave = approval.kind === "wave";
  if (approval.kind === "adopt")
    return rowNow(state, {
      key: `adopt:${request.requestId}`,
      type: "approval",
      question: `Adopt as checks: ${excerpt(approval.title ?? "", 200)}?`,
      answer,
      impact: "Work counts as done when they pass.",
    });
  const title = approval.title ? ` (${excerpt(approval.title, 80)})` : "";
  const wave = isWave ? "Its requests" : `Requests of its wave ${excerpt(approval.opens?.wave ?? "", 60)}`;
  const go =
    isWave || approval.opens !== undefined ? `${wave} are answered without asking.` : "It goes ahead.";
  return rowNow(state, {
    key: `${approval.kind}:${request.requestId}`,
    ...(approval.workUnit === "" ? {} : { workUnit: approval.workUnit }),
    type: isWave ? "wave_approval" : "approval",
    question: `Approve ${nameOf(approval)}${title}?`,
    answer,
    impact: answer === "approved" ? go : "It does not go ahead.",
  });
}

type QuestionAsked = Extract<CollaborationEvent, { type: "question-asked" }>;
type Answered = Extract<CollaborationEvent, { type: "question-answered" }>;

export function questionAsked(state: CollaborationState, event: QuestionAsked): Reduced {
  const { requestId } = event;
  const purpose = isDue(state, event.purpose) ? event.purpose : "other";
  const questions = event.questions.map((question) => excerpt(question, MAX_TEXT));
  const registered = remember(state, { kind: "question", requestId, purpose, questions });
  return outcome(purpose === "handshake" ? { ...registered, handshake: "asked" } : registered);
}

export function questionAnswered(state: CollaborationState, event: Answered): Reduced {
  const request = findOpen(state, "question", event.requestId);
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

/** Closed without an answer, a handshake is not asked again: the configuration counts, unless the user has turned knobs. */
export function questionDismissed(
  state: CollaborationState,
  requestId: string,
  defaults: CollaborationDefaults,
): Reduced {
  const request = findOpen(state, "question", requestId);
  if (request === undefined) return outcome(state);
  const open = forget(state, request.requestId);
  if (request.purpose !== "handshake") return outcome(open);
  const settled = { ...open, handshake: "settled" as const };
  const unasked = { ...defaults, startup: { ...defaults.startup, askAtTaskStart: false } };
  const isUntouched = JSON.stringify(open.knobs) === JSON.stringify(initialKnobs(defaults));
  return isUntouched ? outcome({ ...settled, knobs: initialKnobs(unasked) }) : outcome(settled);
}

function isDue(state: CollaborationState, purpose: QuestionAsked["purpose"]): boolean {
  if (purpose === "handshake") return state.handshake === "due";
  return purpose === "ramp" && state.knobs.profile === "pair_ramp" && state.ramp.asked;
}

function applyAnswer(
  state: CollaborationState,
  request: PendingQuestion,
  answers: Answered["answers"],
): Reduced {
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

function chosen(state: CollaborationState, profile: Profile): Reduced {
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
): Reduced {
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

type Pending = CollaborationState["pending"][number];

function remember(state: CollaborationState, request: Pending): CollaborationState {
  return { ...state, pending: [...state.pending, request].slice(-MAX_PENDING) };
}

function forget(state: CollaborationState, requestId: string): CollaborationState {
  return { ...state, pending: state.pending.filter((known) => known.requestId !== requestId) };
}

/** The open dialog of this id; undefined when it was never asked or is answered. */
function findOpen<Kind extends Pending["kind"]>(
  { pending }: CollaborationState,
  kind: Kind,
  requestId: string,
) {
  return pending.find(
    (known): known is Extract<Pending, { kind: Kind }> =>
      known.kind === kind && known.requestId === requestId,
  );
}

/** The prompt that a rejection began, with what the user wrote behind it; null for any other. Pure. */
export function readRejected(text: string): { readonly what: string; readonly words: string } | null {
  const [begins = "", what] = REJECTED.exec(text.trim()) ?? [];
  return what === undefined ? null : { what, words: text.trim().slice(begins.length) };
}
