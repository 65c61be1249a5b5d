import { describe, expect, it } from "vitest";
import { readEvent } from "../../src/host/opencode/events.ts";
import { readCases } from "../support/cases.ts";

const tokens = { input: 5, output: 2, reasoning: 1, cache: { read: 3, write: 0 } };
const message = { role: "assistant", id: "m", sessionID: "s", tokens, cost: 0.5 };
const spent = { tokens: { input: 5, output: 3, cached: 3 }, cost: 0.5 };
const tool = { type: "tool", sessionID: "s", messageID: "m", id: "p", callID: "c" };

describe("an event of OpenCode's", () => {
  it.each<[string, unknown, unknown]>([
    [
      "message.updated",
      { info: { ...message, finish: "stop", time: { created: 1 } } },
      { type: "message.started", sessionId: "s", messageId: "m" },
    ],
    [
      "message.updated",
      { info: { ...message, finish: "tool-calls", time: { created: 1, completed: 2 } } },
      { type: "message.finished", sessionId: "s", messageId: "m", isAnswer: false, ...spent },
    ],
    [
      "message.updated",
      { info: { ...message, error: { name: "APIError" }, time: { created: 1, completed: 2 } } },
      { type: "message.finished", sessionId: "s", messageId: "m", isAnswer: false, isFailed: true, ...spent },
    ],
    [
      "message.part.updated",
      { part: { ...tool, tool: "todowrite", state: { status: "running", input: {}, title: "Todos" } } },
      {
        type: "tool.activity",
        sessionId: "s",
        messageId: "m",
        partId: "p",
        callId: "s/m/c",
        tool: "todowrite",
        kind: "todos",
        status: "running",
        title: "Todos",
        error: "",
      },
    ],
    [
      "session.status",
      { sessionID: "s", status: { type: "retry", attempt: 2, message: "busy", next: 9 } },
      { type: "session.retry", sessionId: "s", attempt: 2, message: "busy", nextAt: 9 },
    ],
    [
      "todo.updated",
      { sessionID: "s", todos: [{ status: "pending" }, { status: "completed" }, { status: "cancelled" }] },
      { type: "todos.updated", sessionId: "s", open: 1 },
    ],
  ])("%s %j", (type, properties, event) => {
    expect(readEvent({ id: "e", type, properties })).toEqual(event);
  });

  it("tells that a step began, but not of a summary", () => {
    const begin = (rest: object): unknown =>
      readEvent({
        type: "message.updated",
        properties: { info: { ...message, time: { created: 1 }, ...rest } },
      });
    expect(begin({})).toEqual({ type: "message.started", sessionId: "s", messageId: "m" });
    expect(begin({ summary: true })).toBeNull();
  });

  it.each(
    readCases<
      [
        string,
        { input?: { b?: { d: number; c: number }; a?: number; path?: string }; output?: string },
        {
          input?: { a?: number; b?: { c: number; d: number }; path?: string };
          output?: string;
          status?: string;
          error?: string;
        },
        boolean,
      ]
    >("host/events.knows-a-call-by-what"),
  )("knows a call by what was asked and what came back: %s", (_what, one, other, isSame) => {
    const state = { status: "completed", input: {}, output: "" };
    const traces = [one, other].map((given) => {
      const part = { ...tool, tool: "bash", state: { ...state, ...given } };
      return (readEvent({ type: "message.part.updated", properties: { part } }) as { trace: string }).trace;
    });
    expect(traces[0]).toMatch(/^.{16}$/);
    expect(traces[0] === traces[1]).toBe(isSame);
  });

  it.each([
    [null],
    [{ type: "file.edited", properties: { file: "a" } }],
    [{ type: "session.error", properties: { error: { name: "UnknownError" } } }],
    [{ type: "message.updated", properties: {} }],
    [{ type: "session.status" }],
  ])("that says nothing here is null: %j", (raw) => {
    expect(readEvent(raw)).toBeNull();
  });
});
