import type { HookEvent, HookEvents } from "../../src/host/hook-events.ts";
import { NO_OUTCOME, type ToolEffect } from "../../src/host/tool-call.ts";
import { sessionOf, keyed } from "../support/fake-host.ts";

/** What a payload is made of, whatever its event. */
export interface Given {
  readonly sessionId: string;
  readonly agent: string;
  readonly text: string;
  readonly tool: string;
  readonly effect: ToolEffect;
}

export const COMMAND: ToolEffect = { kind: "command", command: "touch a.txt", workdir: null };
export const EDIT: ToolEffect = {
  kind: "edit",
  isPatch: false,
  edits: [{ path: "a.ts", before: "a", after: "// adds one\na + 1" }],
};
export const QUESTION: ToolEffect = { kind: "question", questions: [{ header: "Mode", question: "Which?" }] };

export const HUGE = "word ".repeat(50_000);
/** Calls as no sane host sends them. */
export const ODD_CALLS: Record<string, Pick<Given, "effect"> & Partial<Given>> = {
  "an unknown tool": { tool: "", effect: { kind: "other", paths: [], addresses: [] } },
  "a command without words": { effect: { kind: "command", command: "", workdir: null } },
  "a huge command": { effect: { kind: "command", command: HUGE, workdir: HUGE } },
  "an edit of nothing": { tool: "edit", effect: { kind: "edit", isPatch: true, edits: [] } },
  "a huge edit": {
    tool: "edit",
    effect: { kind: "edit", isPatch: false, edits: [{ path: HUGE, before: HUGE, after: HUGE }] },
  },
  "a question without questions": { tool: "question", effect: { kind: "question", questions: [] } },
  "a question of odd fields": { tool: "question", effect: { kind: "question", questions: [{ header: 7 }] } },
};

/** The payload of an event, and what a hook has changed of it. */
export function payloadOf<Event extends HookEvent>(
  event: Event,
  given: Given,
): { payload: HookEvents[Event]; changes: unknown[] } {
  const changes: unknown[] = [];
  const change = (...values: unknown[]): void => {
    changes.push(values);
  };
  return { payload: PAYLOADS[event](given, change), changes };
}

type Change = (...values: unknown[]) => void;

const PAYLOADS: { [Event in HookEvent]: (given: Given, change: Change) => HookEvents[Event] } = {
  configuration: ({ text }) => ({
    register: ({ agents }) => ({
      commands: [text],
      denied: { read: [], edit: [], commands: [] },
      agents: Object.keys(agents).map((name) => ({
        name,
        model: null,
        steps: null,
        rulesPaths: false,
        prompt: text,
      })),
    }),
  }),
  "host-event": ({ sessionId }) => ({ type: "session.created", session: sessionOf(sessionId) }),
  "user-message": ({ sessionId, agent, text }, change) => ({
    sessionId,
    agent,
    model: "a/one",
    said: { text, files: [text] },
    useModel: change,
    useAgent: change,
    appendForModel: change,
    reword: change,
    showInstead: change,
  }),
  "command-typed": ({ sessionId, text }, change) => ({
    sessionId,
    // OpenCode's own, which stays as it is where GAIA is not at work.
    name: "review",
    argumentText: text,
    send: change,
  }),
  "before-tool": ({ sessionId, tool, effect, text }, change) => ({
    callId: keyed("call_1"),
    sessionId,
    tool,
    args: { text },
    effect,
    target: { text },
    moveInto: () => undefined,
    carryOut: () => undefined,
    askInstead: change,
  }),
  "after-tool": ({ sessionId, tool, effect, text }, change) => ({
    callId: keyed("call_1"),
    sessionId,
    tool,
    args: { text },
    effect,
    outcome: { ...NO_OUTCOME, text, exitCode: 1 },
    add: change,
    markLines: () => undefined,
    rewrite: change,
  }),
  "shell-environment": ({ sessionId }, change) => ({
    sessionId,
    callId: keyed("call_1"),
    folder: "/project",
    set: change,
  }),
  "before-request": ({ sessionId, text }, change) => ({
    sessionId: sessionId === "" ? null : sessionId,
    parts: [text],
    add: change,
    moveToEnd: change,
  }),
  "request-parameters": ({ sessionId, agent }, change) => ({
    sessionId,
    agent,
    isSide: false,
    limitOutput: change,
    reason: change,
  }),
  compaction: ({ sessionId }, change) => ({ sessionId, add: change }),
  "answer-text": ({ sessionId, text }, change) => ({ sessionId, text, replace: change }),
};
