import { expect, it } from "vitest";
import { findWavesBeyondBudget } from "../../src/plan/operations/decide-approval.ts";
import { parsePlan } from "../../src/plan/grammar.ts";

const LIMITS = { maxToolCallsPerWave: 4 };
const task = (number: number, wave: string, done = false): string =>
  `- [${done ? "x" : " "}] ${number}. Task ${number}\n  - wave: ${wave}`;
const found = (...tasks: readonly string[]): string[] =>
  findWavesBeyondBudget(parsePlan(`## Tasks\n\n${tasks.join("\n")}\n`).tasks, LIMITS);

it("names the waves whose open tasks take more tool calls than a wave may", () => {
  expect(found(task(1, "w1"), task(2, "w1"), task(3, "w2"), task(4, "w2"))).toEqual([]);
  const many = [3, 4, 5].map((number) => task(number, "w2"));
  expect(found(task(1, "w1"), ...many)).toEqual([
    "wave w2 has 3 tasks and stops after every 4 tool calls until /next (autopilotSafeguards.maxToolCallsPerWave)",
  ]);
  expect(found(task(6, "w2", true), ...many.slice(1))).toEqual([]);
});
