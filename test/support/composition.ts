import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, vi } from "vitest";
import { createRegisterHook, createReportProblemsHook } from "../../src/hooks/at-start.ts";
import { listHooks } from "../../src/hooks/registry.ts";
import type { Conversation } from "../../src/conversation/conversation.ts";
import type { Host, HostEvent, ToolCall } from "../../src/host/port.ts";
import type { Runtime } from "../../src/runtime.ts";
import { createFakeHost, sessionOf, keyed } from "./fake-host.ts";
import { createRuntime } from "./runtime.ts";
import { defineHook, type HookDefinition } from "../../src/host/hook-events.ts";
import * as z from "zod/mini";
import { readArguments } from "../../src/lib/tool-arguments.ts";
import { isRefusal } from "../../src/lib/error.ts";
import { recordOf, type JsonRecord } from "../../src/lib/json.ts";
import { createCollectTool } from "../../src/tools/collect.ts";
import { createDelegateTool } from "../../src/tools/delegate.ts";
import { createPlanTool } from "../../src/tools/registry.ts";

/** The root session in which a user speaks to GAIA. */
export const ROOT = "ses_root";
/** A session of another agent's, which began while the plugin was there. */
export const NATIVE = "ses_native";
/** The host knows it, the plugin has not met it. */
export const FOREIGN = "ses_foreign";

/** The plugin as production composes it, in an empty project, over a host in memory. */
export type Composition = Awaited<ReturnType<typeof compose>>;

const ends: (() => Promise<void>)[] = [];

/** Composes the plugin; the test's end disposes of it. In its sessions a user has just begun. */
export async function compose(
  options: object = {},
  given: Partial<Host> | ((directory: string) => Promise<Partial<Host>>) = {},
) {
  const directory = await mkdtemp(join(tmpdir(), "gaia-family-"));
  vi.stubEnv("XDG_CONFIG_HOME", directory);
  const data = `${directory}-data`;
  vi.stubEnv("XDG_DATA_HOME", data);
  const asked: string[] = [];
  const host = Object.assign(
    createFakeHost(directory),
    typeof given === "function" ? await given(directory) : given,
  );
  const sessions = { ...host.sessions };
  for (const [name, ask] of Object.entries(sessions)) {
    const record = async (...args: never[]): Promise<unknown> => {
      asked.push(name);
      return (ask as (...args: never[]) => Promise<unknown>)(...args);
    };
    Object.assign(host.sessions, { [name]: record });
  }
  const { runtime, dispose } = await createRuntime(host, options);
  ends.push(dispose);
  for (const folder of [data, directory])
    ends.push(async () => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  host.stored.set(FOREIGN, sessionOf(FOREIGN));
  for (const [id, agent] of [
    [ROOT, "gaia"],
    [NATIVE, "build"],
  ] as const) {
    host.stored.set(id, sessionOf(id));
    runtime.sessions.observe({ type: "session.created", session: sessionOf(id) });
    runtime.sessions.spoke(id, agent, "a/one");
  }
  return {
    runtime,
    hooks: [
      createRegisterHook(runtime),
      createReportProblemsHook(runtime),
      ...listHooks(runtime).map((hook) => atTheDoor(hook, runtime)),
    ] as readonly HookDefinition[],
    host,
    /** Names of the questions about sessions that the host was asked. */
    asked,
    /** The conversation of {@link ROOT}. */
    async conversation(): Promise<Conversation> {
      const found = await runtime.conversations.of(ROOT);
      if (found === null) throw new Error(`${ROOT} is not GAIA's`);
      return found.conversation;
    },
  };
}

/** The sessions hear of an event before GAIA's features do. */
function atTheDoor(hook: HookDefinition, { sessions }: Runtime): HookDefinition {
  if (hook.event !== "host-event") return hook;
  return defineHook({
    ...hook,
    event: "host-event",
    run(event: HostEvent) {
      sessions.observe(event);
      return hook.run(event);
    },
  });
}

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

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
