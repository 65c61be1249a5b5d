import { defineFileTool, type FileTool } from "../host/tool.ts";
import type { Runtime } from "../runtime.ts";
import { SKILL_MCP } from "./announced.ts";

/** `skill_mcp` (SPEC 5): the one gateway to the MCP servers that skills bring. */
export function createSkillMcpTool(runtime: Runtime): FileTool {
  return defineFileTool({
    ...SKILL_MCP,
    async prepare(args, place) {
      const { prepareSkillCall } = await import("./skill-call.ts");
      return prepareSkillCall(runtime, args, place);
    },
  });
}
