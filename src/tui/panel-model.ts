import type { TuiPluginApi } from "@opencode-ai/plugin/tui";
import { KNOB_NAMES, type Knobs } from "../config/knobs.ts";
import { PANEL_KEY, SNAPSHOT_KEY } from "../conversation/display/metadata-keys.ts";
import type {
  PanelCheck,
  PanelSnapshot,
  PanelTask,
  PanelUnit,
  ToldTone,
} from "../conversation/display/panel-snapshot.ts";
import { isRecord, numberOf, recordOf, textOf } from "../lib/json.ts";

export interface PanelModel {
  readonly knobs: Readonly<Record<keyof Knobs, string>>;
  readonly wave: { readonly id: string; readonly approved: boolean } | null;
  readonly pause: { readonly reason: string; readonly detail: string } | null;
  readonly unit: PanelUnit | null;
  readonly tasks: readonly (Omit<PanelTask, "state"> & { readonly state: string })[];
  readonly more: number;
  readonly check: PanelCheck | null;
  readonly told: PanelSnapshot["told"];
  readonly budgets: readonly { readonly which: string; readonly left: number }[];
  readonly status: { readonly request: string; readonly text: string } | null;
  readonly stage: string;
  readonly wait?: { readonly until: number; readonly why: string } | null;
  readonly checkin: string;
}

/**
 * Reads what the server plugin wrote into a session's metadata; null for a session that is not GAIA's, and for what came
 * along with a fork. Another version of the plugin may have written it, so nothing is taken for granted; never throws.
 */
export function readPanel(metadata: unknown, sessionId: string): PanelModel | null {
  const { [SNAPSHOT_KEY]: snapshot, [PANEL_KEY]: panel } = recordOf(metadata);
  if (!isRecord(snapshot) || snapshot["rootSession"] !== sessionId) return null;
  const {
    tasks,
    budgets,
    more,
    status,
    checkin,
    unit,
    check,
    stage,
    told,
    wait: held,
  } = recordOf(panel) as Partial<Record<keyof PanelSnapshot, unknown>>;
  const knobs = recordOf(snapshot["knobs"]);
  const { wave, pause, workUnit } = snapshot;
  return {
    knobs: Object.fromEntries(KNOB_NAMES.map((knob) => [knob, text(knobs[knob])])) as PanelModel["knobs"],
    wave: isRecord(wave) ? { id: text(wave["id"]), approved: wave["approved"] === true } : null,
    pause: isRecord(pause) ? { reason: text(pause["reason"]), detail: text(pause["detail"]) } : null,
    unit: readUnit(unit, workUnit),
    tasks: list(tasks).map((task) => ({
      agent: text(task["agent"]),
      session: text(task["session"]),
      state: text(task["state"]),
      why: text(task["why"]),
      until: numberOf(task["until"]) ?? null,
      since: numberOf(task["since"]) ?? null,
      model: textOf(task["model"]) ?? null,
      tokens: numberOf(task["tokens"]) ?? 0,
    })),
    more: numberOf(more) ?? 0,
    check: isRecord(check) ? { passed: check["passed"] === true, text: text(check["text"]) } : null,
    budgets: list(budgets).map(({ which, left }) => ({ which: text(which), left: numberOf(left) ?? 0 })),
    status: isRecord(status) ? { request: text(status["request"]), text: text(status["text"]) } : null,
    told: list(told).map((line) => ({ text: text(line["text"]), tone: text(line["tone"]) as ToldTone })),
    stage: text(stage),
    wait: isRecord(held) ? { until: numberOf(held["until"]) ?? 0, why: text(held["why"]) } : null,
    checkin: text(checkin),
  };
}

/** Until the plan was read, only the unit's name is known. */
function readUnit(unit: unknown, name: unknown): PanelUnit | null {
  const { slug, done, total, evidence } = recordOf(unit);
  const { proven, passes, claimed, failed, stale } = recordOf(evidence);
  const counts = {
    proven: numberOf(proven) ?? 0,
    passes: numberOf(passes) ?? 0,
    claimed: numberOf(claimed) ?? 0,
    failed: numberOf(failed) ?? 0,
    stale: numberOf(stale) ?? 0,
  };
  const known = textOf(slug) ?? textOf(name);
  if (known === undefined) return null;
  const shown = isRecord(evidence) ? { evidence: counts } : {};
  return { slug: known, done: numberOf(done) ?? 0, total: numberOf(total) ?? 0, ...shown };
}

function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function text(value: unknown): string {
  return textOf(value) ?? "";
}

/** A conversation of GAIA's that is on the screen. */
export interface PanelConversation {
  readonly rootId: string;
  readonly model: PanelModel;
}

/**
 * The conversation that a session belongs to: its own, or for a specialist's session its root's; null for sessions that
 * are not GAIA's. Tasks of an OpenCode that was killed are left out: nobody is at work then.
 */
export function conversationOf(api: TuiPluginApi, sessionId: string): PanelConversation | null {
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
export function currentConversation(api: TuiPluginApi): PanelConversation | null {
  const { current } = api.route;
  const sessionId = textOf(recordOf("params" in current ? current.params : null)["sessionID"]);
  return sessionId === undefined ? null : conversationOf(api, sessionId);
}

function metadataOf(session: unknown): unknown {
  return recordOf(session)["metadata"];
}
