import { askApproval } from "../conversation/approvals/ask-approval.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { ToolCall } from "../host/port.ts";
import { adoptChecks } from "../project/adopt-checks.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Offers the checks of a project that has none configured, in OpenCode's dialog: only a person's yes to the commands that are
 * shown adopts them, and their no holds up nothing.
 */
export async function offerChecks(
  runtime: Runtime,
  conversation: Conversation,
  call: ToolCall,
): Promise<void> {
  const { checksOffer } = conversation.parts;
  const checks = await checksOffer.take();
  if (checks.length === 0) return;
  const lines = checks.map(({ command, kind, source, cwd }) => {
    const where = cwd === undefined ? "" : `, run in ${cwd}`;
    return `- ${command} (${kind}, from ${source}${where})`;
  });
  conversation.outbox.note(
    [
      "Nothing is configured that has to pass before work counts as done. This project seems to have:",
      ...lines,
      "Allow writes them into .gaia/config.jsonc: no wave and no commit of GAIA's passes without them.",
      "Reject leaves it so; /gaia-init asks again.",
    ].join("\n"),
  );
  const title = checks
    .map(({ command, cwd }) => (cwd === undefined ? command : `${command} (in ${cwd})`))
    .join("; ");
  const answer = await askApproval(
    conversation,
    runtime.supervision.dialogs,
    { kind: "adopt", workUnit: conversation.state.workUnit ?? "", title },
    call,
  );
  if (answer.kind === "granted") conversation.outbox.note(await adoptChecks(runtime, checks));
  else if (answer.denied === true) checksOffer.decline();
}
