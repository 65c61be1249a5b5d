import { defaultConfig } from "../../../src/config/defaults.ts";
import type { AgentReport, ToolFact } from "../../../src/conversation/collaboration/batch.ts";
import type { CollaborationDefaults } from "../../../src/conversation/collaboration/knobs.ts";
import {
  type CollaborationEffect,
  type DecisionRow,
  type CollaborationState,
  initialState,
} from "../../../src/conversation/collaboration/state.ts";
import type { ApprovalRequest, PlannedWave } from "../../../src/conversation/collaboration/approval-kinds.ts";
import type {
  CollaborationEvent,
  ConversationEvent,
  QuestionPurpose,
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
export type Scene = ConversationEvent & { readonly at?: number };

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

export const NEXT: Scene = { type: "next" };
export const ABORTED: Scene = { type: "aborted" };
export const TICK: Scene = { type: "tick" };
export const TURN_ENDED: Scene = { type: "turn-ended" };
export const ROOT_ENDED: Scene = { type: "session-ended", sessionId: "root" };

export const says = (text: string): Scene => ({ type: "user-message", text });
export const inUnit = (workUnit: string | null): Scene => ({ type: "work-unit-changed", workUnit });
export const opened = (wave = "w1", workUnit = "unit", planned?: PlannedWave): Scene => ({
  type: "wave-opened",
  workUnit,
  wave,
  ...(planned === undefined ? {} : { planned }),
});
export const completed = (wave = "w1", workUnit = "unit"): Scene => ({
  type: "wave-completed",
  workUnit,
  wave,
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
export const question = (
  requestId = "q",
  purpose: QuestionPurpose = "other",
  ...questions: string[]
): Scene => ({
  type: "question-asked",
  requestId,
  purpose,
  questions: questions.length > 0 ? questions : ["?"],
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

export function start(sessionId = "child"): Scene {
  return { type: "delegation-started", sessionId };
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
