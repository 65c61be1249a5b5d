import * as z from "zod/mini";
import type { FileToolCall } from "../../host/port.ts";
import type { AnnouncedTool, FilePlace, FileTool, FileToolOutput, PreparedCall } from "../../host/tool.ts";
import type { ToolEffect } from "../../host/tool-call.ts";
import { readArguments } from "../../lib/tool-arguments.ts";
import { describeError, isRefusal, type Refusal, refuse } from "../../lib/error.ts";
import type { Redactor } from "../../lib/redaction.ts";

/** A call that is refused after this is never taken; it holds the texts of its files. */
const MAX_WAITING = 100;

export type PreparedCalls = ReturnType<typeof createPreparedCalls>;

export interface PreparedTool extends AnnouncedTool {
  /** @throws Error for a call that changed nothing, with words for the model */
  run(call: FileToolCall): Promise<FileToolOutput>;
}

/**
 * Calls of the plugin's own tools for files between what is decided about them and what they do: what is carried out is what
 * was judged, and what nobody has judged is not carried out.
 */
export function createPreparedCalls(redact: Redactor) {
  const waiting = new Map<string, { readonly tool: string; readonly call: PreparedCall }>();
  return {
    /** Works out what a call does. @returns its effect, or why it cannot be made */
    async prepare(
      tool: FileTool,
      callId: string,
      given: unknown,
      place: FilePlace,
    ): Promise<ToolEffect | Refusal> {
      const read = readArguments(z.object(tool.args), given);
      if (!read.ok) return refuse(redact(read.problem));
      const prepared = await tool.prepare(read.args, place);
      if (isRefusal(prepared)) {
        // What was found out on the way may quote files; no hook sees the words of a call that does not run.
        return { ...prepared, reason: redact(prepared.reason), hint: redact(prepared.hint) };
      }
      waiting.set(callId, { tool: tool.name, call: prepared });
      const [oldest] = waiting.keys();
      if (waiting.size > MAX_WAITING && oldest !== undefined) waiting.delete(oldest);
      return prepared.effect;
    },
    /** Whether a call was prepared here and waits to be made. */
    has: (callId: string) => waiting.has(callId),
    /** A tool as its host calls it: it carries out what was prepared, once, and no more. */
    serve: ({ name, description, args }: FileTool): PreparedTool => ({
      name,
      description,
      args,
      run: async (call) => run(name, call),
    }),
  };

  async function run(tool: string, call: FileToolCall): Promise<FileToolOutput> {
    const found = waiting.get(call.callId);
    waiting.delete(call.callId);
    if (found?.tool !== tool)
      throw new Error(`${tool} works for GAIA's specialists, and nothing was prepared for this call.`);
    if (call.abort.aborted) throw new Error("Stopped before anything was changed.");
    try {
      return await found.call.run(call);
    } catch (error) {
      const said = describeError(error);
      const shown = redact(said);
      // As it is, where it can be: the host tells a person's no by it.
      throw shown === said ? error : new Error(shown, { cause: error });
    }
  }
}
