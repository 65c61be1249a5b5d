import type { TuiPluginApi } from "@opencode-ai/plugin/tui";
import type { TypedWhere } from "../commands/free.ts";
import type { SavedState } from "../conversation/collaboration/state.ts";
import { PANEL_KEY, PANEL_VERSION, SNAPSHOT_KEY, TALK_KEY } from "../conversation/display/metadata-keys.ts";
import type { PanelSnapshot } from "../conversation/display/panel-snapshot.ts";
import { isRecord, recordOf, textOf } from "../lib/json.ts";

export interface PanelModel extends Pick<SavedState, "knobs">, Omit<PanelSnapshot, "version"> {
  readonly wave: Pick<NonNullable<SavedState["wave"]>, "id" | "approved"> | null;
  readonly pause: Pick<NonNullable<SavedState["pause"]>, "reason" | "detail"> | null;
}

const NOTHING_YET: Omit<PanelSnapshot, "version"> = {
  unit: null,
  tasks: [],
  more: 0,
  check: null,
  told: [],
  budgets: [],
  status: null,
  stage: null,
  wait: null,
};

/**
 * Reads what the server plugin wrote into a session's metadata; null for a session that is not GAIA's, and for what came
 * along with a fork. What another version of the plugin wrote is taken for nothing; never throws.
 */
export function readPanel(metadata: unknown, sessionId: string): PanelModel | null {
  const { [SNAPSHOT_KEY]: snapshot, [PANEL_KEY]: panel } = recordOf(metadata);
  if (!isVersion<SavedState>(snapshot, 2) || snapshot.rootSession !== sessionId) return null;
  const { knobs, wave, pause, workUnit } = snapshot;
  const shown = isVersion<PanelSnapshot>(panel, PANEL_VERSION) ? panel : NOTHING_YET;
  // Until the plan was read, only the unit's name is known.
  const unit = shown.unit ?? (workUnit === null ? null : { slug: workUnit, done: 0, total: 0 });
  return { ...shown, unit, knobs, wave, pause };
}

/** The version stands for the shape: whoever changes that raises it. */
function isVersion<T extends { version: number }>(value: unknown, version: T["version"]): value is T {
  return isRecord(value) && value["version"] === version;
}

/** A conversation of GAIA's that is on the screen. */
export interface PanelConversation {
  readonly rootId: string;
  readonly sessionId: string;
  readonly where: TypedWhere;
  /** Whether an OpenCode that was killed has left tasks in it. */
  readonly isLeft: boolean;
  readonly model: PanelModel;
}

/**
 * The conversation that a session belongs to: its own, or for a specialist's session its root's, one in which the user speaks with
 * them included; null for sessions that are not GAIA's. Tasks of an OpenCode that was killed are left out: nobody is at work then.
 */
export function conversationOf(api: TuiPluginApi, sessionId: string): PanelConversation | null {
  const session = api.state.session.get(sessionId);
  const own = readPanel(metadataOf(session), sessionId);
  const talkOf = textOf(recordOf(recordOf(metadataOf(session))[TALK_KEY])["talk_of"]);
  const rootId = own === null ? (session?.parentID ?? talkOf ?? sessionId) : sessionId;
  const model = own ?? readPanel(metadataOf(api.state.session.get(rootId)), rootId);
  if (model === null) return null;
  const isBusy = (id: string): boolean => (api.state.session.status(id)?.type ?? "idle") !== "idle";
  const isAtWork = [rootId, ...model.tasks.map((task) => task.session)].some(isBusy);
  const shown = isAtWork ? model : { ...model, tasks: [], more: 0 };
  const isTalk = rootId !== sessionId && session?.parentID === undefined;
  const where = { isAtWork: shown.tasks.length > 0, hasUnit: model.unit !== null, isTalk };
  return { rootId, sessionId, where, isLeft: !isAtWork && model.tasks.length > 0, model: shown };
}

/** The conversation on the screen; null on the home screen and for other agents' sessions. */
export function currentConversation(api: TuiPluginApi): PanelConversation | null {
  const { current } = api.route;
  const sessionId = textOf(recordOf("params" in current ? current.params : null)["sessionID"]);
  return sessionId === undefined ? null : conversationOf(api, sessionId);
}

/** What fails is told to `report`, and counts as nothing: OpenCode and its other panels go on. */
export function attempt<T>(act: () => T, report?: (error: unknown) => void): T | undefined {
  try {
    return act();
  } catch (error) {
    report?.(error);
    return undefined;
  }
}

function metadataOf(session: unknown): unknown {
  return recordOf(session)["metadata"];
}
