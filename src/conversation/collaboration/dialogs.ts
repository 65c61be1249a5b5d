import { excerpt } from "../../lib/text.ts";
import { REJECTED } from "../display/metadata-keys.ts";
import { type ApprovalRequest, approvalKindOf, nameOf } from "./approval-kinds.ts";
import type { EventOf } from "./events.ts";
import { approveWave, endApproval, reopen, reportInPassing } from "./gate.ts";
import { initialKnobs } from "./knobs.ts";
import {
  decide,
  rowNow,
  type CollaborationState,
  type DecisionRow,
  type Pending,
  type PendingPermission,
  type StateDraft,
} from "./state.ts";
import { openObjections, overrule, renderVerdict } from "./verdicts.ts";

const MAX_TEXT = 400;
const MAX_TITLE = 200;

/** A dialog opened. In front of one of the plugin's own approvals the user first sees what happened until now; a revision's own text names its files and proof. */
export function permissionAsked(draft: StateDraft, event: EventOf<"permission-asked">): void {
  const { requestId, sessionId, tool, approval = null } = event;
  remember(draft.state, { kind: "permission", requestId, sessionId, tool, approval, stale: false });
  if (approval !== null && approval.kind !== "revision") reportInPassing(draft, "milestone");
}

/** A dialog was answered. A yes needs its pending request, and an approval needs a human; a no always closes. */
export function permissionReplied(
  draft: StateDraft,
  { requestId, reply, by }: EventOf<"permission-replied">,
): void {
  const isNo = reply === "reject";
  const isAnswer = ({ approval }: PendingPermission): boolean => isNo || approval === null || by === "human";
  const request = take(draft.state, "permission", requestId, isAnswer);
  const approval = request?.approval ?? null;
  if (!isNo) {
    if (request !== undefined && approval !== null) allow(draft, request, approval);
    return;
  }
  if (by !== "human" || (approval !== null && approvalKindOf(approval).isBeside === true)) return;
  endApproval(draft, "you rejected a request");
  if (request !== undefined) reject(draft, request);
}

export function explainRejection(draft: StateDraft, reason: string, tool = "the request"): void {
  const { state, emit } = draft;
  const row = state.rejection ?? rejectionRow(state, `rejection:${state.rootSession}:${state.at}`, tool);
  state.rejection = null;
  const rationale = reason === "" ? {} : { rationale: excerpt(reason, MAX_TEXT) };
  emit({ type: "decision", row: { ...row, ...rationale } });
}

function allow(draft: StateDraft, request: PendingPermission, approval: ApprovalRequest): void {
  const { state, emit } = draft;
  const { overrulesUntil, workUnit, opens } = approval;
  const row = approvalRow(state, request, approval, "approved");
  if (overrulesUntil === undefined && approval.kind === "wave") {
    const { wave: id } = approval;
    if (request.stale) {
      const message = `The approval of wave ${id} came after its time and does not count; GAIA has to ask again.`;
      return emit({ type: "toast", variant: "warning", message });
    }
    approveWave(draft, { id, workUnit });
  }
  emit({ type: "decision", row });
  if (overrulesUntil !== undefined) overruleUntil(draft, workUnit, overrulesUntil);
  else if (opens !== undefined && approval.kind !== "wave" && state.knobs.mode === "supervised")
    state.opens = { ...opens, workUnit };
}

function overruleUntil(draft: StateDraft, workUnit: string, until: number): void {
  const { state, emit } = draft;
  const verdicts = openObjections(state.verdicts, workUnit).filter(({ at }) => at <= until);
  if (verdicts.length === 0) return;
  const who = [...new Set(verdicts.map(({ reviewer }) => reviewer))].join(" and ");
  const isUnseen = verdicts.every(({ verdict }) => verdict === null);
  const did = isUnseen ? `went on without the review of ${who}` : `overruled ${who}`;
  decide(draft, {
    key: `overruled:${state.rootSession}:${state.at}`,
    type: "approval",
    question: excerpt(`Does this hold the work up? ${verdicts.map(renderVerdict).join("; ")}`, MAX_TEXT),
    answer: "approved in the dialog",
    impact: "It is overruled and holds nothing up any more.",
  });
  emit(
    { type: "note", text: `You ${did}: it holds nothing up any more. A new review can object again.` },
    { type: "steer", text: `The user ${did}.` },
  );
  state.verdicts = overrule(state.verdicts, verdicts);
}

/** The host rejects a session's other open requests along with the one that the user rejected: one prompt is enough. */
function reject({ state, emit }: StateDraft, request: PendingPermission): void {
  const { approval, tool, requestId } = request;
  const row =
    approval === null
      ? rejectionRow(state, `rejection:${requestId}`, tool)
      : approvalRow(state, request, approval, "rejected");
  emit({ type: "decision", row });
  if (state.rejection !== null) return;
  state.rejection = row;
  const what = approval === null ? tool : nameOf(approval);
  emit({ type: "prefill", text: `Rejected ${what} because: ` });
}

function rejectionRow(state: CollaborationState, key: string, tool: string): DecisionRow {
  const impact = "The action did not happen; the agent adapts.";
  return rowNow(state, { key, type: "rejection", question: `May ${tool} run?`, answer: "rejected", impact });
}

function approvalRow(
  state: CollaborationState,
  { requestId }: PendingPermission,
  approval: ApprovalRequest,
  answer: "approved" | "rejected",
): DecisionRow {
  const { kind, opens, workUnit } = approval;
  const isWave = kind === "wave";
  const title = approval.title ? ` (${excerpt(approval.title, MAX_TITLE)})` : "";
  const wave = isWave ? "Its requests" : `Requests of its wave ${excerpt(opens?.wave ?? "", MAX_TITLE)}`;
  const go = isWave || opens !== undefined ? `${wave} are answered without asking.` : "It goes ahead.";
  return rowNow(state, {
    key: `${kind}:${requestId}`,
    ...(workUnit === "" ? {} : { workUnit }),
    type: isWave ? "wave_approval" : "approval",
    question: `Approve ${nameOf(approval)}${title}?`,
    answer,
    impact: answer === "approved" ? go : "It does not go ahead.",
  });
}

/** A question that was closed with none of its options. */
export const NO_ANSWER = "(no answer)";

export function questionAsked({ state }: StateDraft, event: EventOf<"question-asked">): void {
  const questions = event.questions.map((question) => excerpt(question, MAX_TEXT));
  remember(state, { kind: "question", requestId: event.requestId, questions });
}

export function questionAnswered(
  draft: StateDraft,
  { requestId, answers }: EventOf<"question-answered">,
): void {
  const { state } = draft;
  const request = take(state, "question", requestId);
  if (request === undefined) return;
  // How to go on with blocked work may be asked as well as told.
  if (state.pause?.reason === "blocked") reopen(state);
  for (const [index, question] of request.questions.entries())
    decide(draft, {
      key: `question:${requestId}:${index}`,
      type: "question",
      question,
      answer: excerpt((answers[index] ?? []).join(", "), MAX_TEXT) || NO_ANSWER,
      impact: "",
    });
}

export function questionDismissed({ state }: StateDraft, event: EventOf<"question-dismissed">): void {
  take(state, "question", event.requestId);
}

/** Closed without an answer, it is not asked again: the configuration counts, unless the user has turned knobs. */
export function handshakeClosed(
  { state, defaults }: StateDraft,
  { isAnswered }: EventOf<"handshake-closed">,
): void {
  state.handshake = "settled";
  const unasked = { ...defaults, startup: { ...defaults.startup, askAtTaskStart: false } };
  const isUntouched = JSON.stringify(state.knobs) === JSON.stringify(initialKnobs(defaults));
  if (!isAnswered && isUntouched) state.knobs = initialKnobs(unasked);
}

/** Open dialogs that are remembered; more at once means that their sessions died without a word. */
const MAX_PENDING = 64;

function remember(state: StateDraft["state"], request: Pending): void {
  state.pending = [...state.pending, request].slice(-MAX_PENDING);
}

/** The open dialog of this id, which is open no more; undefined when it was never asked, is answered, or this is no answer to it. */
function take<Kind extends Pending["kind"]>(
  state: StateDraft["state"],
  kind: Kind,
  requestId: string,
  isAnswered: (request: Extract<Pending, { kind: Kind }>) => boolean = () => true,
) {
  const found = state.pending.find(
    (known): known is Extract<Pending, { kind: Kind }> =>
      known.kind === kind && known.requestId === requestId,
  );
  if (found === undefined || !isAnswered(found)) return undefined;
  state.pending = state.pending.filter((known) => known !== found);
  return found;
}

/** The prompt that a rejection began, with what the user wrote behind it; null for any other. Pure. */
export function readRejected(text: string): { readonly what: string; readonly words: string } | null {
  const [begins = "", what] = REJECTED.exec(text.trim()) ?? [];
  return what === undefined ? null : { what, words: text.trim().slice(begins.length) };
}
