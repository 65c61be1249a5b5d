import { beforeEach, describe, expect, it } from "vitest";
import { createBounds, type Bounds } from "../../src/delegation/bounds.ts";
import { createTaskStore, type TaskStore } from "../../src/delegation/task-store.ts";
import { ended } from "../../src/delegation/task.ts";
import { keyed } from "../support/fake-host.ts";
import { taskOf } from "../support/task.ts";

const BUDGET = { maxRequests: 9, maxTokens: 1_000, maxCost: 1 };
const STEPS = 4;

let bounds: Bounds;
let cuts: string[];
let told: string[];
let agents: Record<string, string>;
let tasks: TaskStore;
let spent: { why: string } | null = null;

beforeEach(() => {
  [cuts, told] = [[], []];
  spent = null;
  agents = { root: "gaia", child: "minerva" };
  tasks = createTaskStore();
  bounds = createBounds(
    { tasks, cut: (_taskId, why) => void cuts.push(why) },
    {
      speakerOf: (sessionId) => agents[sessionId] ?? null,
      stepsOf: (agent) => (agent === "looper" ? 99 : STEPS),
      budgetOf: (agent) => (agent === "gaia" ? null : BUDGET),
      turnsInARow: 2,
      spent: () => spent,
    },
  );
  bounds.subscribe((sessionId, why) => void told.push(`${sessionId}: ${why}`));
});

const begin = (number: number): void => tasks.add(taskOf({ id: `task_${number}`, sessionId: "child" }));
/** @returns why the request of a turn is held */
const turn = (sessionId: string): string | null => bounds.request(sessionId, false);
const turns = (sessionId: string, count: number) => Array.from({ length: count }, () => turn(sessionId));

describe("a task", () => {
  beforeEach(() => begin(1));

  it("is cut when it wants more turns than its bound, and its requests are held from then on", () => {
    const held = turns("child", STEPS + 2);
    expect(held.slice(0, STEPS)).toEqual([null, null, null, null]);
    expect(held.slice(STEPS)).toEqual([expect.stringContaining("agents.minerva.steps"), expect.anything()]);
    expect(cuts).toHaveLength(1);
  });

  it("is counted anew when its session is resumed, and when the user speaks there", () => {
    turns("child", STEPS + 1);
    tasks.dispatch("task_1", { type: "ended", at: 0, outcome: ended("partial", "") });
    expect(turn("child")).not.toBeNull();
    begin(2);
    expect(turns("child", STEPS)).toEqual([null, null, null, null]);
    bounds.begin("child");
    expect(turns("child", STEPS)).toEqual([null, null, null, null]);
    turn("child");
    expect(cuts).toHaveLength(2);
  });
});

it("the tokens of a task are counted from its beginning, each message once, and cut it at the bound", () => {
  begin(1);
  const said = (messageId: string, input: number): void =>
    bounds.observe({
      type: "message.finished",
      sessionId: "child",
      messageId,
      isAnswer: false,
      tokens: { input, output: 0, cached: 0 },
      cost: 0,
    });
  for (const id of ["a", "a", "b"]) said(id, 499);
  expect(turn("child")).toBeNull();
  said("c", 2);
  expect(turn("child")).toContain("1000 tokens are used");
  expect(cuts).toHaveLength(1);
  tasks.dispatch("task_1", { type: "ended", at: 0, outcome: ended("partial", "") });
  begin(2);
  expect(turn("child")).toBeNull();
});

describe("a loop of the same call", () => {
  /** Each letter is a call with its result, by the message that made it. */
  const held = (...messages: string[]): string | null => {
    agents["root"] = "looper";
    for (const [at, calls] of messages.entries())
      for (const [index, trace] of calls.split("").entries()) {
        const callId = keyed(`c${at}.${index}`);
        const shown = { partId: "p", tool: "read", kind: "read", status: "completed", title: "" } as const;
        const event = { ...shown, sessionId: "root", messageId: `m${at}`, callId, trace };
        bounds.observe({ type: "tool.activity", ...event });
        bounds.observe({ type: "tool.activity", ...event });
      }
    return bounds.request("root", false);
  };

  it.each([
    ["the same five times", ["a", "a", "a", "a", "a"]],
    ["three in each message", ["abc", "abc", "abc", "abc", "abc"]],
    ["nothing new any more after a long work", ["a", "b", "c", "a", "a", "a", "a", "a"]],
  ])("is held: %s", (_name, messages) => expect(held(...messages)).toContain("5 times over"));

  it.each([
    ["four times", ["a", "a", "a", "a"]],
    ["many at once, of which the model had seen no result", ["aaaaaaaa"]],
    ["something new in between", ["a", "a", "a", "b", "a", "a"]],
    ["always something new", ["a", "b", "c", "d", "e", "f"]],
  ])("is none: %s", (_name, messages) => expect(held(...messages)).toBeNull());
});
