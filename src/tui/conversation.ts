import type { TuiPluginApi } from "@opencode-ai/plugin/tui";
import { recordOf, textOf } from "../lib/json.ts";
import { readPanel, type PanelModel } from "./panel-model.ts";

/** A conversation of GAIA's that is on the screen. */
export interface Conversation {
  readonly rootId: string;
  readonly model: PanelModel;
}

/**
 * The conversation that a session belongs to: its own, or for a specialist's session its root's; null for sessions that
 * are not GAIA's. Tasks of an OpenCode that was killed are left out: nobody is at work then.
 */
export function conversationOf(api: TuiPluginApi, sessionId: string): Conversation | null {
  const session = api.state.session.get(sessionId);
  const own = readPanel(metadataOf(session), sessionId);
  const rootId = own === null ? (session?.parentID ?? sessionId) : sessionId;
  const model = own ?? readPanel(metadataOf(api.state.session.get(rootId)), rootId);
  if (model === null) return null;
  const isBusy = (id: string): boolean => (api.state.session.status(id)?.type ?? "idle") !== "idle";
  const isAtWork = [rootId, ...model.tasks.map((task) => task.session)].some(isBusy);
  return { rootId, model: isAtWork ? model : { ...model, tasks: [], more: 0 } };
}

/** The conversation on the screen; null on the home screen and for other agents' sessions. */
export function currentConversation(api: TuiPluginApi): Conversation | null {
  const { current } = api.route;
  const sessionId = textOf(recordOf("params" in current ? current.params : null)["sessionID"]);
  return sessionId === undefined ? null : conversationOf(api, sessionId);
}

function metadataOf(session: unknown): unknown {
  return recordOf(session)["metadata"];
}
