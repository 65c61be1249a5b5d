import * as z from "zod/mini";
import type { FilePlace, FileTool, PreparedCall } from "../../host/tool.ts";
import { readArguments } from "../../lib/tool-arguments.ts";
import { describeError, isRefusal, type Refusal, refuse } from "../../lib/error.ts";
import type { Redactor } from "../../lib/redaction.ts";

/**
 * Works out what a call of one of the plugin's own tools for files does, so that what is judged is what is carried out.
 * No word of it shows a secret, since no hook sees the words of a call that does not run.
 */
export async function prepareCall(
  tool: FileTool,
  given: unknown,
  place: FilePlace,
  redact: Redactor,
): Promise<PreparedCall | Refusal> {
  const read = readArguments(z.object(tool.args), given);
  if (!read.ok) return refuse(redact(read.problem));
  const prepared = await tool.prepare(read.args, place);
  if (isRefusal(prepared))
    return { ...prepared, reason: redact(prepared.reason), hint: redact(prepared.hint) };
  return {
    effect: prepared.effect,
    async run(call) {
      if (call.abort.aborted) throw new Error("Stopped before anything was changed.");
      try {
        return await prepared.run(call);
      } catch (error) {
        const said = describeError(error);
        const shown = redact(said);
        // As it is, where it can be: the host tells a person's no by it.
        throw shown === said ? error : new Error(shown, { cause: error });
      }
    },
  };
}
