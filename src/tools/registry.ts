import { isEditor, type SpecialistDefinition } from "../agents/define.ts";
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

const TOOLS = {
  delegate_gaia: createDelegateTool,
  collect_results: createCollectTool,
  plan_gaia: createPlanTool,
  recall_gaia: createRecallTool,
} satisfies Record<string, (runtime: Runtime) => ToolDefinition>;

/** The names of all tools of this plugin: denied to every agent but GAIA, and to the historian but those of the record. */
export const TOOL_NAMES: readonly string[] = Object.keys(TOOLS);

/** A tool that reads or changes files of the project, for specialists; each is off until the configuration says otherwise. */
interface FileToolEntry {
  isOn(config: ResolvedConfig): boolean;
  /** Whether a specialist gets it, where it is on. */
  isFor(definition: SpecialistDefinition, config: ResolvedConfig): boolean;
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
};

/** The names of those that are on. */
export function fileToolNames(config: ResolvedConfig): string[] {
  return Object.entries(FILE_TOOLS).flatMap(([name, { isOn }]) => (isOn(config) ? [name] : []));
}

/** What a specialist gets of them. */
export function fileToolsOf(config: ResolvedConfig, definition: SpecialistDefinition): string[] {
  return fileToolNames(config).filter((name) => FILE_TOOLS[name]?.isFor(definition, config));
}

export function listFileTools(runtime: Runtime): FileTool[] {
  return Object.values(FILE_TOOLS).flatMap(({ isOn, create }) =>
    isOn(runtime.config) ? [create(runtime)] : [],
  );
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
