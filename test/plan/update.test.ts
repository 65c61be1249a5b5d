import { describe, expect, it } from "vitest";
import { parsePlan } from "../../src/plan/grammar.ts";
import { digestPlan, sectionText, updatePlan, type PlanUpdate } from "../../src/plan/update.ts";

const PLAN = `# Token check

> Created: 2026-02-06  
> Status: draft  
> Effort: short

## Goal
Refuse old tokens.

## Tasks
- [x] 1. Map the code in src/auth
  - agent: minerva
  - wave: 1
- [ ] 2. Refuse expired tokens
  - agent: hephaestus
  - files: \`src/auth.ts\`, test/auth.test.ts
  - verify: \`npm test -- auth\`
  - wave: 2
  - [ ] and log them

## Done When
- [ ] \`npm test\`: it passes
- it is fast
`;

const update = (text: string, change: PlanUpdate): string => {
  const changed = updatePlan(text, change);
  return changed.ok ? changed.text : `refused: ${changed.error}`;
};

it("has the text of a section, whatever the spelling of its name", () => {
  expect(sectionText(PLAN, "goal")).toBe("Refuse old tokens.");
});

describe("ticking", () => {
  it.each<[name: string, key: number | string]>([
    ["number", 2],
    ["number as text", "2"],
    ["exact text", " Refuse expired tokens "],
  ])("by %s changes one character", (_name, key) => {
    expect(update(PLAN, { tick: [key] })).toBe(PLAN.replace("- [ ] 2.", "- [x] 2."));
  });

  it.each<[name: string, key: number | string]>([
    ["a number that is not there", 9],
    ["a text that is not there", "Refuse"],
    ["a task in words", "task 2"],
  ])("refuses %s", (_name, key) => {
    expect(updatePlan(PLAN, { tick: [key] })).toEqual({
      ok: false,
      error: `No one task is "${key}".`,
      hint: "Name it by its number: 1, 2.",
    });
  });
});

it.each<[name: string, change: PlanUpdate, error: RegExp]>([
  ["an empty one", { markdown: " \n" }, /empty/],
  ["one that is a header only", { markdown: "# T\n\n> Status: approved" }, /empty/],
  ["an unknown section", { section: "Nope", markdown: "x" }, /no section "Nope"/],
  [
    "the title, which holds the status",
    { section: "Token check", markdown: "> Status: approved" },
    /no section/,
  ],
  ["a section out of the grammar", { section: "Tasks", markdown: "- [ ] a" }, /^refused: .*line 1: a task/s],
])("a new body is refused: %s", (_name, change, error) => {
  expect(update(PLAN, change)).toMatch(error);
});

describe("a text that is written again", () => {
  const body = PLAN.slice(PLAN.indexOf("## Goal"));

  it("takes no tick away, wherever the task has moved", () => {
    const first = "- [x] 1. Map the code in src/auth\n  - agent: minerva\n  - wave: 1\n";
    const moved = body
      .replace(first, "")
      .replace("## Done When", "- [ ] 7. map the code in src/auth.\n\n## Done When");
    const changed = parsePlan(update(PLAN, { markdown: moved }));
    expect(changed.tasks.filter(({ done }) => done).map(({ number }) => number)).toEqual([7]);
  });

  it.each<[name: string, change: PlanUpdate, lost: string]>([
    [
      "a task",
      { section: "Tasks", markdown: "- [x] 1. Map the code in src/auth" },
      ". Refuse expired tokens",
    ],
    ["a condition", { section: "Done When", markdown: "- it is fast" }, "done when: `npm test`: it passes"],
    [
      "all of it, for prose",
      { markdown: "We refuse old tokens." },
      "plan: task 1. Map the code in src/auth; task ",
    ],
  ])("leaves out %s only with replace", (_name, change, lost) => {
    expect(update(PLAN, change)).toContain(lost);
    expect(update(PLAN, { ...change, replace: true })).not.toContain("refused");
  });
});

it("an approval covers tasks, goal, conditions and guardrails, and no notes", () => {
  const digest = digestPlan(PLAN);
  for (const [from, to] of [
    ["Refuse old", "Refuse all"],
    ["agent: hephaestus", "agent: eleuthia"],
    ["test/auth.test.ts", "test/other.test.ts"],
    ["## Done When", "- [ ] 3. And more\n\n## Done When"],
    ["  - [ ] and log them", "  - [ ] and not log them"],
    ["- it is fast", "- it is slow"],
    ["2. Refuse expired", "3. Refuse expired"],
  ] as const)
    expect(digestPlan(PLAN.replace(from, to))).not.toBe(digest);
  for (const [from, to] of [
    ["- [ ] 2.", "- [x] 2."],
    ["- [ ] `npm", "- [x] `npm"],
    ["Status: draft", "Status: approved"],
    ["## Done When", "## My notes\n\nmore\n\n## Done When"],
    ["agent: hephaestus\n", "agent: hephaestus  \n"],
  ] as const)
    expect(digestPlan(PLAN.replace(from, to))).toBe(digest);
});
