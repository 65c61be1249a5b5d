import type { EndCall, FileTool, ToolDefinition } from "../host/tool.ts";
import { NO_OUTCOME } from "../host/tool-call.ts";
import type { Runtime } from "../runtime.ts";
import { AST, CODE, EDIT, fileToolNames, SKILL_MCP, TELL } from "./announced.ts";
import { createAstTool } from "./ast.ts";
import { createCodeTool } from "./code.ts";
import { createCollectTool } from "./collect.ts";
import { createDelegateTool } from "./delegate.ts";
import { createEditTool } from "./edit.ts";
import { createPlanTool } from "./plan.ts";
import { createRecallTool } from "./recall.ts";
import { createSkillMcpTool } from "./skill-mcp.ts";
import { createTellTool } from "./tell.ts";

const FILE_TOOLS: Readonly<Record<string, (runtime: Runtime) => FileTool>> = {
  [AST.name]: createAstTool,
  [EDIT.name]: createEditTool,
  [CODE.name]: createCodeTool,
  [SKILL_MCP.name]: createSkillMcpTool,
  [TELL.name]: createTellTool,
};

export function listTools(runtime: Runtime): ToolDefinition[] {
  return [createDelegateTool, createCollectTool, createPlanTool, createRecallTool].map((create) =>
    create(runtime),
  );
}

/** Those for specialists that are on. */
export function listFileTools(runtime: Runtime): FileTool[] {
  return fileToolNames(runtime.config).flatMap((name) => FILE_TOOLS[name]?.(runtime) ?? []);
}

/**
 * Ends a call of one of these tools for the state, shows the user what is to be seen of it, and takes what GAIA has to be
 * told with the result. A call of the root is the safe moment for a note: a model turn follows in any case.
 */
export function createEndCall({ supervision, conversations }: Runtime): EndCall {
  return async (tool, args, { callId, sessionId }, result) => {
    await supervision.calls.finished(callId, NO_OUTCOME);
    const found = await conversations.of(sessionId);
    if (found === null || found.session.specialist !== null) return [];
    const { conversation } = found;
    conversation.parts.refusedCalls.ended(tool, args, result);
    conversation.parts.oneShot.ended(tool, args, result);
    await conversation.outbox.flushInCall();
    const reminder = await supervision.handshake.remind(conversation, tool, args);
    return [...conversation.takeLines(), ...reminder];
  };
}
