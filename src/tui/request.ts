import type { TuiPluginApi } from "@opencode-ai/plugin/tui";
import { loadPanelKey, markOf, panelKeyPath } from "../conversation/display/panel-key.ts";
import { REQUEST_KEY } from "../conversation/display/metadata-keys.ts";
import type { KnobRequest } from "../conversation/display/panel-requests.ts";
import { recordOf } from "../lib/json.ts";

/**
 * A request for a conversation.
 * @param command see `KnobRequest`
 * @throws what the system says when the key that is shared with the server plugin cannot be read
 */
export function createRequest(session: string, command: string): KnobRequest {
  const request = { id: crypto.randomUUID(), session, at: Date.now(), command };
  const key = loadPanelKey(panelKeyPath(process.env));
  return { ...request, mark: markOf(key, request) };
}

/**
 * Asks the server plugin to carry out a request; no model hears of it.
 * @throws what OpenCode says when it does not take it
 */
export async function send(api: TuiPluginApi, request: KnobRequest): Promise<void> {
  const sessionID = request.session;
  const { data } = await api.client.session.get({ sessionID }, { throwOnError: true });
  const metadata = { ...recordOf(recordOf(data)["metadata"]), [REQUEST_KEY]: request };
  await api.client.session.update({ sessionID, metadata }, { throwOnError: true });
}
