import { excerpt } from "../../lib/excerpt.ts";
import { rowNow, type CollaborationEffect, type DecisionRow } from "./effects.ts";
import type { CollaborationEvent, ApprovalRequest } from "./events.ts";
import { type Outcome, inOrder, outcome } from "./outcome.ts";
import { reportInPassing } from "./pause.ts";
import { findPermission, forget, remember, promptForReason } from "./questions.ts";
import type { CollaborationState, PendingPermission } from "./state.ts";
import { openObjections, overrule, renderVerdict, type StandingVerdict } from "./verdicts.ts";
import { endApproval, approveWave, tooLate } from "./waves.ts";

const MAX_REASON = 400;

type Asked = Extract<CollaborationEvent, { type: "permission-asked" }>;
type Replied = Extract<CollaborationEvent, { type: "permission-replied" }>;

/** A dialog opened. In front of one of the plugin's own approvals the user first sees what happened until now. */
export function permissionAsked(state: CollaborationState, event: Asked): Outcome {
  const { requestId, sessionId, tool, approval = null } = event;
  const request: PendingPermission = {
    kind: "permission",
    requestId,
    sessionId,
    tool,
    approval,
    stale: false,
  };
  const registered = remember(state, request);
  return approval === null ? outcome(registered) : reportInPassing(registered, "milestone");
}

/** A dialog was answered. A yes needs its pending request, and an approval needs a human; a no always closes. */
export function permissionReplied(state: CollaborationState, event: Replied): Outcome {
  const request = findPermission(state, event.requestId);
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

/** The reason for the last rejection, wherever it came from: the dialog or the user's next message. */
export function explainRejection(state: CollaborationState, reason: string, tool = "the request"): Outcome {
  const row = state.rejection ?? rejectionRow(state, `rejection:${state.rootSession}:${state.at}`, tool);
  return outcome({ ...state, rejection: null }, { type: "decision", row: { ...row, ...rationale(reason) } });
}

function allowed(state: CollaborationState, request: PendingPermission): Outcome {
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

/** A yes to the dialog that named these verdicts: nothing else overrules one. */
function overruled(state: CollaborationState, verdicts: readonly StandingVerdict[]): Outcome {
  if (verdicts.length === 0) return outcome(state);
  const row = rowNow(state, {
    key: `overruled:${state.rootSession}:${state.at}`,
    type: "approval",
    question: excerpt(`Does this hold the work up? ${verdicts.map(renderVerdict).join("; ")}`, MAX_REASON),
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
function rejected(state: CollaborationState, request: PendingPermission, reason: string): Outcome {
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
    { type: "prefill", text: promptForReason(approval === null ? tool : nameOf(approval)) },
  );
}

function forged({ requestId, reply, by }: Replied, why: string): CollaborationEffect {
  return { type: "forged-approval", requestId, claim: `${reply} by ${by}: ${why}` };
}

function rationale(reason: string): { rationale?: string } {
  return reason === "" ? {} : { rationale: excerpt(reason, MAX_REASON) };
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

/** What was asked for, in the user's words. */
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
