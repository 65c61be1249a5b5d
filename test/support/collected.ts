import type { HostEvent } from "../../src/host/port.ts";
import { keyed } from "./fake-host.ts";

/** OpenCode has stored what became of a call that collects results. */
export function collected(sessionId: string, callId: string, status: "completed" | "error"): HostEvent {
  const about = { messageId: "m", partId: "p", tool: "collect_results", kind: "other", title: "" } as const;
  return { type: "tool.activity", sessionId, callId: keyed(callId), status, ...about };
}
