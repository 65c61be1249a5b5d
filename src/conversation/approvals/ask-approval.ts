import { type ApprovalRequest, askedFor, approvalKindOf } from "../collaboration/approval-kinds.ts";
import { hasApprovedWave } from "../collaboration/state.ts";
import { refuse, type Refusal } from "../../lib/error.ts";
import type { ToolCall } from "../../host/port.ts";
import type { Dialogs } from "./dialogs.ts";
import type { Conversation } from "../conversation.ts";

const STOPPED = "The user stopped it before they had answered.";

export type Approval =
  | { readonly kind: "granted"; readonly by: "user" | "autopilot" }
  /** `denied`: a person said no, where a refusal may also mean that nobody was asked. */
  | (Refusal & { readonly denied?: true; readonly words?: string });

/**
 * Asks the user through OpenCode's native dialog (SPEC 2.8). Nothing that a model writes has any part in the answer.
 * @param above lines that stand above the dialog, which shows only one
 */
export async function askApproval(
  conversation: Conversation,
  dialogs: Dialogs,
  approval: ApprovalRequest,
  call: ToolCall,
  above: readonly string[] = [],
): Promise<Approval> {
  const { autopilot } = approvalKindOf(approval);
  // A reviewer's no was not answered in advance.
  const overrules = approval.overrulesUntil !== undefined;
  const isStop = approval.isStop === true && (await conversation.canAsk()) !== false;
  const isAutopilot = conversation.state.knobs.mode === "autopilot";
  if (isAutopilot && autopilot === undefined && !overrules && !isStop)
    return { kind: "granted", by: "autopilot" };
  const stop =
    approval.kind === "wave" ? "Do not start this wave." : `The ${approval.kind} does not go ahead.`;
  const hint = `${stop} Ask what should change, or end your turn.`;
  const { no } = conversation.parts.turns.now();
  if (no !== null)
    return refuse(`Nothing is asked now: ${no}.`, "End your turn; their next message says how to go on.");
  if (above.length > 0) conversation.outbox.note(above.join("\n"));
  if (isAutopilot && autopilot !== undefined && autopilot !== "asked")
    return refuse("Only the user says that, and autopilot asks nobody.", autopilot.refused);
  conversation.parts.questions.decisionWaits();
  if ((await conversation.canAsk()) === false) {
    conversation.leave(askedFor(approval));
    return refuse("Nobody is here to be asked, so nothing is approved.", hint);
  }
  // What is asked for stands above the dialog before it comes up.
  await conversation.outbox.flushInCall();
  if (call.abort.aborted) return refuse(STOPPED);
  const answer = await dialogs.raise(call, approval);
  // Nobody waits for the answer any more, and the state has let go of the question.
  if (answer === undefined || call.abort.aborted) return refuse(STOPPED);
  if (!answer.approved) {
    const words = answer.feedback ?? "";
    if (words !== "") conversation.dispatch({ type: "rejection-explained", reason: words });
    const said = refuse(words === "" ? "The user said no." : `The user said no: ${words}`, hint);
    return { ...said, denied: true, words };
  }
  if (!answer.isHeard) return refuse("No human was asked, so nothing is approved.", hint);
  const { state } = conversation;
  const isOpen = state.knobs.mode === "autopilot" ? state.wave !== null : hasApprovedWave(state);
  if (approval.kind === "wave" && !isOpen)
    return refuse("The approval came too late: mode, work unit or wave changed meanwhile.", hint);
  return { kind: "granted", by: "user" };
}
