import type { TuiPluginApi } from "@opencode-ai/plugin/tui";
import { recordOf } from "../lib/json.ts";
import { readPanel } from "./panel-model.ts";

/** Messages of a conversation of GAIA's with rows that show progress while nothing runs there. */
export function staleMessages(api: TuiPluginApi, sessionId: string): string[] {
  const { session, part } = api.state;
  if ((session.status(sessionId)?.type ?? "idle") !== "idle") return [];
  if (readPanel(recordOf(session.get(sessionId))["metadata"], sessionId) === null) return [];
  return session.messages(sessionId).flatMap(({ id }) => (part(id).some(isStale) ? [id] : []));
}

/** Reads them once more: what the terminal holds may be older than what OpenCode does. */
export async function settleRows(
  { client }: TuiPluginApi,
  sessionID: string,
  messages: readonly string[],
): Promise<void> {
  const { data: status } = await client.session.status({}, { throwOnError: true });
  if ((status[sessionID]?.type ?? "idle") !== "idle") return;
  for (const messageID of messages) {
    const { data } = await client.session.message({ sessionID, messageID }, { throwOnError: true });
    for (const part of data.parts) {
      if (!isStale(part)) continue;
      const { progress: _shown, ...input } = part.state.input;
      const settled = { ...part, state: { ...part.state, input } };
      await client.part.update(
        { sessionID, messageID, partID: part.id, part: settled },
        { throwOnError: true },
      );
    }
  }
}

type Part = ReturnType<TuiPluginApi["state"]["part"]>[number];
type Row = Extract<Part, { type: "tool" }>;

function isStale(part: Part): part is Row {
  return part.type === "tool" && part.tool.endsWith("_gaia") && "progress" in part.state.input;
}
