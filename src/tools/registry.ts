import { askApproval } from "../conversation/approvals/ask-approval.ts";
import { ANCHORED_EDITS, createEditTool } from "../extras/anchored-edits/open.ts";
import { AST, createAstTool } from "../extras/ast/open.ts";
import { createCodeTool, LANGUAGE_SERVERS } from "../extras/language-servers/open.ts";
import { createSkillMcpTool, SKILL_SERVERS } from "../extras/skill-servers/open.ts";
import { defineFileTool, type EndCall, type FileTool, type ToolDefinition } from "../host/tool.ts";
import { NO_OUTCOME } from "../host/tool-call.ts";
import { isRefusal, refuse } from "../lib/refusal.ts";
import type { Runtime } from "../runtime.ts";
import { fileToolNames, TELL } from "./announced.ts";
import { createCollectTool } from "./collect.ts";
import { createDelegateTool } from "./delegate.ts";
import { createPlanTool } from "./plan.ts";
import { createRecallTool } from "./recall.ts";

const FILE_TOOLS: Readonly<Record<string, (runtime: Runtime) => FileTool>> = {
  [AST.tool.name]: createAstTool,
  [ANCHORED_EDITS.tool.name]: createEditTool,
  [LANGUAGE_SERVERS.tool.name]: createCodeTool,
  [SKILL_SERVERS.tool.name]: createSkillGateway,
  [TELL.name]: createTellTool,
};

function createSkillGateway(runtime: Runtime): FileTool {
  const { conversations, supervision } = runtime;
  return createSkillMcpTool({
    ...runtime,
    uses: async (sessionId, skill) =>
      (await conversations.of(sessionId))?.conversation.parts.bearings.uses(sessionId, skill) === true,
    async approve(sessionId, title, call) {
      const found = await conversations.of(sessionId);
      if (found === null) return refuse("This session is not one of GAIA's.");
      const { conversation } = found;
      const approval = { kind: "server", workUnit: conversation.state.workUnit ?? "", title } as const;
      const answer = await askApproval(conversation, supervision.dialogs, approval, call);
      return isRefusal(answer) ? answer : null;
    },
  });
}

/** `tell_gaia` (SPEC 5): what a specialist tells another one of its wave. It touches no file. */
function createTellTool({ conversations }: Runtime): FileTool {
  return defineFileTool({
    ...TELL,
    async prepare(said, { sessionId }) {
      const words = { ...said, sessionId };
      const messages = (await conversations.of(sessionId))?.conversation.parts.messages;
      if (messages === undefined) return refuse("Nobody works beside you.");
      return (
        messages.whyNot(words) ?? {
          effect: { kind: "read", paths: [], patterns: [], addresses: [] },
          async run() {
            const sent = messages.send(words);
            if (typeof sent !== "string") throw new Error(`${sent.reason} ${sent.hint}`.trim());
            return { title: said.to, text: sent, files: [] };
          },
        }
      );
    },
  });
}

export function listTools(runtime: Runtime): ToolDefinition[] {
  return [createDelegateTool, createCollectTool, createPlanTool, createRecallTool].map((create) =>
    create(runtime),
  );
}

export function listFileTools(runtime: Runtime): FileTool[] {
  return fileToolNames(runtime.config).flatMap((name) => FILE_TOOLS[name]?.(runtime) ?? []);
}

/** Ends a call of one of these tools for state and user. @returns what GAIA has to be told with the result */
export function createEndCall({ supervision, conversations }: Runtime): EndCall {
  return async (tool, args, { callId, sessionId }, result) => {
    await supervision.calls.finished(callId, NO_OUTCOME);
    const found = await conversations.of(sessionId);
    if (found === null || found.session.specialist !== null) return [];
    const { conversation } = found;
    conversation.parts.report.ended(tool, args, result);
    await conversation.outbox.flushInCall();
    return conversation.takeLines();
  };
}
