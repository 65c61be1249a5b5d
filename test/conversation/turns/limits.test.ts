import { expect, it } from "vitest";
import { renderLimits } from "../../../src/conversation/core.ts";
import { createTask, ended, type Task } from "../../../src/delegation/task.ts";
import { clockTime } from "../../../src/lib/figures.ts";

const HOUR = 3_600_000;
const taskOf = (agent: string, rest: Partial<Task>): Task => ({
  ...createTask(
    {
      id: agent,
      agent,
      parentId: "root",
      callId: "c",
      sessionId: agent,
      background: false,
      workUnit: null,
      waveId: null,
    },
    0,
  ),
  ...rest,
});

it("tells which specialists are limited, until their time has come or they have answered", () => {
  const failed = (agent: string, until: number, endedAt: number): Task =>
    taskOf(agent, {
      endedAt,
      attempts: [{ model: "a/b", failure: "quota", message: "slow down", duration_ms: 1, until }],
      outcome: ended("failed", "No model could finish this."),
    });
  const tasks = [
    failed("tester", 2 * HOUR, 2),
    failed("builder", HOUR, 1),
    taskOf("builder", { status: "running", startedAt: 3 }),
  ];
  const lines = [HOUR, 2 * HOUR].map(clockTime);
  expect(renderLimits(tasks, 0)).toBe(
    `↻ builder limited until ${lines[0]}, ↻ tester limited until ${lines[1]}`,
  );
  expect(renderLimits(tasks, HOUR)).toBe(`↻ tester limited until ${lines[1]}`);
  const answered = taskOf("tester", { endedAt: 3, outcome: ended("completed", "") });
  expect(renderLimits([...tasks, answered], HOUR)).toBeNull();
});
