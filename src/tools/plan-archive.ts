import { unproven } from "../checks/evidence/claims.ts";
import { askApproval } from "../conversation/approvals/ask-approval.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { ToolCall } from "../host/port.ts";
import { isRefusal, refuse, type Refusal } from "../lib/refusal.ts";
import type { Runtime } from "../runtime.ts";
import { type EvidenceCall, proveAll } from "./plan-evidence.ts";

/** Archives a unit; as complete only where that is proven, or the user has said so. */
export async function archive(
  runtime: Runtime,
  conversation: Conversation | null,
  unit: string | null,
  call: ToolCall,
): Promise<{ readonly ok?: boolean; readonly slug?: string; readonly work?: string }> {
  // What is still to be written belongs into the unit before it goes.
  await conversation?.parts.workRecord.settled();
  let isComplete = false;
  if (conversation !== null && unit !== null) {
    const refusal = await conversation.parts.waves.refuseArchive(unit);
    const settled = refusal ?? (await settle({ runtime, conversation, call, unit }));
    if (isRefusal(settled)) return settled as object;
    ({ isComplete } = settled);
  }
  await conversation?.parts.spending.writeReceipt(unit ?? "", true);
  // From what stands in the unit, before it goes.
  if (conversation !== null && unit !== null) await conversation.parts.finalReport.tell(unit);
  const named = unit === null ? {} : { slug: unit };
  const result = await runtime.workspace.archiveWorkUnit({ ...named, isProven: isComplete });
  if (conversation !== null && result.ok)
    conversation.parts.spending.archived(result.slug, result.archived_path);
  if (conversation === null || unit === null || !result.ok) return result;
  if (runtime.treeOf(unit).place.unit === null) return result;
  const { leaveHome } = await import("./plan-run/run-plan.ts");
  const work = await leaveHome({ runtime, conversation, unit });
  return work === null ? result : { ...result, work };
}

/**
 * Whether a unit may be archived, and whether as complete: everything of it is proven, or the user wants it complete as it is.
 * One that was never unified is told of with what is missing, and the user is asked.
 */
async function settle(request: EvidenceCall): Promise<{ isComplete: boolean } | Refusal> {
  const { runtime, conversation, call, unit } = request;
  const { evidence, planning } = conversation.parts;
  const claims = await proveAll(request);
  const isComplete = evidence.isAccepted(unit, claims);
  const isPlanned = claims.some(({ kind }) => kind === "task");
  if (!isPlanned || planning.isUnified(unit)) return { isComplete };
  const missing = unproven(claims).map(({ id, standing, why }) => `${id} ${standing}${why && `: ${why}`}`);
  conversation.outbox.note(
    [
      `${unit} was never unified (/gaia-unify): planned is not held against delivered.`,
      ...missing.map((each) => `- ${each}`),
    ].join("\n"),
  );
  const title = `without /gaia-unify, ${missing.length} not proven`;
  const gate = { kind: "archive", workUnit: unit, title } as const;
  const approval = await askApproval(conversation, runtime.supervision.dialogs, gate, call);
  if (!isRefusal(approval)) return { isComplete };
  return refuse(
    `${unit} stays open: ${missing.join("; ") || "it was never unified"}. ${approval.reason}`,
    "The user closes it with /gaia-unify; tell them.",
  );
}
