import type { Hooks } from "@opencode-ai/plugin";
import { isRecord, textOf } from "../../lib/json.ts";
import { terminalText } from "../../lib/text.ts";
import type { DialogAnswer, DialogRequest } from "../port.ts";
import type { AnnouncedTool } from "../tool.ts";
import type { OpenCodeHost } from "./adapter.ts";
import { denialOf, UNSEEN } from "./calls.ts";
import type { ServedTools } from "./tools.ts";

type OpenCodeTools = NonNullable<Hooks["tool"]>;
export type OpenCodeContext = Parameters<OpenCodeTools[string]["execute"]>[1];

/** Tools in OpenCode's form, as far as it asks for them at a start. @param open loads what they do */
export function announceToOpenCode(
  tools: readonly AnnouncedTool[],
  { logger, toast, calls }: Pick<OpenCodeHost, "logger" | "toast" | "calls">,
  open: () => Promise<ServedTools>,
): OpenCodeTools {
  calls.own(tools.map(({ name }) => name));
  const entries = tools.map(({ name, description, args }): [string, OpenCodeTools[string]] => [
    name,
    {
      description,
      args,
      async execute(raw, context) {
        const served = await open();
        const { runTool, runPrepared } = await import("./tools.ts");
        const tool = served.tools.find((each) => each.name === name);
        const call = calls.ofContext(context);
        call.ask = async (request) => askIn(context, request);
        if (denialOf(call) === UNSEEN) void toast("error", UNSEEN);
        try {
          return await (tool === undefined
            ? runPrepared(name, context, call)
            : runTool(tool, { raw, context, call }, served.endCall, logger));
        } finally {
          call.ask = null;
        }
      },
    },
  ]);
  return Object.fromEntries(entries);
}

/** OpenCode's dialog always offers "Allow always" and then lists what it would allow: this matches no request. */
const NO_ALWAYS = "nothing further: each approval is asked for by itself";

/** Raises OpenCode's permission dialog in a running call. */
export async function askIn(
  context: OpenCodeContext,
  { permission, pattern, metadata }: DialogRequest,
): Promise<DialogAnswer> {
  try {
    const patterns = [terminalText(pattern)];
    const request = { permission: terminalText(permission), patterns, always: [NO_ALWAYS] };
    await context.ask({ ...request, metadata: metadata ?? {} });
    return { approved: true };
  } catch (error) {
    // Rejected, corrected, denied by a rule, or broken: none of these is an approval (SPEC 2.4, 2.7).
    return { approved: false, feedback: isRecord(error) ? (textOf(error["feedback"]) ?? null) : null };
  }
}
