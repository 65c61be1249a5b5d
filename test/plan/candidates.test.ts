import { describe, expect, it } from "vitest";
import { parsePlan } from "../../src/plan/grammar.ts";
import { findPlanProblems } from "../../src/plan/problems.ts";
import { renderScope, renderTasks } from "../../src/plan/text.ts";

const AGENTS = new Map([
  ["builder", { mutates: true }],
  ["tester", { mutates: true }],
  ["reader", { mutates: false }],
]);
const planOf = (...lines: string[]): string =>
  `## Tasks\n\n- [ ] 1. Do it\n  - agent: builder\n${lines.map((line) => `  ${line}\n`).join("")}`;
const taskOf = (...lines: string[]) => parsePlan(planOf(...lines)).tasks[0]!;

describe("candidates in a plan", () => {
  it.each<[string, readonly string[] | undefined]>([
    ["3", ["", "", ""]],
    ["1", [""]],
    ["builder, tester", ["builder", "tester"]],
    ["builder, builder", ["builder", "builder"]],
    ["0", undefined],
    ["builder and tester", undefined],
  ])("%j", (value, expected) => {
    expect(parsePlan(planOf(`- candidates: ${value}`, "- verify: x")).tasks[0]?.candidates).toEqual(expected);
  });

  it.each<[string, string[], string[]]>([
    ["two of its agent", ["- candidates: 2", "- verify: x"], []],
    ["one", ["- candidates: 1", "- verify: x"], ["candidates of task 1: 2 to 4, not 1"]],
    ["five", ["- candidates: 5", "- verify: x"], ["candidates of task 1: 2 to 4, not 5"]],
    [
      "whom nothing judges",
      ["- candidates: 2"],
      ["candidates of task 1 are judged by its verify: it needs one"],
    ],
  ])("are looked at before anybody is asked: %s", (_what, lines, gaps) => {
    expect(findPlanProblems(planOf(...lines), { agents: AGENTS })).toEqual({ faults: [], gaps });
  });

  it("need no verify where checks of the project judge them", () => {
    const text = planOf("- candidates: 2");
    expect(findPlanProblems(text, { agents: AGENTS, hasChecks: true }).gaps).toEqual([]);
  });

  it("are told to who approves the plan", () => {
    expect(renderTasks([taskOf("- candidates: 3")])).toContain("(builder; tried 3 times)");
    expect(renderScope([taskOf("- candidates: tester, builder")])).toBe(
      "builder tried 2 times, by tester, builder",
    );
  });
});
