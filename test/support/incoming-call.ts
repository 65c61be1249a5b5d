import type { FileCalls } from "../../src/conversation/tool-calls/gates.ts";
import type { IncomingCall } from "../../src/host/hook-events.ts";
import { keyed } from "./fake-host.ts";

let count = 0;

/** A call of a session that is about to run a command. */
export function callOf(
  sessionId: string,
  effect: Extract<IncomingCall["effect"], { kind: "command" }>,
): IncomingCall {
  count += 1;
  return {
    callId: keyed(`incoming_${count}`),
    sessionId,
    tool: "bash",
    args: { command: effect.command },
    effect,
    target: { text: "" },
    moveInto: () => undefined,
    carryOut: () => undefined,
    askInstead: () => undefined,
  };
}

/** Where the plugin offers no tools for files. */
export const NO_FILE_CALLS: FileCalls = { tools: [], redact: (text) => text, isAnchored: () => false };
