import { askApproval } from "../conversation/approvals/ask-approval.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { ToolCall } from "../host/port.ts";
import { refuse, type Refusal } from "../lib/refusal.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Whether more may be spent: on a conversation's work, and in the session that is to be resumed. Where a budget is used up only
 * the user says yes, in their own dialog, to as much again of that budget (SPEC 2.7).
 */
export async function askToSpend(
  { ledger, supervision }: Runtime,
  conversation: Conversation,
  call: ToolCall,
  session: string | null = null,
): Promise<Refusal | null> {
  if (!ledger.isBound) return null;
  await ledger.refresh();
  const find = () =>
    (session === null ? null : ledger.reached(session)) ?? ledger.reached(conversation.rootId);
  for (let reached = find(); reached !== null; reached = find()) {
    const { scope, why } = reached;
    const refusal = refuse(
      `No more may be spent: ${why}.`,
      "Only the user raises it, in the dialog, by /next or in their own configuration. Tell them, and end your turn.",
    );
    if (scope === null) return refusal;
    const asked = { kind: "budget", workUnit: conversation.state.workUnit ?? "", title: why } as const;
    const isGranted = await conversation.parts.spending.ask(scope, async () => {
      const approval = await askApproval(conversation, supervision.dialogs, asked, call);
      if (approval.kind !== "granted") return false;
      ledger.grant(scope);
      return true;
    });
    if (!isGranted) return refusal;
  }
  return null;
}
