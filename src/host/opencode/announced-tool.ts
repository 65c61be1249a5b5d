import type { Hooks } from "@opencode-ai/plugin";
import { isRecord, textOf } from "../../lib/json.ts";
import { terminalText } from "../../lib/text.ts";
import type { DialogAnswer, DialogRequest } from "../port.ts";
import type { AnnouncedTool } from "../tool.ts";
import type { OpenCodeHost } from "./adapter.ts";
import { type Calls, UNSEEN } from "./calls.ts";
import type { OpenCodeServedTools, ServedTools } from "./tools.ts";

type OpenCodeTools = NonNullable<Hooks["tool"]>;
type OpenCodeContext = Parameters<OpenCodeTools[string]["execute"]>[1];

/** Tools in OpenCode's form, as far as it asks for them at a start. @param open loads what they do */
export function announceToOpenCode(
  tools: readonly AnnouncedTool[],
  { logger, openCalls, toast }: Pick<OpenCodeHost, "logger" | "openCalls" | "toast">,
  open: () => Promise<ServedTools>,
  calls: Pick<Calls, "ofContext" | "reasonFor" | "endDenied">,
): OpenCodeTools {
  let served: OpenCodeServedTools | null = null;
  const serve = async (): Promise<OpenCodeServedTools> => {
    const features = await open();
    const { serveTools } = await import("./tools.ts");
    return (served ??= serveTools(features, logger, calls));
  };
  const entries = tools.map(({ name, description, args }): [string, OpenCodeTools[string]] => [
    name,
    {
      description,
      args,
      async execute(raw, context) {
        const tool = (await serve())[name];
        if (tool === undefined) throw new Error(`${name} is announced, and nothing serves it.`);
        const call = calls.ofContext(context);
        const end = openCalls.begin(context);
        try {
          const denial = calls.reasonFor(call, context.sessionID);
          if (denial === UNSEEN) void toast("error", UNSEEN);
          return await tool.execute(raw, context, denial);
        } catch (error) {
          calls.endDenied(call); // OpenCode says nothing of what fails.
          throw error;
        } finally {
          end();
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

/** Calls of the plugin's tools that run now: only in one of them can a dialog be raised. */
export function createOpenCalls() {
  const open = new Set<OpenCodeContext>();
  return {
    /** @returns ends it */
    begin(context: OpenCodeContext): () => void {
      open.add(context);
      return () => void open.delete(context);
    },
    /** As {@link Host.askInSession}. */
    ask(sessionId: string, request: DialogRequest): Promise<DialogAnswer> | null {
      const newest = [...open].findLast(({ sessionID }) => sessionID === sessionId);
      return newest === undefined ? null : askIn(newest, request);
    },
  };
}
