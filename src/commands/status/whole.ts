import type { Conversation } from "../../conversation/conversation.ts";
import { renderCounts } from "../../conversation/findings/render.ts";
import { renderGovernance } from "../../knowledge/judge.ts";
import type { Runtime } from "../../runtime.ts";

/** Where the conversation stands, and what of the project waits for a person; what cannot be read is left out. */
export async function renderWhole(
  conversation: Conversation,
  { supervision, knowledge, workspace }: Pick<Runtime, "supervision" | "knowledge" | "workspace">,
): Promise<string> {
  const [status, entries, found] = await Promise.all([
    supervision.statusOf(conversation),
    knowledge.all().catch(() => []),
    workspace.readFindings(),
  ]);
  const counts = renderCounts(found.ok ? found.findings : []);
  return [
    status,
    ...(entries.length === 0 ? [] : [`- ${renderGovernance(entries)}`]),
    ...(counts === "" ? [] : [`- ${counts} · /gaia-findings`]),
  ].join("\n");
}
