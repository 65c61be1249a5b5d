import { askApproval } from "../conversation/approvals/ask-approval.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { ToolCall } from "../host/port.ts";
import { refuse } from "../lib/refusal.ts";
import type { Runtime } from "../runtime.ts";
import { AFTER_GRANT } from "../trust/render.ts";

/**
 * Has the user asked about what they were shown by `/gaia-trust`, and grants exactly that. A model can neither begin this
 * nor choose what it is about; all that it does is call.
 */
export async function requestTrust(
  { trust, supervision }: Runtime,
  conversation: Conversation | null,
  call: ToolCall,
): Promise<object> {
  const offered = conversation?.parts.trust.take() ?? null;
  if (conversation === null || offered === null) {
    return refuse("Only the user asks for this, with /gaia-trust.", "Tell the user, or go on without it.");
  }
  const title = `all ${offered.length} listed above`;
  const gate = { kind: "trust", workUnit: conversation.state.workUnit ?? "", title } as const;
  const approval = await askApproval(conversation, supervision.dialogs, gate, call);
  if (approval.kind === "refused") return approval;
  await trust.grant(offered);
  conversation.outbox.note(`Trusted, ${offered.length} in all. ${AFTER_GRANT}`);
  return { ok: true, trusted: offered.length };
}
