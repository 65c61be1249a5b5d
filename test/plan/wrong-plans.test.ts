import { describe, expect, it } from "vitest";
import { renderErrors, parsePlan } from "../../src/plan/grammar.ts";
import { findPlanProblems } from "../../src/plan/problems.ts";
import { renderScope, renderTasks } from "../../src/plan/text.ts";
import { digestPlan, updatePlan } from "../../src/plan/update.ts";
import { readCases } from "../support/cases.ts";

/** A wrong plan: on which lines, and what is to be written there, where that can be told. */
interface Wrong {
  readonly name: string;
  readonly plan: string;
  readonly lines: readonly number[];
  readonly fixed: readonly (string | null)[];
}
const WRONG = readCases<Wrong>("plan/wrong-plans");

describe("a plan that is not in the grammar", () => {
  it.each(WRONG)("says where, and what to write: $name", ({ plan, lines, fixed }) => {
    const { errors, tasks: read, conditions } = parsePlan(plan);
    expect(errors.map(({ line }) => line)).toEqual(lines);
    expect(errors.map(({ fix }) => fix)).toEqual(fixed);
    expect([...read, ...conditions]).toEqual([]);
    const crlf = parsePlan(plan.replaceAll("\n", "\r\n"));
    expect(crlf.errors).toEqual(errors);
    const corrected = plan.split("\n");
    for (const { line, fix } of errors) if (fix !== null) corrected[line - 1] = fix;
    const left = parsePlan(corrected.join("\n"));
    if (!fixed.includes(null)) expect(left.errors).toEqual([]);
  });

  it("are at least eighty", () => {
    expect(WRONG.length).toBeGreaterThanOrEqual(80);
    expect(new Set(WRONG.map(({ plan }) => plan)).size).toBe(WRONG.length);
  });

  it("is told with all its errors at once, bounded, in the lines of the text that was given", () => {
    const many = Array.from({ length: 400 }, (_each, at) => `* [ ] ${at + 1}) Do it`).join("\n");
    const markdown = `## Tasks\n${many}\n`;
    const refused = updatePlan("# T\n\n> Created: today\n> Status: draft\n", { markdown });
    const error = refused.ok ? "" : refused.error;
    expect(error).toContain("line 2: a task is `- [ ] 1. title`. Write: - [ ] 1. Do it\nline 3: ");
    expect(error).toMatch(/\nand \d+ more$/);
    expect(error.length).toBeLessThan(4_000);
    expect(renderErrors(parsePlan("## Tasks\n### Wave 1\n- [ ] 1. a\n").errors)).toContain(
      "line 2: no heading",
    );
  });

  it("is none for a line of equals signs where no merge begins", () => {
    const { errors, tasks } = parsePlan("Title\n=======\n\n## Tasks\n\n- [ ] 1. Do it\n\n=======\n");
    expect([errors, tasks.length]).toEqual([[], 1]);
  });

  it("is written nowhere, and neither ticked nor begun", () => {
    const wrong = "## Tasks\n\n- [ ] Do it\n";
    for (const update of [{ tick: ["1"] }, { status: "in-progress" as const }])
      expect(updatePlan(wrong, update)).toMatchObject({
        ok: false,
        error: expect.stringContaining("line 3: "),
      });
    // What a person wrote is not lost unseen by being corrected.
    const markdown = "## Tasks\n\n- [ ] 1. Do it";
    expect(updatePlan(wrong, { markdown })).toMatchObject({
      ok: false,
      hint: expect.stringContaining("replace: true"),
    });
    expect(updatePlan(wrong, { markdown, replace: true }).ok).toBe(true);
  });

  it("has a name of its own, so that no approval holds for it", () => {
    const right = "## Tasks\n\n- [ ] 1. Do it\n";
    const wrong = right.replace("1. ", "");
    expect(digestPlan(wrong)).not.toBe(digestPlan(right));
    expect(digestPlan(`${wrong}more`)).not.toBe(digestPlan(wrong));
  });
});

const ATTACKS = readCases<Pick<Wrong, "name" | "plan">>("plan/attacks");

describe("a plan that somebody made to be misread", () => {
  it.each(ATTACKS)("is refused whole: $name", ({ plan }) => {
    for (const text of [plan, plan.replaceAll("\n", "\r\n"), `\uFEFF${plan}`]) {
      const { errors, tasks, conditions } = parsePlan(text);
      expect(errors.length).toBeGreaterThan(0);
      expect([...tasks, ...conditions]).toEqual([]);
      expect(errors.every(({ line }) => line >= 1 && line <= plan.split("\n").length)).toBe(true);
    }
  });

  it("has what cannot be carried out told before anybody is asked", () => {
    const agents = new Map([["hephaestus", { mutates: true }]]);
    const problems = (text: string) => findPlanProblems(`## Tasks\n\n${text}`, { agents });
    const task = (number: number, ...keys: string[]): string =>
      [`- [ ] ${number}. Do it`, ...keys.map((key) => `  - ${key}`), ""].join("\n");
    expect(problems(task(1, "agent: zeus")).faults[0]).toContain('there is no agent "zeus"');
    const circle = task(1, "agent: hephaestus", "needs: 2") + task(2, "agent: hephaestus", "needs: 1");
    expect(problems(circle).faults).toEqual(["tasks 1, 2 need each other in a circle"]);
    const many = Array.from({ length: 9_999 }, (_each, at) => task(at + 1, "agent: hephaestus")).join("");
    expect(problems(many).faults).toEqual(["a plan has at most 500 tasks: divide it"]);
  });
});

it.each(readCases<[text: string, command: string | null]>("plan/condition-commands"))(
  "the command of a condition is what stands in backticks, with a text behind it, and none in anything else: %s",
  (text, command) => {
    const { conditions, errors } = parsePlan(`## Done When\n\n- ${text}\n`);
    expect([errors, conditions[0]?.command]).toEqual([[], command]);
  },
);

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
