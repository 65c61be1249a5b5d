import type { ModelMove } from "../opencode/world.ts";
import type { GaiaMove, Handing, PlanOp, Wave } from "../schedule.ts";
import { call, question, troubleMove } from "./specialist.ts";
import type { JsonRecord } from "../../../src/lib/json.ts";

/** What GAIA's model has learnt from results, as far as it uses it. */
export interface GaiaMemory {
  /** Ids of the background tasks that she was given, the newest last. */
  readonly tasks: readonly string[];
  /** The session of the newest delegation. */
  readonly session: string | null;
  /** What the unit of her conversation is called. */
  readonly unit: string;
  /** Whether nobody else is at work: without a name, reading begins with the unit that is active, no matter who made it so. */
  readonly isAlone: boolean;
}

const PLAN = `# Unit

## Goal
Made is made.

## Tasks
- [ ] 1. Make it
  - wave: w1
  - agent: hephaestus
  - files: made.ts
  - verify: test -f made.ts

## Done When
- [ ] \`test -f made.ts\` passes
`;

/**
 * What GAIA's model does with one request.
 * @param turn which one it is
 */
export function gaiaMove(move: GaiaMove, memory: GaiaMemory, turn: number): ModelMove {
  switch (move.does) {
    case "delegate":
      return {
        does: "call",
        calls: move.to.map((handing) => ({ tool: "delegate_gaia", args: handOver(handing, memory) })),
      };
    case "collect": {
      const { wait, until, cancel } = move;
      const last = memory.tasks.at(-1) ?? "task_9_1";
      const ids: JsonRecord = {
        ...(move.ids === "last" ? { task_id: last } : {}),
        ...(move.ids === "all" ? { task_ids: memory.tasks } : {}),
        ...(move.ids === "unknown" ? { task_id: "task_404_1" } : {}),
      };
      return call("collect_results", { ...ids, wait_ms: wait, until, ...(cancel ? { cancel } : {}) });
    }
    case "plan":
      return call("plan_gaia", { ...PLAN_CALLS[move.op](memory), ...waveIn(move) });
    case "shell":
      return call("bash", { command: move.command });
    case "edit":
      return call("edit", { filePath: "a.ts", oldString: "", newString: "by gaia\n" });
    case "question":
      return call("question", question(move.header));
    case "todos": {
      const todos = Array.from({ length: move.open }, () => ({ content: "open", status: "pending" }));
      return call("todowrite", { todos });
    }
    case "nonsense":
      return call(move.tool, { agent: "Nobody", prompt: 7, op: ["x"], task_ids: "all" });
    case "say":
      return { does: "say", text: move.text };
    case "loop":
      return call("read", { filePath: move.isVaried ? `${turn}.ts` : "a.ts" });
    default:
      return troubleMove(move);
  }
}

/** What stands in all that is handed over for a unit, and in nothing that is about another. */
export function markOf(unit: string): string {
  return `(for ${unit})`;
}

function handOver({ agent, background, wave, resume }: Handing, { session, unit }: GaiaMemory): JsonRecord {
  return {
    agent,
    goal: `make it ${markOf(unit)}`,
    ...(background ? { background } : {}),
    ...waveOf(wave),
    ...(resume && session !== null ? { session_id: session } : {}),
  };
}

function waveOf(wave: Wave): JsonRecord {
  return wave === "none" ? {} : { wave_id: wave };
}

/** Those of operations about a wave. */
function waveIn({ op, wave }: Extract<GaiaMove, { does: "plan" }>): JsonRecord {
  return op === "open_wave" || op === "complete_wave" ? waveOf(wave) : {};
}

const PLAN_CALLS: Readonly<Record<PlanOp, (memory: GaiaMemory) => JsonRecord>> = {
  create: ({ unit }) => ({ op: "create_work_unit", slug: unit, title: "Unit" }),
  plan: () => ({ op: "update_plan", content: { markdown: PLAN } }),
  "empty-plan": () => ({ op: "update_plan", content: { markdown: "We will simply do it." } }),
  tick: () => ({ op: "update_plan", tick: ["1"] }),
  complete: () => ({ op: "update_plan", status: "complete" }),
  approved: () => ({ op: "update_plan", status: "approved" }),
  read: ({ unit, isAlone }) => ({ op: "read_work_unit", ...(isAlone ? {} : { slug: unit }) }),
  "ask-plan": () => ({ op: "request_approval", kind: "plan" }),
  commit: () => ({ op: "commit", message: "Work" }),
  "ask-verification": () => ({ op: "request_approval", kind: "verification" }),
  set_active: () => ({ op: "set_active" }),
  archive: () => ({ op: "archive_work_unit" }),
  open_wave: () => ({ op: "open_wave" }),
  complete_wave: () => ({ op: "complete_wave" }),
  verify: () => ({ op: "verify" }),
};
