import type { EndCall, ToolDefinition } from "../host/tool.ts";
import { NO_OUTCOME } from "../host/tool-call.ts";
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
    await conversation.outbox.flush();
    const reminder = await supervision.handshake.remind(conversation, tool, args);
    return [...conversation.takeLines(), ...reminder];
  };
}
