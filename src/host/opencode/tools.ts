import * as z from "zod/mini";
import { describeError, type Logger, isRefusal, refuse } from "../../lib/error.ts";
import { lazy } from "../../lib/async.ts";
import { terminalText } from "../../lib/text.ts";
import type { FileToolCall, ToolCall } from "../port.ts";
import type {
  AnnouncedTool,
  EndCall,
  FileToolOutput,
  ToolDefinition as OwnTool,
  ToolOutput,
} from "../tool.ts";
import { readArguments } from "../../lib/tool-arguments.ts";
import { type Calls, createCalls } from "./calls.ts";
import { askIn } from "./announced-tool.ts";
import { WRITTEN } from "./tool-call.ts";
import type { Hooks } from "@opencode-ai/plugin";

type OpenCodeTools = NonNullable<Hooks["tool"]>;
type OpenCodeTool = OpenCodeTools[string];
type OpenCodeContext = Parameters<OpenCodeTool["execute"]>[1];

/** What a tool does, told besides what OpenCode tells it why a gate refused the call; null where none did. */
interface OpenCodeServedTool {
  execute(
    raw: unknown,
    context: OpenCodeContext,
    denial?: string | null,
  ): ReturnType<OpenCodeTool["execute"]>;
}
export type OpenCodeServedTools = Readonly<Record<string, OpenCodeServedTool>>;

/** OpenCode cuts a tool's output at 50 KB; a result above this many bytes leaves no room for lines that must not be cut. */
const MAX_BYTES = 46_000;

/** What the plugin's tools do. */
export interface ServedTools {
  readonly tools: readonly OwnTool[];
  readonly endCall: EndCall;
  readonly fileTools: readonly ServedTool[];
}

export function serveTools(
  { tools, endCall, fileTools }: ServedTools,
  logger: Logger,
  calls: Pick<Calls, "ofContext">,
): OpenCodeServedTools {
  const served = tools.map((tool) => [tool.name, toOpenCodeTool(tool, logger, endCall, calls)] as const);
  return Object.fromEntries([
    ...served,
    ...fileTools.map((tool) => [tool.name, toOpenCodeFileTool(tool, calls)] as const),
  ]);
}

/**
 * A tool in OpenCode's form. OpenCode does not check arguments (OPENCODE.md trap 3), so they are read here, and a
 * call that does not fit is answered with the fields to correct.
 */
export function toOpenCodeTool(
  tool: OwnTool,
  logger: Logger,
  endCall: EndCall,
  calls: Pick<Calls, "ofContext"> = createCalls(),
): OpenCodeServedTool {
  const schema = lazy(() => z.object(tool.args));
  const run = async (read: ReturnType<typeof readArguments>, call: ToolCall): Promise<ToolOutput> => {
    if (!read.ok) return { title: `${tool.name}: wrong arguments`, result: failed(read.problem) };
    try {
      return await tool.execute(read.args, call);
    } catch (error) {
      logger.log("error", tool.name, describeError(error));
      const message = `${tool.name} failed inside the plugin: ${describeError(error)}`;
      return { title: `${tool.name}: failed`, result: failed(message) };
    }
  };
  return {
    async execute(raw, context, denial = null) {
      const call = readCall(context, calls);
      const read = readArguments(schema(), raw);
      const done: ToolOutput =
        denial === null ? await run(read, call) : { title: "refused", result: refuse(denial) };
      const { result, metadata = {} } = done;
      const title = terminalText(done.title);
      const shown = isRefusal(result) ? tool.renderRefusal(result) : result;
      const output = JSON.stringify(shown);
      // The hook that reports the results of native tools ends such a call, and puts the lines behind its text.
      const isOver = denial !== null || call.abort.aborted;
      if (isOver || Buffer.byteLength(output) > MAX_BYTES) return { title, output, metadata };
      const lines = await endCall(tool.name, read.ok ? read.args : raw, call, result).catch(
        (error: unknown) => {
          logger.log("error", tool.name, describeError(error));
          return [];
        },
      );
      if (lines.length === 0) return { title, output, metadata };
      return { title, output: JSON.stringify({ ...shown, checkin: lines.join("\n") }), metadata };
    },
  };
}

interface ServedTool extends AnnouncedTool {
  run(call: FileToolCall): Promise<FileToolOutput>;
}

/**
 * A tool for files in OpenCode's form: it carries out what was prepared, and no more. What it says is text, and the hook that
 * reports the results of native tools ends its calls; one that changed nothing fails, as with them.
 */
export function toOpenCodeFileTool(
  { run }: ServedTool,
  calls: Pick<Calls, "ofContext"> = createCalls(),
): OpenCodeServedTool {
  return {
    async execute(_args, context, denial = null) {
      if (denial !== null) throw new Error(denial);
      const { title, text, files, metadata = {} } = await run(readCall(context, calls));
      return { title: terminalText(title), output: text, metadata: { ...metadata, [WRITTEN]: files } };
    },
  };
}

function failed(message: string): object {
  return { status: "failed", ok: false, error: message, message };
}

function readCall(context: OpenCodeContext, calls: Pick<Calls, "ofContext">): FileToolCall {
  return {
    sessionId: context.sessionID,
    messageId: context.messageID,
    callId: calls.ofContext(context),
    agent: context.agent,
    abort: context.abort,
    ask: async (request) => askIn(context, request),
    // A refusal ends the call in OpenCode's own words, as an edit of its own does.
    async askToEdit(paths, diff) {
      const metadata = { filepath: paths.join(", "), diff };
      await context.ask({ permission: "edit", patterns: [...paths], always: ["*"], metadata });
    },
  };
}
