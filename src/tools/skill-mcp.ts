import * as z from "zod/mini";
import { defineFileTool, type FileTool } from "../host/tool.ts";
import type { Runtime } from "../runtime.ts";

/** `skill_mcp` (SPEC 5): the one gateway to the MCP servers that skills bring. */
export function createSkillMcpTool(runtime: Runtime): FileTool {
  return defineFileTool({
    name: "skill_mcp",
    description: "Call a tool of a skill's MCP server. Without tool: lists its tools.",
    args: {
      server: z.string(),
      tool: z.optional(z.string()),
      arguments: z.optional(z.record(z.string(), z.unknown())),
    },
    async prepare(args, place) {
      const { prepareSkillCall } = await import("./skill-call.ts");
      return prepareSkillCall(runtime, args, place);
    },
  });
}
