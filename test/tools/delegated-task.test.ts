import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { tidyArguments } from "../../src/host/tool-arguments.ts";
import { renderTask, TASK_ARGS, tidyTask, type DelegatedTask } from "../../src/tools/delegated-task.ts";

const parts = { context: "src/", must: "list files", must_not: "change", expected: "a map" };
const WHOLE = "TASK: Map it\nCONTEXT: src/\nMUST DO: list files\nMUST NOT: change\nEXPECTED: a map";
const read = (given: Record<string, unknown>): DelegatedTask =>
  z.object(TASK_ARGS).parse(tidyArguments(z.object(TASK_ARGS), tidyTask(given)));

describe("a delegated task", () => {
  it.each<[string, Record<string, unknown>, string, string]>([
    ["as it is asked for", { goal: "Map it", task: parts }, "Map it", WHOLE],
    ["with its goal within", { task: { goal: "Map it", ...parts } }, "Map it", WHOLE],
    ["as one prompt", { prompt: WHOLE }, "Map it", WHOLE],
    ["as one text", { task: "Look around" }, "Look around", "TASK: Look around"],
    [
      "with a text beside the goal",
      { goal: "Map it", prompt: "In src/." },
      "Map it",
      "TASK: Map it\nCONTEXT: In src/.",
    ],
    [
      "with lists",
      { goal: "Map it", task: { must_do: ["a", "b"], expected: null } },
      "Map it",
      "TASK: Map it\nMUST DO: - a\n- b",
    ],
  ])("is taken %s", (_name, given, goal, text) => {
    const task = read(given);
    expect(task.goal).toBe(goal);
    expect(renderTask(task)).toBe(text);
  });

  it("keeps every word of a prompt that begins with more than a goal", () => {
    const prompt = `${"word ".repeat(100)}end`;
    const task = read({ prompt });
    expect(task.goal.length).toBeLessThanOrEqual(300);
    expect(renderTask(task)).toContain(prompt);
  });

  it.each([
    [{}],
    [{ prompt: "" }],
    [{ goal: "x".repeat(301) }],
    [{ goal: "a", task: { must: { deep: 1 } } }],
  ])("%j is none", (given) => {
    expect(z.object(TASK_ARGS).safeParse(tidyTask(given)).success).toBe(false);
  });
});
