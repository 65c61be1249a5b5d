import { defaultConfig } from "../../../src/config/defaults.ts";
import type { AgentReport, ToolFact } from "../../../src/conversation/collaboration/batch.ts";
import {
  type CollaborationDefaults,
  type KnobCommandName,
  parseKnobCommand,
} from "../../../src/conversation/collaboration/knobs.ts";
import {
  type CollaborationEffect,
  type DecisionRow,
  type CollaborationState,
  initialState,
} from "../../../src/conversation/collaboration/state.ts";
import type { ApprovalRequest, PlannedWave } from "../../../src/conversation/collaboration/approval-kinds.ts";
import type { ConversationEvent } from "../../../src/conversation/collaboration/events.ts";
import type { KnobSetting } from "../../../src/config/knobs.ts";
import { reduceCollaboration } from "../../../src/conversation/collaboration/reducer.ts";

/** The built-in configuration. */
export const DEFAULTS: CollaborationDefaults = defaultConfig();

export function withBudgets(
  budgets: Partial<CollaborationDefaults["autopilotSafeguards"]>,
): CollaborationDefaults {
  return { ...DEFAULTS, autopilotSafeguards: { ...DEFAULTS.autopilotSafeguards, ...budgets } };
}

/** An event whose time is filled in: one second after the one before, unless it says otherwise. */
export type Scene = ConversationEvent & { readonly at?: number };

export interface Played {
  readonly state: CollaborationState;
  /** Before the last scene. */
  readonly before: CollaborationState;
  /** Of the whole play. */
  readonly effects: readonly CollaborationEffect[];
  /** Of the last scene only. */
  readonly last: readonly CollaborationEffect[];
}

/** Plays scenes on a fresh root session "root". */
export function play(scenes: readonly Scene[], defaults: CollaborationDefaults = DEFAULTS): Played {
  return playOn(initialState("root", defaults, 0), scenes, defaults);
}

export function playOn(
  start: CollaborationState,
  scenes: readonly Scene[],
  defaults: CollaborationDefaults = DEFAULTS,
): Played {
  let played: Played = { state: start, before: start, effects: [], last: [] };
  for (const scene of scenes) {
    const before = played.state;
    const { state, effects } = reduceCollaboration(before, { at: before.at + 1_000, ...scene }, defaults);
    played = { state, before, effects: [...played.effects, ...effects], last: effects };
  }
  return played;
}

export const types = ({ last }: Played): string[] => last.map((effect) => effect.type);

export function decisions(played: Played): DecisionRow[] {
  return played.effects.flatMap((effect) => (effect.type === "decision" ? [effect.row] : []));
}

export function effectOf<T extends CollaborationEffect["type"]>(
  played: Played,
  type: T,
): Extract<CollaborationEffect, { type: T }> | undefined {
  return played.last.find(
    (effect): effect is Extract<CollaborationEffect, { type: T }> => effect.type === type,
  );
}

export const set = (change: KnobSetting): Scene => ({ type: "command", change });
export const NEXT: Scene = { type: "next" };
export const says = (text: string): Scene => ({ type: "user-message", text });
export const inUnit = (workUnit: string | null): Scene => ({ type: "work-unit-changed", workUnit });
export const opened = (wave = "w1", workUnit = "unit", planned?: PlannedWave): Scene => ({
  type: "wave-opened",
  workUnit,
  wave,
  ...(planned === undefined ? {} : { planned }),
});
/** OpenCode asks for permission: the child for a call of its own, or the root for an approval. */
export const asks = (requestId: string, tool = "edit", approval?: ApprovalRequest): Scene => ({
  type: "permission-asked",
  requestId,
  sessionId: approval === undefined ? "child" : "root",
  tool,
  ...(approval === undefined ? {} : { approval }),
});
export const replies = (
  requestId: string,
  reply: "once" | "always" | "reject" = "once",
  by: "human" | "plugin" = "human",
): Scene => ({ type: "permission-replied", requestId, reply, by });
export const question = (requestId = "q", ...questions: string[]): Scene => ({
  type: "question-asked",
  requestId,
  questions,
});
export const answers = (requestId: string, ...given: string[][]): Scene => ({
  type: "question-answered",
  requestId,
  answers: given,
});
/** A human allows wave "w1" of unit "unit" and it opens. */
export function approvedWave(wave = "w1", workUnit = "unit"): Scene[] {
  const requestId = `ask-${workUnit}-${wave}`;
  const approval = { kind: "wave", workUnit, wave } as const;
  return [
    inUnit(workUnit),
    asks(requestId, "open_wave", approval),
    replies(requestId),
    opened(wave, workUnit),
  ];
}
export const start = (sessionId = "child"): Scene => ({ type: "delegation-started", sessionId });
export const finish = (sessionId = "child", ok = true, report?: AgentReport): Scene => ({
  type: "delegation-finished",
  sessionId,
  ok,
  ...(report === undefined ? {} : { report }),
});
const called = (tool: string, fact: Partial<ToolFact>): Scene => ({
  type: "tool-finished",
  fact: { sessionId: "child", tool, mutating: true, failed: false, ...fact },
});
/** An edit of `path` by the child. */
export const edit = (path = "src/a.ts", fact: Partial<ToolFact> = {}): Scene =>
  called("edit", { files: [{ path, added: 3, removed: 1 }], ...fact });
export const bash = (command: string, exitCode: number | null = 0, fact: Partial<ToolFact> = {}): Scene =>
  called("bash", { command: { command, exitCode, output: "12 passed\n" }, ...fact });
export const read = (fact: Partial<ToolFact> = {}): Scene => called("read", { mutating: false, ...fact });

/** The wave with which an approved plan begins. */
export const PLANNED: PlannedWave = { wave: "1", plan: "digest" };

/** Scenes by the names that tables call them by. */
const NAMED: Readonly<Record<string, readonly Scene[]>> = {
  aborted: [{ type: "aborted" }],
  "approved wave": approvedWave(),
  "asks for an edit": [asks("edit")],
  "asks for the plan": [asks("plan", "plan_gaia", { kind: "plan", workUnit: "unit", opens: PLANNED })],
  "asks for w1": [asks("w1", "open_wave", { kind: "wave", workUnit: "unit", wave: "w1" })],
  blocked: [{ type: "blocked", reason: "No access.", nextStep: "Ask for a key." }],
  "child ended": [{ type: "session-ended", sessionId: "child" }],
  command: [bash("npm i")],
  edit: [edit()],
  "edit of the record": [edit(".gaia/unit/log.md")],
  "failed edit": [edit("a", { failed: true })],
  "failed read": [read({ failed: true })],
  finish: [finish()],
  next: [NEXT],
  "no to the edit": [replies("edit", "reject")],
  "no to the plan": [replies("plan", "reject")],
  "no to w1": [replies("w1", "reject")],
  "plugin's no to the edit": [replies("edit", "reject", "plugin")],
  "plugin's yes to the plan": [replies("plan", "once", "plugin")],
  "plugin's yes to w1": [replies("w1", "once", "plugin")],
  read: [read()],
  "red tests": [bash("npm test", 1)],
  "root ended": [{ type: "session-ended", sessionId: "root" }],
  start: [start()],
  tick: [{ type: "tick" }],
  "turn ended": [{ type: "turn-ended" }],
  "wave w1": [opened()],
  "yes to the plan": [replies("plan")],
  "yes to w1": [replies("w1")],
};

/** A scene of a table: its name, a command that the user types (`/locked`), or the event itself. */
export type Told = string | Scene;

export function scenesOf(told: readonly Told[]): Scene[] {
  return told.flatMap((each) => {
    if (typeof each !== "string") return [each];
    const [, name, rest = ""] = /^\/(\w+) ?(.*)$/.exec(each) ?? [];
    const typed = name === undefined ? {} : parseKnobCommand(name as KnobCommandName, rest);
    const scenes = "change" in typed ? [{ type: "command", change: typed.change } as Scene] : NAMED[each];
    if (scenes === undefined) throw new Error(`no scene is called ${each}`);
    return scenes;
  });
}
