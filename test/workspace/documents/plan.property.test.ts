import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePlan, updatePlan, type PlanUpdate } from "../../../src/workspace/documents/plan.ts";
import { digestPlan } from "../../../src/workspace/documents/plan-substance.ts";
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
/** The lines of one task, as someone who drops it leaves them out. */
const without = (text: string, taskText: string): string => {
  const lines = text.split(/\r?\n/);
  const at = lines.findIndex(
    (line) => line.trimEnd().endsWith(`] ${taskText}`) || line.endsWith(`. ${taskText}`),
  );
  const end = lines.findIndex((line, index) => index > at && !/^\s+\S/.test(line));
  return [...lines.slice(0, at), ...lines.slice(end)].join("\n");
};

describe("any plan, in whatever hand", () => {
  it("is read as it is meant", () => {
    fc.assert(
      fc.property(writtenPlan, ({ text, tasks }) => {
        expect(parsePlan(text)).toMatchObject({ title: "A plan", status: "in-progress" });
        expect(parsePlan(text).tasks).toEqual(tasks);
      }),
    );
  });

  it("is ticked in one character, which no approval minds", () => {
    fc.assert(
      fc.property(writtenPlan, fc.nat(), ({ text, tasks }, pick) => {
        const task = tasks[pick % tasks.length]!;
        const after = changed(text, { tick: [String(task.number)] });
        const chars = after.split("");
        const differ = text.split("").filter((char, at) => chars[at] !== char).length;
        expect([after.length, differ]).toEqual([text.length, task.done ? 0 : 1]);
        expect(parsePlan(after).tasks).toEqual(
          tasks.map((each) => (each === task ? { ...each, done: true } : each)),
        );
        expect(digestPlan(after)).toBe(digestPlan(text));
        expect(refusal(text, { tick: [String(tasks.length + 1)] })).toContain("No task is");
      }),
    );
  });

  it("loses no task, no condition and no tick by being written again", () => {
    fc.assert(
      fc.property(writtenPlan, fc.nat(), ({ text, tasks, conditions }, pick) => {
        const unticked = text.replaceAll(/\[[xX]\]/g, "[ ]");
        const again = changed(text, { markdown: unticked });
        expect(parsePlan(again).tasks.map(({ done }) => done)).toEqual(tasks.map(({ done }) => done));

        const dropped = tasks[pick % tasks.length]!;
        const less = without(text, dropped.text);
        expect(refusal(text, { markdown: less })).toContain(`task ${dropped.number}. ${dropped.text}`);
        const condition = conditions[pick % conditions.length]!;
        const looser = text.replace(new RegExp(`^. \\[ \\] ${condition}\r?\n`, "m"), "");
        const lost = tasks.some((task) => task.text === condition) ? "" : refusal(text, { markdown: looser });
        if (!tasks.some((task) => task.text === condition)) expect(lost).toContain(`done when: ${condition}`);
        expect(parsePlan(changed(text, { markdown: less, replace: true })).tasks).toHaveLength(
          tasks.length - 1,
        );
      }),
    );
  });
});
