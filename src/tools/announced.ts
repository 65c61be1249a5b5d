import * as z from "zod/mini";
import type { SpecialistDefinition } from "../agents/define.ts";
import type { PermissionRules } from "../host/hook-events.ts";
import { lanesOf } from "../config/lanes.ts";
import type { ResolvedConfig } from "../config/schema.ts";
import { APPROVAL_PERMISSIONS } from "../conversation/collaboration/approval-kinds.ts";
import { ANCHORED_EDITS, AST, type Extra, LANGUAGE_SERVERS, SKILL_SERVERS } from "../extras/announced.ts";
import type { AnnouncedTool } from "../host/tool.ts";
import { describe } from "../lib/schema.ts";
import { RECALL_KINDS } from "../record/recall/entry.ts";
import { TASK_SYNTAX } from "../plan/task.ts";
import { LANE_ARG, PLAN_ARGS } from "../plan/operations/args.ts";

/** What models are told of the plugin's tools: all of them that a start needs. What they do is loaded with GAIA's features (`registry.ts`). */

const names = z.optional(z.array(z.string()));

/** @param explain why a name is not one of the roster */
export function announceDelegate(
  roster: readonly string[],
  hasWorktrees: boolean,
  explain: (name: unknown) => string | undefined = () => undefined,
) {
  return {
    name: "delegate_gaia",
    description:
      "Give a task to a specialist and get its contract. Calls in one answer run in parallel. " +
      "background: gives a task_id for collect_results.",
    args: {
      agent: z.enum([...roster] as [string, ...string[]], { error: ({ input }) => explain(input) }),
      ...TASK_ARGS,
      background: z.optional(z.boolean()),
      session_id: describe(z.optional(z.string()), "to resume"),
      context_aids: z.optional(z.object({ skills: names, tools: names, files: names })),
      work_unit: z.optional(z.string()),
      wave_id: z.optional(z.string()),
      lane: LANE_ARG,
      verify: z.optional(z.string()),
      ...(hasWorktrees ? { worktree: describe(z.optional(z.boolean()), "edit apart, then land") } : {}),
    },
  };
}

export const COLLECT = {
  name: "collect_results",
  description:
    "Wait for results of background tasks. Returns when one has ended (until: all waits for each) " +
    "or after wait_ms; running is a normal answer. No id: all uncollected.",
  args: {
    task_id: z.optional(z.string()),
    task_ids: z.optional(z.array(z.string())),
    wait_ms: describe(z.optional(z.number().check(z.gte(0))), "default 120000"),
    until: z.optional(z.enum(["any", "all"])),
    cancel: describe(z.optional(z.boolean()), "stop the tasks"),
    include_raw: describe(z.optional(z.boolean()), "its own words too"),
  },
};

export const PLAN = {
  name: "plan_gaia",
  description: `Work units in .gaia/ with plan, log, decisions; learnings. ${TASK_SYNTAX}`,
  args: PLAN_ARGS,
};

export const RECALL = {
  name: "recall_gaia",
  description: "Search the record in .gaia/, archive included: first choice for why something is so.",
  args: {
    query: describe(z.optional(z.string().check(z.minLength(1))), "keywords"),
    id: z.optional(z.string()),
    kinds: z.optional(z.array(z.enum(RECALL_KINDS))),
    limit: z.optional(z.number().check(z.gte(1), z.lte(50))),
  },
};

export const TELL = {
  name: "tell_gaia",
  description:
    "Tell a specialist who works beside you now what it needs for its task. An unknown name is answered with who is there.",
  args: { to: z.string(), text: z.string() },
};

/** The names of all tools of this plugin: denied to every agent but GAIA, and to the historian but those of the record. */
export const TOOL_NAMES: readonly string[] = ["delegate_gaia", COLLECT.name, PLAN.name, RECALL.name];

export function announceTools(roster: readonly string[], config: ResolvedConfig): AnnouncedTool[] {
  const delegate = announceDelegate(roster, lanesOf(config).mode !== "off");
  return [delegate, COLLECT, PLAN, RECALL];
}

/** The tools for specialists, each off until the configuration says otherwise; what they do stands in `registry.ts`. */
const FILE_TOOLS: readonly Extra[] = [
  AST,
  ANCHORED_EDITS,
  LANGUAGE_SERVERS,
  { ...SKILL_SERVERS, asks: [...SKILL_SERVERS.asks, ...APPROVAL_PERMISSIONS] },
  { tool: TELL, isOn: ({ delegation }) => delegation.messages === "on", isFor: () => true },
];

const listOn = (config: ResolvedConfig): Extra[] => FILE_TOOLS.filter(({ isOn }) => isOn(config));

export function announceFileTools(config: ResolvedConfig): AnnouncedTool[] {
  return listOn(config).map(({ tool }) => tool);
}

export function fileToolNames(config: ResolvedConfig): string[] {
  return announceFileTools(config).map(({ name }) => name);
}

/** Those of them that do nothing but what is known of them. */
export function ownFileTools(config: ResolvedConfig): string[] {
  return listOn(config).flatMap(({ tool, callsOthers }) => (callsOthers === true ? [] : [tool.name]));
}

export function fileToolsOf(config: ResolvedConfig, definition: SpecialistDefinition): PermissionRules {
  const rules: PermissionRules = {};
  for (const { tool, isFor, asks = [] } of listOn(config)) {
    if (!isFor(definition, config)) continue;
    rules[tool.name] = "allow";
    for (const permission of asks) rules[permission] = "ask";
  }
  return rules;
}

/** Characters of a goal: OpenCode prints it in the row of the call, and the rest of the task only in the child's session. */
const MAX_GOAL = 300;

const text = z.optional(z.string());

/** What a specialist is to do. Only primitive arguments are printed beside the call, so the goal alone is one. */
export const TASK_ARGS = {
  // Checked by hand, for what stands in a schema is paid for with each request.
  goal: z
    .string()
    .check(
      z.refine(
        (goal) => goal.trim() !== "" && goal.length <= MAX_GOAL,
        `one sentence of at most ${MAX_GOAL} characters; the rest belongs into task`,
      ),
    ),
  task: z.optional(z.object({ context: text, must: text, must_not: text, expected: text })),
};

const HEADS = { context: "CONTEXT", must: "MUST DO", must_not: "MUST NOT", expected: "EXPECTED" } as const;

/** The task in the words that the specialist reads. */
export function renderDelegatedTask({ goal, task }: z.infer<z.ZodMiniObject<typeof TASK_ARGS>>): string {
  const parts = Object.entries(HEADS).flatMap(([name, head]) => {
    const said = task?.[name as keyof typeof HEADS];
    return said === undefined ? [] : [`${head}: ${said}`];
  });
  return [`TASK: ${goal}`, ...parts].join("\n");
}
