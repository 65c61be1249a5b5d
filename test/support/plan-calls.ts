import * as z from "zod/mini";
import type { ToolCall } from "../../src/host/port.ts";
import { readArguments } from "../../src/lib/tool-arguments.ts";
import { isRefusal } from "../../src/lib/error.ts";
import { recordOf, type JsonRecord } from "../../src/lib/json.ts";
import { createCollectTool } from "../../src/tools/collect.ts";
import { createDelegateTool } from "../../src/tools/delegate.ts";
import { createPlanTool } from "../../src/tools/registry.ts";
import { ROOT, type Composition } from "./composition.ts";
import { keyed } from "./keyed.ts";

/** What the user answers in the dialogs of GAIA's approvals; null where a rule of theirs answers and nobody is asked. */
export type Answer = "yes" | "no" | null;

/** GAIA's tools as she calls them, over the composed plugin, with a user who answers its dialogs. */
export interface PlanCalls {
  /** What the dialogs were about, in order. */
  readonly asked: string[];
  answer: Answer;
  /** What the user answers to one of them instead; `words` say no, and why. */
  answerTo?: (permission: string) => Answer | { readonly words: string };
  plan(op: string, args?: object, sessionId?: string): Promise<JsonRecord>;
  delegate(args: object, sessionId?: string): Promise<JsonRecord>;
  collect(args: object): Promise<JsonRecord>;
}

let calls = 0;

export function planCalls({ runtime, host }: Composition): PlanCalls {
  const tools = {
    plan: createPlanTool(runtime),
    delegate: createDelegateTool(runtime),
    collect: createCollectTool(runtime),
  };
  const asked: string[] = [];

  const callOf = (sessionId: string): ToolCall => {
    calls += 1;
    const callId = keyed(`call_${calls}`);
    return {
      sessionId,
      messageId: "msg",
      callId,
      agent: "gaia",
      abort: new AbortController().signal,
      async ask({ permission }) {
        asked.push(permission);
        const given = api.answerTo?.(permission) ?? api.answer;
        const answer = typeof given === "object" && given !== null ? "no" : given;
        if (answer === null) return { approved: true };
        const requestId = `req_${callId}_${asked.length}`;
        const about = { sessionId, requestId };
        runtime.supervision.observe({
          type: "permission.asked",
          ...about,
          permission,
          kind: "other",
          patterns: ["*"],
          always: [],
          metadata: {},
          callId,
        });
        runtime.supervision.observe({
          type: "permission.replied",
          ...about,
          reply: answer === "yes" ? "once" : "reject",
        });
        return answer === "yes"
          ? { approved: true }
          : { approved: false, feedback: typeof given === "object" ? (given?.words ?? null) : null };
      },
    };
  };
  const run = async (tool: keyof typeof tools, args: object, sessionId: string): Promise<JsonRecord> => {
    const read = readArguments(z.object(tools[tool].args), args);
    if (!read.ok) return { ok: false, status: "failed", error: read.problem };
    const { result } = await tools[tool].execute(read.args, callOf(sessionId));
    return recordOf(isRefusal(result) ? tools[tool].renderRefusal(result) : result);
  };
  const api: PlanCalls = {
    asked,
    answer: "yes",
    plan: async (op, args = {}, sessionId = ROOT) => run("plan", { op, ...args }, sessionId),
    delegate: async (args, sessionId = ROOT) => run("delegate", args, sessionId),
    collect: async (args) => run("collect", args, ROOT),
  };
  host.catalog = { available: new Set(["a/one"]), facts: [], fallback: null };
  return api;
}
