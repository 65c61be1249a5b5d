import { expect, test } from "vitest";
import { findUnknownSkills } from "../../src/plan/problems.ts";
import type { PlanTask } from "../../src/plan/task.ts";

const task = (number: number, ...skills: string[]): PlanTask => ({
  number,
  text: `task ${number}`,
  done: false,
  needs: [],
  skills,
  details: "",
});

test.each<[what: string, tasks: PlanTask[], known: string[], found: string[]]>([
  ["known ones", [task(1, "api"), task(2)], ["api"], []],
  [
    "one that is misspelt",
    [task(1, "test-writng"), task(3, "test-writng", "api")],
    ["api", "test-writing"],
    [
      'task 1, 3: there is no skill "test-writng", did you mean "test-writing"?',
      "the skills are api, test-writing",
    ],
  ],
  [
    "one near to none",
    [task(1, "poetry")],
    ["api"],
    ['task 1: there is no skill "poetry"', "the skills are api"],
  ],
])("unknown skills of a plan: %s", (_what, tasks, known, found) => {
  expect(findUnknownSkills(tasks, known)).toEqual(found);
});
