import { expect, it } from "vitest";
import { createLimits } from "../../../src/conversation/turns/turns.ts";
import { createTask, ended, type Task } from "../../../src/delegation/task.ts";
import { clockTime } from "../../../src/lib/figures.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

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

it("tells which specialists are limited, until their time has come or they have answered", async () => {
  const clock = createFakeClock();
  const told: (string | null | undefined)[] = [];
  const limits = createLimits({ learn: (facts = {}) => void told.push(facts.limits) }, { clock });
  const failed = (agent: string, until: number): Task =>
    taskOf(agent, {
      attempts: [{ model: "a/b", failure: "quota", message: "slow down", duration_ms: 1, until }],
      outcome: ended("failed", "No model could finish this."),
    });
  const [soon, late] = [clock.now() + HOUR, clock.now() + 40 * 24 * HOUR];
  limits.taskChanged(failed("builder", soon));
  limits.taskChanged(taskOf("builder", { status: "running", startedAt: 1 }));
  limits.taskChanged(failed("tester", late));
  limits.taskChanged(failed("scout", clock.now() - 1));
  expect(told).toEqual([
    `↻ builder limited until ${clockTime(soon)}`,
    `↻ builder limited until ${clockTime(soon)}, ↻ tester limited until ${clockTime(late)}`,
  ]);
  await clock.advance(HOUR);
  expect(told.at(-1)).toBe(`↻ tester limited until ${clockTime(late)}`);
  limits.taskChanged(taskOf("tester", { outcome: ended("completed", "") }));
  expect(told.at(-1)).toBeNull();
  expect(clock.pending).toBe(0);
  limits.taskChanged(failed("builder", late));
  limits.dispose();
  expect(clock.pending).toBe(0);
});
