import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { readArguments } from "../../src/lib/tool-arguments.ts";
import { renderDelegatedTask, TASK_ARGS } from "../../src/tools/announced.ts";

const parts = { context: "src/", must: "list files", must_not: "change", expected: "a map" };
const WHOLE = "TASK: Map it\nCONTEXT: src/\nMUST DO: list files\nMUST NOT: change\nEXPECTED: a map";
const SOME = "TASK: Map it\nMUST DO: list files";

describe("a delegated task", () => {
  it.each<[string, Record<string, unknown>, string]>([
    ["with all of its parts", { goal: "Map it", task: parts }, WHOLE],
    ["with its parts as a text", { goal: "Map it", task: JSON.stringify(parts) }, WHOLE],
    ["with some", { goal: "Map it", task: { must: "list files", expected: null } }, SOME],
    ["as a goal", { goal: "Map it", task: {} }, "TASK: Map it"],
  ])("is read %s", (_name, given, text) => {
    const read = readArguments(z.object(TASK_ARGS), given);
    expect(read.ok && renderDelegatedTask(read.args)).toBe(text);
  });

  it.each<[Record<string, unknown>, string]>([
    [{}, "goal: Invalid input: expected string"],
    [{ goal: " " }, "goal: one sentence of at most 300 characters"],
    [{ goal: "x".repeat(301) }, "goal: one sentence of at most 300 characters"],
    [{ prompt: "Map it" }, "prompt: Unknown argument: expected one of goal, task; goal: "],
    [{ goal: "a", task: "Look around" }, "task: an object of context, must, must_not, expected."],
    [
      { goal: "a", task: { must_do: "b" } },
      "task.must_do: Unknown argument: expected one of context, must, ",
    ],
  ])("%j is none, and what is accepted is named", (given, words) => {
    expect(readArguments(z.object(TASK_ARGS), given)).toEqual({
      ok: false,
      problem: expect.stringContaining(words),
    });
  });
});
