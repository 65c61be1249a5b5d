import { defaultConfig } from "../../../src/config/defaults.ts";
import type { AgentReport, ToolFact } from "../../../src/conversation/collaboration/batch.ts";
import type { CollaborationDefaults } from "../../../src/conversation/collaboration/knobs.ts";
import {
  type CollaborationEffect,
  type DecisionRow,
  type CollaborationState,
  initialState,
} from "../../../src/conversation/collaboration/state.ts";
import type {
  CollaborationEvent,
  DialogEvent,
  UserEvent,
  WorkEvent,
} from "../../../src/conversation/collaboration/events.ts";
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
export type Scene = (UserEvent | DialogEvent | WorkEvent) & { readonly at?: number };

export interface Played {
  readonly state: CollaborationState;
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
  let played: Played = { state: start, effects: [], last: [] };
  for (const scene of scenes) {
    const event: CollaborationEvent = { ...scene, at: scene.at ?? played.state.at + 1_000 };
    const { state, effects } = reduceCollaboration(played.state, event, defaults);
    played = { state, effects: [...played.effects, ...effects], last: effects };
  }
  return played;
}

export function types({ last }: Played): string[] {
  return last.map((effect) => effect.type);
}

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

export function set(setting: KnobSetting): Scene {
  return { type: "command", change: setting };
}

export const AUTOPILOT = set({ knob: "mode", value: "autopilot" });

/** A human allows wave "w1" of unit "unit" and it opens. */
export function approvedWave(wave = "w1", workUnit = "unit"): Scene[] {
  const requestId = `ask-${workUnit}-${wave}`;
  return [
    { type: "work-unit-changed", workUnit },
    {
      type: "permission-asked",
      requestId,
      sessionId: "root",
      tool: "open_wave",
      approval: { kind: "wave", workUnit, wave },
    },
    { type: "permission-replied", requestId, reply: "once", by: "human" },
    { type: "wave-opened", workUnit, wave },
  ];
}

export function start(sessionId = "child", agent = "hephaestus"): Scene {
  return { type: "delegation-started", sessionId, agent };
}

export function finish(sessionId = "child", ok = true, report?: AgentReport): Scene {
  return { type: "delegation-finished", sessionId, ok, ...(report === undefined ? {} : { report }) };
}

/** An edit of `path` by the child. */
export function edit(path = "src/a.ts", fact: Partial<ToolFact> = {}): Scene {
  return {
    type: "tool-finished",
    fact: {
      sessionId: "child",
      tool: "edit",
      mutating: true,
      failed: false,
      files: [{ path, added: 3, removed: 1 }],
      ...fact,
    },
  };
}

export function bash(command: string, exitCode: number | null = 0, fact: Partial<ToolFact> = {}): Scene {
  return {
    type: "tool-finished",
    fact: {
      sessionId: "child",
      tool: "bash",
      mutating: true,
      failed: false,
      command: { command, exitCode, output: "12 passed\n" },
      ...fact,
    },
  };
}

export function read(sessionId = "child"): Scene {
  return {
    type: "tool-finished",
    fact: { sessionId, tool: "read", mutating: false, failed: false },
  };
}
