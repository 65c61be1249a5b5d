import * as z from "zod/mini";
import { describeError, type Logger, isRefusal, refuse } from "../../lib/error.ts";
import { terminalText } from "../../lib/text.ts";
import { readArguments } from "../../lib/tool-arguments.ts";
import type { FileToolCall, ToolCall } from "../port.ts";
import type { EndCall, ToolDefinition, ToolOutput } from "../tool.ts";
import { askIn, type OpenCodeContext } from "./announced-tool.ts";
import { denialOf, type OpenCall } from "./calls.ts";

/** OpenCode cuts a tool's output at 50 KB; a result above this many bytes leaves no room for lines that must not be cut. */
const MAX_BYTES = 46_000;

/** What the plugin's tools do; those for files are carried out as they were prepared. */
export interface ServedTools {
  readonly tools: readonly ToolDefinition[];
  readonly endCall: EndCall;
}

interface OpenCodeOutput {
  title: string;
  output: string;
  metadata: object;
}

/** A call as OpenCode has its tool carry it out. */
interface Execution {
  readonly raw: unknown;
  readonly context: OpenCodeContext;
  readonly call: OpenCall;
}

/** Runs a tool; OpenCode checks no arguments (OPENCODE.md trap 3), so a call that does not fit is answered with what to correct. */
export async function runTool(
  tool: ToolDefinition,
  { raw, context, call: open }: Execution,
  endCall: EndCall,
  logger: Logger,
): Promise<OpenCodeOutput> {
  const call = readCall(context, open);
  const denial = denialOf(open);
  const read = readArguments(z.object(tool.args), raw);
  const run = async (): Promise<ToolOutput> => {
    if (denial !== null) return { title: "refused", result: refuse(denial) };
    const wrong = `${tool.name}: wrong arguments`;
    if (!read.ok) return { title: wrong, result: { ...refuse(read.problem), isSlip: true } };
    try {
      return await tool.execute(read.args, call);
    } catch (error) {
      logger.log("error", tool.name, describeError(error));
      const message = `${tool.name} failed inside the plugin: ${describeError(error)}`;
      return { title: `${tool.name}: failed`, result: refuse(message) };
    }
  };
  const { title: named, result, metadata = {} } = await run();
  const title = terminalText(named);
  const shown = isRefusal(result) ? tool.renderRefusal(result) : result;
  const output = JSON.stringify(shown);
  // The hook that reports the results of native tools ends such a call, and puts the lines behind its text.
  const isOver = denial !== null || call.abort.aborted;
  if (isOver || Buffer.byteLength(output) > MAX_BYTES) return { title, output, metadata };
  const lines = await endCall(tool.name, read.ok ? read.args : raw, call, result).catch((error: unknown) => {
    logger.log("error", tool.name, describeError(error));
    return [];
  });
  if (lines.length === 0) return { title, output, metadata };
  return { title, output: JSON.stringify({ ...shown, checkin: lines.join("\n") }), metadata };
}

/**
 * Carries out what was prepared for a call of a tool for files, once and no more. What it says is text, and the hook that
 * reports the results of native tools ends the call; one that changed nothing fails, as with them.
 */
export async function runPrepared(
  tool: string,
  context: OpenCodeContext,
  call: OpenCall,
): Promise<OpenCodeOutput> {
  const denial = denialOf(call);
  if (denial !== null) throw new Error(denial);
  const { run } = call;
  if (run === null)
    throw new Error(`${tool} works for GAIA's specialists, and nothing was prepared for this call.`);
  call.run = null;
  const { title, text, files, metadata = {} } = await run(readCall(context, call));
  call.written = files;
  return { title: terminalText(title), output: text, metadata };
}

function readCall(context: OpenCodeContext, { key }: OpenCall): FileToolCall & ToolCall {
  return {
    sessionId: context.sessionID,
    messageId: context.messageID,
    callId: key,
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
