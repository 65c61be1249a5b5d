import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { parsePlan } from "../../src/plan/grammar.ts";
import { renderTask } from "../../src/plan/task.ts";
import { digestPlan, updatePlan, type PlanUpdate } from "../../src/plan/update.ts";
import { writtenPlan } from "./plan-arbitrary.ts";

const changed = (text: string, change: PlanUpdate): string => {
  const result = updatePlan(text, change);
  if (!result.ok) throw new Error(result.error);
  return result.text;
};
const refusal = (text: string, change: PlanUpdate): string => {
  const result = updatePlan(text, change);
  return result.ok ? "" : result.error;
};
const RUNS = { numRuns: 200 };
vi.setConfig({ testTimeout: 120_000 });

describe("any plan in the grammar", () => {
  it("is read as it is meant, and a task that is rendered reads the same", () => {
    fc.assert(
      fc.property(writtenPlan, ({ text, tasks, conditions }) => {
        const plan = parsePlan(text);
        expect(plan).toMatchObject({ title: "A plan", status: "in-progress", errors: [] });
        expect(plan.tasks).toEqual(tasks);
        expect(plan.conditions.map((each) => each.text)).toEqual(conditions);
        const rendered = `## Tasks\n\n${tasks.flatMap(renderTask).join("\n")}\n`;
        expect(parsePlan(rendered)).toMatchObject({ errors: [], tasks });
      }),
      RUNS,
    );
  });

  it("comes back byte for byte: but for the box that is ticked, and from a status that is taken back", () => {
    fc.assert(
      fc.property(writtenPlan, fc.nat(), ({ text, tasks }, pick) => {
        const task = tasks[pick % tasks.length]!;
        const once = changed(text, { tick: [task.number] });
        expect(once).toHaveLength(text.length);
        expect(text.split("").filter((char, at) => once[at] !== char)).toEqual(task.done ? [] : [" "]);
        const begun = changed(text, { status: "complete" });
        expect(changed(begun, { status: "in-progress" })).toBe(text);
        expect([digestPlan(once), digestPlan(begun)]).toEqual([digestPlan(text), digestPlan(text)]);
        expect(refusal(text, { tick: [9_999] })).toContain("No one task is");
      }),
      RUNS,
    );
  });

  it("keeps every other line where one section is written anew", () => {
    fc.assert(
      fc.property(writtenPlan, ({ text }) => {
        const after = changed(text, { section: "Goal", markdown: "Another goal." });
        const eol = text.includes("\r\n") ? "\r\n" : "\n";
        const rest = (of: string): string[] => {
          const lines = of.split(eol);
          const at = lines.indexOf("## Goal");
          const next = lines.findIndex((line, index) => index > at && line.startsWith("## "));
          return [...lines.slice(0, at), ...(next < 0 ? [] : lines.slice(next))];
        };
        expect(rest(after)).toEqual(rest(text));
        expect(after).toContain(`Another goal.${eol}`);
      }),
      RUNS,
    );
  });

  it("loses no task, no condition and no tick by being written again", () => {
    fc.assert(
      fc.property(writtenPlan, fc.nat(), ({ text, tasks, conditions }, pick) => {
        const again = changed(text, { markdown: text.replaceAll(/^- \[[xX]\]/gm, "- [ ]") });
        expect(parsePlan(again).tasks.map(({ done }) => done)).toEqual(tasks.map(({ done }) => done));
        const condition = conditions[pick % conditions.length]!;
        const looser = text.replace(new RegExp(`^- \\[ \\] ${condition}\\r?\\n`, "m"), "");
        expect(refusal(text, { markdown: looser })).toContain(`done when: ${condition}`);
        const dropped = tasks[pick % tasks.length]!;
        const { places } = parsePlan(text);
        const { start, end } = places[pick % tasks.length]!;
        const less = text
          .split("\n")
          .toSpliced(start, end - start)
          .join("\n");
        expect(refusal(text, { markdown: less })).toContain("This would remove from the plan: task ");
        const kept = parsePlan(changed(text, { markdown: less, replace: true })).tasks;
        expect(kept.map(({ text: title }) => title)).not.toContain(dropped.text);
      }),
    );
  });
});

it("any text is read in bounded time: whole, or with errors on lines that are there", () => {
  const line = fc.oneof(
    fc.constantFrom("## Tasks", "# T", "### Wave 1", "## Done When", "```", "<!--", "-->", "~~~", "", "---"),
    fc.constantFrom(
      "- [ ] 1. a",
      "- [ ] 1. b",
      "- [x] 2. c",
      "1. d",
      "* [~] e",
      "| f | g |",
      "- [ ]",
      "text",
    ),
    fc.constantFrom("  - agent: a", "- agent: b", "  - files: a b", "  - needs: all", "  - x: y", "  more"),
    fc.string({ unit: fc.constantFrom(..."- [x]#1.`*:|<>=~\t a".split("")), maxLength: 12 }),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 14 }), (lines) => {
      const { errors, tasks } = parsePlan(lines.join("\n"));
      expect(errors.every(({ line }) => line >= 1 && line <= lines.length)).toBe(true);
      expect(errors.length > 0 && tasks.length > 0).toBe(false);
    }),
    { numRuns: 800 },
  );
});
