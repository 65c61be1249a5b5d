import { defineTool, type ToolDefinition } from "../host/tool.ts";
import { pathIn } from "../lib/path-in.ts";
import { renderAsOperation } from "../lib/refusal.ts";
import type { PlanArgs } from "../plan/operations/args.ts";
import { operate } from "../plan/operations/operations.ts";
import type { Runtime } from "../runtime.ts";
import { PLAN } from "./announced.ts";

/** `plan_gaia` (SPEC 5): the only way by which models write workflow files. */
export function createPlanTool(runtime: Runtime): ToolDefinition {
  const { project, directory } = runtime.host;
  return defineTool({
    ...PLAN,
    renderRefusal: renderAsOperation,
    async execute({ content, ...parsed }, call) {
      const input = { ...parsed, ...content } as PlanArgs;
      // A folder is named from where the model works, which may be below the project.
      const dir = input.dir === undefined ? null : await pathIn(project, directory, input.dir);
      const result = await operate(runtime, dir === null ? input : { ...input, dir }, call);
      return { title: `${input.op} ${input.slug ?? ""}`.trim(), result };
    },
  });
}
