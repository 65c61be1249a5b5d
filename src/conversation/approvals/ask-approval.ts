import { type ApprovalRequest, PERMISSION } from "../collaboration/events.ts";
import { hasApprovedWave } from "../collaboration/state.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { plainText } from "../../lib/plain-text.ts";
import { refuse, type Refusal } from "../../lib/refusal.ts";
import type { ToolCall } from "../../host/port.ts";
import type { Dialogs } from "./dialogs.ts";
import type { Conversation } from "../conversation.ts";

const MAX_NAME = 100;
const MAX_COVERS = 260;
const MAX_REVIEWS = 300;
/** That something counts without a proof is never said in advance; how the user says it where nobody is asked. */
const WITHOUT_PROOF: Partial<Record<ApprovalRequest["kind"], string>> = {
  complete: "Leave it open and say what is not proven; the user closes it with /gaia-unify.",
  checks: "Undo the change of the check, or tell the user: /gaia-check accept lets it count.",
};

const STOPPED = "The user stopped it before they had answered.";

export type Approval =
  | { readonly kind: "granted"; readonly by: "user" | "autopilot" }
  /** `denied`: a person said no, where a refusal may also mean that nobody was asked. */
  | (Refusal & { readonly denied?: true; readonly words?: string });

/** Asks the user through OpenCode's native dialog (SPEC 2.8). Nothing that a model writes has any part in the answer. */
export async function askApproval(
  conversation: Conversation,
  dialogs: Dialogs,
  approval: ApprovalRequest,
  call: ToolCall,
): Promise<Approval> {
  const isTrust = approval.kind === "trust";
  const words = WITHOUT_PROOF[approval.kind];
  if (conversation.state.knobs.mode === "autopilot" && words !== undefined)
    return refuse("Only the user says that, and autopilot asks nobody.", words);
  const overrules = approval.overrulesUntil !== undefined;
  // Trust in a project, a reviewer's no, what is to be overlooked and what leaves the project were not answered in advance.
  const isOwn =
    isTrust ||
    overrules ||
    ["exception", "budget", "adopt", "pull-request", "server"].includes(approval.kind);
  if (conversation.state.knobs.mode === "autopilot" && !isOwn) return { kind: "granted", by: "autopilot" };
  const isWave = approval.kind === "wave";
  const stop = isWave ? "Do not start this wave." : `The ${approval.kind} does not go ahead.`;
  const hint = isTrust
    ? "Nothing is granted. End your turn."
    : `${stop} Ask what should change, or end your turn.`;
  const { no } = conversation.parts.turns.now();
  if (no !== null)
    return refuse(`Nothing is asked now: ${no}.`, "End your turn; their next message says how to go on.");
  conversation.parts.questions.decisionWaits();
  if ((await conversation.canAsk()) === false) {
    conversation.leave(nameOf(approval).slice(PERMISSION.length + 2));
    return refuse(
      overrules || approval.kind === "budget"
        ? "Nobody is here who could say so."
        : "Nobody is here to be asked, so nothing is approved.",
      hint,
    );
  }
  // What is asked for stands above the dialog before it comes up.
  await conversation.outbox.flushInCall();
  if (call.abort.aborted) return refuse(STOPPED);
  dialogs.expect(call.callId, approval);
  // OpenCode leaves the dialog of a call that was stopped where it is.
  const withdraw = (): void => dialogs.withdraw(call.callId);
  call.abort.addEventListener("abort", withdraw, { once: true });
  const answer = await call.ask({ permission: nameOf(approval), pattern: "*" });
  call.abort.removeEventListener("abort", withdraw);
  const reached = await dialogs.answered(call.callId);
  // Nobody waits for the answer any more, and the state has let go of the question.
  if (call.abort.aborted) return refuse(STOPPED);
  if (!answer.approved) {
    const words = answer.feedback ?? "";
    if (words !== "") conversation.dispatch({ type: "rejection-explained", reason: words });
    const no = refuse(words === "" ? "The user said no." : `The user said no: ${words}`, hint);
    return { ...no, denied: true, words };
  }
  if (!reached) return refuse("No human was asked, so nothing is approved.", hint);
  if (isWave && !hasApprovedWave(conversation.state)) {
    return refuse("The approval came too late: mode, work unit or wave changed meanwhile.", hint);
  }
  return { kind: "granted", by: "user" };
}

/** All that OpenCode's dialog shows of a permission that it does not know is its name. */
function nameOf(approval: ApprovalRequest): string {
  if (approval.kind === "trust")
    return `${PERMISSION}: trust in this project's files, ${approval.title ?? ""}`;
  if (approval.kind === "adopt")
    return excerpt(`${PERMISSION}: adopt these checks? ${approval.title ?? ""}`, MAX_NAME + MAX_REVIEWS);
  if (approval.kind === "budget")
    return excerpt(`${PERMISSION}: spend as much again? ${approval.title ?? ""}`, MAX_NAME + MAX_REVIEWS);
  if (approval.kind === "pull-request" || approval.kind === "server")
    return excerpt(`${PERMISSION}: ${approval.title ?? ""}`, MAX_NAME + MAX_REVIEWS);
  if (approval.kind === "complete" || approval.kind === "checks") {
    const what = approval.kind === "complete" ? "complete without proof" : "changed checks count";
    return excerpt(`${PERMISSION}: ${what}, ${approval.workUnit}: ${approval.title ?? ""}`, MAX_NAME);
  }
  const subject = approval.kind === "wave" ? `wave ${approval.wave}` : approval.kind;
  const said = plainText(approval.title ?? "");
  const title = said === "" ? "" : `, ${said}`;
  const named = excerpt(`${PERMISSION}: ${subject} of ${approval.workUnit}${title}`, MAX_NAME);
  const { covers = "" } = approval;
  const name = covers === "" ? named : `${named}; ${excerpt(covers, MAX_COVERS)}`;
  if (approval.reviews === undefined) return name;
  const means = approval.overrulesUntil === undefined ? "reviews" : "YES OVERRULES";
  return excerpt(`${name}; ${means}: ${approval.reviews}`, MAX_NAME + MAX_COVERS + MAX_REVIEWS);
}
