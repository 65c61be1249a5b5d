import type { RunningCall } from "../../src/conversation/tool-calls/tool-fact.ts";
import { readTarget, readToolCall } from "../../src/host/opencode/tool-call.ts";
import { examined } from "./examination.ts";

/** An implementer's call that runs and may change the project. @param before the file's content before it */
export function runningCall(tool: string, args: unknown, before: string | null = null): RunningCall {
  return {
    callId: "c",
    sessionId: "s",
    tool,
    agent: "hephaestus",
    role: "editor",
    examination: examined("project"),
    isCommand: tool === "bash",
    isRecord: false,
    changes: true,
    mutating: true,
    sandbox: null,
    effect: readToolCall(tool, args),
    target: readTarget(tool, args),
    before,
    place: { directory: "/nowhere", project: "/nowhere" },
    isApart: false,
  };
}
