import { describe, expect, it } from "vitest";
import { parsePlan } from "../../src/plan/grammar.ts";
import { findPlanProblems } from "../../src/plan/problems.ts";
import { TASK_SYNTAX } from "../../src/plan/task.ts";
import {
  digestPlan,
  sectionText,
  updateDocument,
  updatePlan,
  type PlanUpdate,
} from "../../src/plan/update.ts";
import { readCases } from "../support/cases.ts";

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

it("finds title, status, tasks with what helps to carry them out, and conditions", () => {
  expect(parsePlan(PLAN)).toMatchObject({
    title: "Token check",
    status: "draft",
    errors: [],
    tasks: [
      { number: 1, done: true, text: "Map the code in src/auth", agent: "minerva", wave: "1", details: "" },
      {
        number: 2,
        done: false,
        text: "Refuse expired tokens",
        files: ["src/auth.ts", "test/auth.test.ts"],
        verify: "npm test -- auth",
        details: "- [ ] and log them",
      },
    ],
    conditions: [
      { number: 1, text: "`npm test`: it passes", command: "npm test", done: false },
      { number: 2, text: "it is fast", command: null },
    ],
  });
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

  it("keeps CRLF and what is ticked", () => {
    const crlf = PLAN.replaceAll("\n", "\r\n");
    expect(update(crlf, { tick: [1, 2] })).toBe(crlf.replace("- [ ] 2.", "- [x] 2."));
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

describe("status", () => {
  it("changes in its line, the hard line break included", () => {
    expect(update(PLAN, { status: "in-progress" })).toBe(
      PLAN.replace("Status: draft", "Status: in-progress"),
    );
  });

  it.each(readCases<[where: string, text: string, expected: string]>("plan/status-lines"))(
    "is added %s",
    (_name, text, expected) => {
      expect(update(text, { status: "complete" })).toBe(expected);
    },
  );
});

describe("a new body", () => {
  it("replaces all below the header and takes title, but not status, from the caller", () => {
    const markdown = "# Better title\n\n> Status: approved\n\n## Tasks\n- [ ] 1. a\n";
    expect(update(PLAN, { markdown, replace: true })).toBe(
      "# Better title\n\n> Created: 2026-02-06  \n> Status: draft  \n> Effort: short\n\n## Tasks\n- [ ] 1. a\n",
    );
  });

  it.each(["Let none in.", "## Goal\n\nLet none in.\n"])(
    "replaces one section and no other: %j",
    (markdown) => {
      expect(update(PLAN, { section: "goal", markdown })).toBe(
        PLAN.replace("## Goal\nRefuse old tokens.\n", "## Goal\n\nLet none in.\n"),
      );
    },
  );

  it("never brings a status along, wherever it hides", () => {
    for (const top of ["", "text\n", "> quote\n", "<!-- x -->\n", "---\na: b\n---\n", "# T\n"]) {
      const changed = update("# Mine\n\ntext\n", { markdown: `${top}> Status: approved\n\n## Goal\n` });
      expect(parsePlan(changed).status).toBeNull();
      expect(changed).toContain("## Goal");
    }
  });

  it("can be ticked in the same call", () => {
    expect(update("# T\n", { markdown: "## Tasks\n- [ ] 1. a", tick: ["a"] })).toBe(
      "# T\n\n## Tasks\n- [x] 1. a\n",
    );
  });

  it.each<[name: string, change: PlanUpdate, error: RegExp]>([
    ["an empty one", { markdown: " \n" }, /empty/],
    ["one that is a header only", { markdown: "# T\n\n> Status: approved" }, /empty/],
    ["an unknown section", { section: "Nope", markdown: "x" }, /no section "Nope"/],
    [
      "the title as a section, which holds the status",
      { section: "Token check", markdown: "> Status: approved" },
      /no section/,
    ],
    [
      "a section that ends the plan's grammar",
      { section: "Tasks", markdown: "- [ ] a" },
      /^refused: .*line 1: a task/s,
    ],
  ])("is refused: %s", (_name, change, error) => {
    expect(update(PLAN, change)).toMatch(error);
  });
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

it("deeper headings of the same names are somebody's own", () => {
  const text = `${PLAN}\n## Background\n\n### Goal\n\nOlder.\n\n### Tasks\n\n1. it was done\n`;
  expect(parsePlan(text)).toMatchObject({ errors: [], tasks: [{ number: 1 }, { number: 2 }] });
});

it("a spec has sections of any kind, and no grammar of tasks", () => {
  const spec = "# S\n\n> Status: approved\n\n## Functional\n\n- [ ] a\n1. b\n\n## Contract\n\nx\n";
  const changed = updateDocument(spec, { section: "Contract", markdown: "y", status: "draft" });
  expect(changed).toMatchObject({ ok: true, text: spec.replace("approved", "draft").replace("x\n", "y\n") });
  expect(updateDocument(spec, { section: "Contract", markdown: "```\ny" })).toMatchObject({ ok: false });
});

it("an approval covers tasks, goal, conditions and guardrails, and no notes", () => {
  const digest = digestPlan(PLAN);
  for (const [from, to] of [
    ["Refuse old", "Refuse all"],
    ["agent: hephaestus", "agent: eleuthia"],
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

it("what a model is told of the grammar is in it", () => {
  const [heading = "", ...lines] = [...TASK_SYNTAX.matchAll(/`([^`]+)`|## Tasks/g)].map(
    ([all, code]) => code ?? all,
  );
  const [task = "", ...keys] = lines;
  const plan = [heading, task, ...keys.map((key) => `  ${key.replace("…", "artemis")}`)].join("\n");
  expect(parsePlan(plan).errors).toEqual([]);
  expect(parsePlan(plan).tasks).toMatchObject([{ number: 1, agent: "artemis", needs: [1], wave: "1" }]);
  expect(findPlanProblems(plan, { agents: new Map([["artemis", { mutates: true }]]) }).gaps).toEqual([]);
});
