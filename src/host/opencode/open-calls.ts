import type { Hooks } from "@opencode-ai/plugin";
import { isRecord, textOf } from "../../lib/json.ts";
import { terminalText } from "../../lib/terminal-text.ts";
import type { DialogAnswer, DialogRequest } from "../port.ts";

type Context = Parameters<NonNullable<Hooks["tool"]>[string]["execute"]>[1];

/** OpenCode's dialog always offers "Allow always" and then lists what it would allow: this matches no request. */
const NO_ALWAYS = "nothing further: each approval is asked for by itself";

/** Raises OpenCode's permission dialog in a running call. */
export async function askIn(
  context: Context,
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
  const open = new Set<Context>();
  return {
    /** @returns ends it */
    begin(context: Context): () => void {
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
