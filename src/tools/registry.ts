import { isEditor, type SpecialistDefinition } from "../agents/define.ts";
import type { PermissionRules } from "../agents/permission.ts";
import { APPROVAL_PERMISSIONS } from "../conversation/approvals/ask-approval.ts";
import type { EndCall, FileTool, ToolDefinition } from "../host/tool.ts";
import type { ResolvedConfig } from "../config/schema.ts";
import { NO_OUTCOME } from "../host/tool-call.ts";
import type { Runtime } from "../runtime.ts";
import { editingOf, hasAnchoredEditing } from "../config/editing.ts";
import { createAstTool } from "./ast.ts";
import { createCodeTool } from "./code.ts";
import { createCollectTool } from "./collect.ts";
import { createDelegateTool } from "./delegate.ts";
import { createEditTool } from "./edit.ts";
import { createPlanTool } from "./plan.ts";
import { createRecallTool } from "./recall.ts";
import { createSkillMcpTool } from "./skill-mcp.ts";
import { createTellTool } from "./tell.ts";

const TOOLS = {
  delegate_gaia: createDelegateTool,
  collect_results: createCollectTool,
  plan_gaia: createPlanTool,
  recall_gaia: createRecallTool,
} satisfies Record<string, (runtime: Runtime) => ToolDefinition>;

/** The names of all tools of this plugin: denied to every agent but GAIA, and to the historian but those of the record. */
export const TOOL_NAMES: readonly string[] = Object.keys(TOOLS);

/** A tool that works on the project, or tells others something, for specialists: what a call does is known before it runs. Each is off until the configuration says otherwise. */
interface FileToolEntry {
  isOn(config: ResolvedConfig): boolean;
  /** Whether a specialist gets it, where it is on. */
  isFor(definition: SpecialistDefinition, config: ResolvedConfig): boolean;
  /** Permissions that it raises a dialog for. */
  readonly asks?: readonly string[];
  /** It calls what others bring, so that nothing is known of it but what the call declares. */
  readonly callsOthers?: true;
  create(runtime: Runtime): FileTool;
}

const FILE_TOOLS: Readonly<Record<string, FileToolEntry>> = {
  ast_gaia: {
    isOn: ({ ast }) => ast === "on",
    // The historian knows of the record only.
    isFor: ({ access }) => access.edit !== "record",
    create: createAstTool,
  },
  edit_gaia: {
    isOn: hasAnchoredEditing,
    isFor: ({ name, access }, config) => isEditor(access) && editingOf(config, name) === "anchored",
    create: createEditTool,
  },
  code_gaia: {
    isOn: ({ code }) => code === "on",
    // Of the record no server knows anything.
    isFor: ({ access }) => access.edit !== "record",
    create: createCodeTool,
  },
  skill_mcp: {
    isOn: ({ skillServers }) => skillServers === "on",
    isFor: ({ access }) => access.edit !== "record",
    asks: ["skill_mcp: *", ...APPROVAL_PERMISSIONS],
    callsOthers: true,
    create: createSkillMcpTool,
  },
  tell_gaia: {
    isOn: ({ delegation }) => delegation.messages === "on",
    isFor: () => true,
    create: createTellTool,
  },
};

const listOn = (config: ResolvedConfig): [name: string, entry: FileToolEntry][] =>
  Object.entries(FILE_TOOLS).filter(([, { isOn }]) => isOn(config));

/** The names of those that are on. */
export function fileToolNames(config: ResolvedConfig): string[] {
  return listOn(config).map(([name]) => name);
}

/** Those of them that do nothing but what is known of them. */
export function ownFileTools(config: ResolvedConfig): string[] {
  return listOn(config).flatMap(([name, { callsOthers }]) => (callsOthers === true ? [] : [name]));
}

/** What a specialist may do with those that are on. */
export function fileToolsOf(config: ResolvedConfig, definition: SpecialistDefinition): PermissionRules {
  const rules: PermissionRules = {};
  for (const [name, { isFor, asks = [] }] of listOn(config)) {
    if (!isFor(definition, config)) continue;
    rules[name] = "allow";
    for (const permission of asks) rules[permission] = "ask";
  }
  return rules;
}

export function listFileTools(runtime: Runtime): FileTool[] {
  return listOn(runtime.config).map(([, { create }]) => create(runtime));
}

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
