import { beforeEach, describe, expect, it } from "vitest";
import { createBounds, type Bounds, runLimits } from "../../../src/delegation/bounds/bounds.ts";
import { createTask, ended, reduceTask, type Task, type TaskEvent } from "../../../src/delegation/task.ts";
import { keyed } from "../../support/keyed.ts";

const BUDGET = { maxRequests: 9, maxTokens: 1_000, maxCost: 1 };
const STEPS = 4;

let bounds: Bounds;
let cuts: string[];
let aborted: string[];
let told: string[];
let agents: Record<string, string>;
let task: Task;
let messages = 0;
let spent: { why: string } | null = null;

beforeEach(() => {
  [cuts, aborted, told] = [[], [], []];
  spent = null;
  agents = { root: "gaia", child: "minerva" };
  bounds = createBounds({
    agentOf: (sessionId) => agents[sessionId] ?? null,
    limitsOf: (agent) => runLimits(agent, agent === "looper" ? 99 : STEPS, agent === "gaia" ? null : BUDGET),
    turnsInARow: 2,
    spent: () => spent,
    cut: (_taskId, why) => void cuts.push(why),
    abort: (sessionId) => void aborted.push(sessionId),
  });
  bounds.subscribe((sessionId, why) => void told.push(`${sessionId}: ${why}`));
  task = createTask(
    {
      id: "task_1",
      agent: "minerva",
      parentId: "root",
      callId: keyed("c"),
      sessionId: "child",
      background: false,
      workUnit: null,
      waveId: null,
    },
    0,
  );
});

function change(event: TaskEvent): void {
  task = reduceTask(task, event);
  bounds.taskChanged(task);
}
const begin = (): void => {
  bounds.taskChanged(task);
};
const message = (sessionId: string): void => {
  bounds.observe({ type: "message.started", sessionId, messageId: `m${(messages += 1)}` });
};
/** One turn of a model as the host tells of it. @returns why its request is held */
const turn = (sessionId: string): string | null => {
  message(sessionId);
  return bounds.request(sessionId, false);
};
const turns = (sessionId: string, count: number): (string | null)[] =>
  Array.from({ length: count }, () => turn(sessionId));

describe("an answer that breaks off", () => {
  const tokens = { input: 1, output: 0, cached: 0 };
  const answer = (sessionId: string, rest: object = {}): string | null => {
    const why = turn(sessionId);
    const messageId = `m${messages}`;
    bounds.observe({
      type: "message.finished",
      sessionId,
      messageId,
      isAnswer: false,
      tokens,
      cost: 0,
      ...rest,
    });
    return why;
  };

  it("is asked for again by the host, four times in a row at most", () => {
    agents["root"] = "looper";
    expect([answer("root"), answer("root"), answer("root"), answer("root")]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(answer("root")).toContain("nothing came of 4 model turns in a row");
    bounds.begin("root");
    expect(turn("root")).toBeNull();
  });

  it("ends a task, which keeps what it has", () => {
    agents["child"] = "looper";
    begin();
    for (let count = 0; count < 5; count += 1) answer("child");
    expect(cuts).toEqual([expect.stringContaining("nothing came of 4 model turns in a row")]);
  });
});

describe("a task", () => {
  beforeEach(begin);

  it("is cut when it wants more turns than its bound, and its requests are held from then on", () => {
    const held = turns("child", STEPS + 2);
    expect(held.slice(0, STEPS)).toEqual([null, null, null, null]);
    expect(held.slice(STEPS)).toEqual([expect.stringContaining("agents.minerva.steps"), expect.anything()]);
    expect(cuts).toHaveLength(1);
    expect(aborted).toEqual([]);
  });

  it("does not use up turns by what the host repeats", () => {
    message("child");
    for (let attempt = 1; attempt <= STEPS; attempt += 1) {
      expect(bounds.request("child", false)).toBeNull();
      bounds.observe({
        type: "session.retry",
        sessionId: "child",
        attempt,
        message: "busy",
        nextAt: attempt,
      });
    }
    expect(turn("child")).toBeNull();
  });

  it("is counted anew when its session is resumed, and when the user speaks there", () => {
    turns("child", STEPS + 1);
    change({ type: "ended", at: 0, outcome: ended("partial", "") });
    expect(turn("child")).not.toBeNull();
    task = createTask({ ...task, id: "task_2" }, 0);
    begin();
    expect(turns("child", STEPS)).toEqual([null, null, null, null]);
    bounds.begin("child");
    expect(turns("child", STEPS)).toEqual([null, null, null, null]);
    turn("child");
    expect(cuts).toHaveLength(2);
  });
});

describe("GAIA's own loop", () => {
  it("is held at its bound, told once, and let go by the user's word", () => {
    expect(turns("root", STEPS + 3).filter((held) => held !== null)).toHaveLength(3);
    expect(told).toEqual([expect.stringContaining("root: 4 model turns")]);
    expect(bounds.heldBy("root")).not.toBeNull();
    bounds.begin("root");
    bounds.begin("root");
    expect(bounds.heldBy("root")).toBeNull();
    expect(turns("root", STEPS)).toEqual([null, null, null, null]);
  });
});

it("a loop of the same call is held after the fifth result, late and doubled events or not", () => {
  const result = (number: number): void => {
    bounds.observe({
      type: "tool.activity",
      sessionId: "root",
      messageId: `loop${number}`,
      partId: "p",
      callId: keyed(`c${number}`),
      tool: "read",
      kind: "read",
      status: "completed",
      title: "",
      trace: "same",
    });
  };
  const request = (): string | null => bounds.request("root", false);
  agents["root"] = "looper";
  for (const number of [1, 1, 2, 4, 3, 2]) result(number);
  bounds.begin("root");
  for (const number of [1, 2, 3, 4]) result(number);
  for (const number of [11, 12, 13, 14]) result(number);
  expect(request()).toBeNull();
  bounds.begin("root");
  for (const number of [21, 22, 23]) result(number);
  result(23);
  expect(request()).toBeNull();
  for (const number of [24, 25]) result(number);
  expect(request()).toContain("5 times over");
});
