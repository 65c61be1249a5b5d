import type { ToolDefinition } from "../host/tool.ts";
import type { Runtime } from "../runtime.ts";
import { createCollectTool } from "./collect.ts";
import { createDelegateTool } from "./delegate.ts";
import { createPlanTool } from "./plan.ts";
import { createRecallTool } from "./recall.ts";

const TOOLS = {
  delegate_gaia: createDelegateTool,
  collect_results: createCollectTool,
  plan_gaia: createPlanTool,
  recall_gaia: createRecallTool,
} satisfies Record<string, (runtime: Runtime) => ToolDefinition>;

/** The names of all tools of this plugin: denied to every agent but GAIA, and to the historian but those of the record. */
export const TOOL_NAMES: readonly string[] = Object.keys(TOOLS);

export function listTools(runtime: Runtime): ToolDefinition[] {
  return Object.values(TOOLS).map((create) => create(runtime));
}
