import { expect, test } from "vitest";
import { findPlanProblems } from "../../src/plan/problems.ts";

const task = (number: number, ...skills: string[]): string =>
  [
    `- [ ] ${number}. Do it`,
    "  - agent: a",
    ...(skills.length === 0 ? [] : [`  - skills: ${skills.join(", ")}`]),
  ].join("\n");

test.each<[what: string, tasks: string[], known: string[], found: string[]]>([
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
  const agents = new Map([["a", { mutates: true }]]);
  const plan = `## Tasks\n\n${tasks.join("\n")}\n`;
  expect(findPlanProblems(plan, { agents, skills: known })).toEqual({ faults: [], gaps: found });
});
