import { expect, it } from "vitest";
import { readTicks } from "../../../src/workspace/documents/plan-ticks.ts";
import { planTask } from "../../support/plan-task.ts";

const TASKS = [
  { number: 1, text: "Write it", done: false },
  { number: 2, text: "Test it", done: false },
  { number: 3, text: "Done already", done: true },
  { number: 4, text: "Twin", done: false },
  { number: 5, text: "Twin", done: false },
].map(planTask);

it.each([
  ["tick 1", [1]],
  ["tick: 2.", [2]],
  ["[x] 2", [2]],
  ["- [x] Write it", [1]],
  ["tick task 1", [1]],
  ["tick #1", [1]],
  ["tick 3", []],
])("%s ticks %j", (update, ticks) => {
  expect(readTicks([update], TASKS).ticks).toEqual(ticks);
});

it.each(["2 was not done", "1", "tick 9", "tick Twin", "[ ] 1", "tick 1 and 2", "Test it", "do not tick 1"])(
  "%s is a note and ticks nothing",
  (update) => {
    expect(readTicks([update], TASKS)).toEqual({ ticks: [], notes: [update] });
  },
);
