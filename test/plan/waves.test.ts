import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findNeedProblems } from "../../src/plan/problems.ts";
import { createCommonPaths } from "../../src/plan/files.ts";
import { parsePlan } from "../../src/plan/grammar.ts";
import type { PlanTask } from "../../src/plan/task.ts";
import { wavesOf } from "../../src/plan/waves.ts";
import { planTask } from "../support/plan-task.ts";

/** Tasks in the form `title; files: a.ts; needs: 1`, one after another. */
const plan = (...tasks: string[]): readonly PlanTask[] =>
  parsePlan(
    `## Tasks\n\n${tasks.map((each, at) => `- [ ] ${at + 1}. ${each.replaceAll("; ", "\n  - ")}`).join("\n")}\n`,
  ).tasks;
const shown = (tasks: readonly PlanTask[]): string =>
  wavesOf(tasks)
    .map((wave) => `${wave.id}: ${wave.tasks.map(({ number }) => number).join(" ")}`)
    .join(", ");

describe("waves that follow from the tasks", () => {
  it.each<[string, string[], string]>([
    ["disjoint files side by side", ["a; files: a.ts", "b; files: b.ts"], "1: 1 2"],
    ["shared files one after another", ["a; files: a.ts, c.ts", "b; files: c.ts"], "1: 1, 2: 2"],
    ["a folder and what is in it", ["a; files: src", "b; files: src/b.ts", "c; files: c.ts"], "1: 1 3, 2: 2"],
    ["unnamed files one after another", ["a", "b", "c; files: c.ts"], "1: 1, 2: 2, 3: 3"],
    [
      "what needs nothing of it, beside it",
      ["a; files: a.ts", "b; files: b.ts; needs: 1", "c; files: c.ts"],
      "1: 1 3, 2: 2",
    ],
    ["what two tasks need", ["a; files: a.ts", "b; needs: 1", "c; needs: 1"], "1: 1, 2: 2 3"],
    ["needs that stand below", ["a; files: a.ts; needs: 2", "b; files: b.ts"], "1: 2, 2: 1"],
    [
      "shared files in spite of needs",
      ["a; files: a.ts", "b; files: b.ts; needs: 1", "c; files: b.ts; needs: 1"],
      "1: 1, 2: 2, 3: 3",
    ],
    [
      "tests and reviews behind what they look at",
      [
        "a; agent: hephaestus; files: a.ts",
        "t; agent: artemis; files: a.test.ts",
        "r; agent: hades",
        "c; agent: aether",
      ],
      "1: 1, 2: 2, 3: 3, 4: 4",
    ],
    [
      "a test behind what is made before it, beside what is made after it",
      ["a; files: a.ts", "t; agent: artemis; files: a.test.ts", "b; files: b.ts"],
      "1: 1 3, 2: 2",
    ],
    ["a circle, without an end to wait for", ["a; needs: 2", "b; needs: 1", "c; needs: 3"], "1: 2 3, 2: 1"],
  ])("put %s", (_name, tasks, expected) => {
    expect(shown(plan(...tasks))).toBe(expected);
  });

  it("keep their ids while the work goes on", () => {
    const tasks = plan("a; files: a.ts", "b; files: a.ts");
    expect(shown(tasks.map((task) => ({ ...task, done: task.number === 1 })))).toBe(shown(tasks));
  });
});

describe("waves that the plan names", () => {
  it.each<[string, string[], string]>([
    ["in their order", ["a; wave: w1", "b; wave: w1", "c; wave: w2"], "w1: 1 2, w2: 3"],
    [
      "by number, wherever their tasks stand",
      ["a; wave: 10", "b; wave: 2", "c; wave: 2b"],
      "2: 2, 2b: 3, 10: 1",
    ],
    [
      "as they come, where they are words",
      ["a; wave: setup", "b; wave: api", "c; wave: setup"],
      "setup: 1 3, api: 2",
    ],
    [
      "with what stands between them in its place",
      ["a; wave: w1", "b", "c", "d; wave: w2"],
      "w1: 1, task-2: 2, task-3: 3, w2: 4",
    ],
    ["with what stands before them first", ["a", "b; wave: w1"], "task-1: 1, w1: 2"],
    [
      "behind the waves that they need",
      ["a; needs: 2", "b; wave: w2; needs: 3", "c; wave: w3"],
      "w3: 3, w2: 2, task-1: 1",
    ],
  ])("come %s", (_name, tasks, expected) => {
    expect(shown(plan(...tasks))).toBe(expected);
  });
});

describe("needs that cannot be met", () => {
  it.each<[string, string[], string[]]>([
    ["none of them", ["a; wave: w1", "b; wave: w2; needs: 1"], []],
    ["a number that is not there", ["a; needs: 7"], ["task 1 needs 7, which is no task"]],
    ["itself", ["a; needs: 1"], ["tasks 1 need each other in a circle"]],
    [
      "a circle",
      ["a; needs: 3", "b; needs: 1", "c; needs: 2", "d; needs: 3"],
      ["tasks 1, 2, 3 need each other in a circle"],
    ],
    ["none of its own wave, where it is worked on after it", ["a; wave: w1", "b; wave: w1; needs: 1"], []],
    [
      "waves that need each other",
      ["a; wave: w1; needs: 2", "b; wave: w2", "c; wave: w1", "d; wave: w2; needs: 3"],
      ["task 4 of wave w2 needs task 3 of wave w1, which comes after it"],
    ],
  ])("are told: %s", (_name, tasks, expected) => {
    expect(findNeedProblems(plan(...tasks))).toEqual(expected);
  });
});

describe("any tasks", () => {
  const count = 8;
  const path = fc.constantFrom("a.ts", "src", "src/b.ts", "src/*.ts", "lib/c.ts", "d.ts", "test/e.ts");
  const said = fc.record(
    {
      done: fc.boolean(),
      wave: fc.constantFrom("w1", "w2", "api"),
      agent: fc.constantFrom("hephaestus", "artemis", "hades", "aether"),
      files: fc.uniqueArray(path, { minLength: 1, maxLength: 2 }),
      needs: fc.uniqueArray(fc.integer({ min: 1, max: count + 1 }), { maxLength: 2 }),
    },
    { requiredKeys: ["done"] },
  );
  const tasksOf = (from: typeof said): fc.Arbitrary<PlanTask[]> =>
    fc
      .array(from, { maxLength: count })
      .map((all) => all.map((each, at) => planTask({ ...each, number: at + 1 })));
  const placesOf = (tasks: readonly PlanTask[]): Map<number, number> =>
    new Map(wavesOf(tasks).flatMap((wave, at) => wave.tasks.map(({ number }) => [number, at])));

  it("stand in one wave each, whose ids differ", () => {
    fc.assert(
      fc.property(tasksOf(said), (tasks) => {
        const waves = wavesOf(tasks);
        const numbers = waves.flatMap((wave) => wave.tasks.map(({ number }) => number));
        expect(numbers.toSorted((a, b) => a - b)).toEqual(tasks.map(({ number }) => number));
        expect(new Set(waves.map(({ id }) => id)).size).toBe(waves.length);
        expect(waves.every((wave) => wave.tasks.length > 0)).toBe(true);
      }),
    );
  });

  it("come behind all they need, or it is told that they cannot", () => {
    fc.assert(
      fc.property(tasksOf(said), (tasks) => {
        const places = placesOf(tasks);
        const late = tasks.some(({ number, needs }) =>
          needs.some((need) => (places.get(need) ?? Infinity) > (places.get(number) ?? 0)),
        );
        expect(late && findNeedProblems(tasks).length === 0).toBe(false);
      }),
    );
  });

  it("share no file and follow what they test, where the waves are derived", () => {
    const tests = (task: PlanTask): boolean => task.files?.every((file) => file === "test/e.ts") === true;
    fc.assert(
      fc.property(tasksOf(said), (given) => {
        const tasks = given.map(({ wave: _wave, ...task }) => task);
        const places = placesOf(tasks);
        const place = ({ number }: PlanTask): number => places.get(number) ?? -1;
        const isLate = (task: PlanTask, other: PlanTask): boolean => place(other) < place(task);
        const wrong = tasks.flatMap((task, at) =>
          tasks.slice(0, at).filter((other) => {
            const isBeside = place(task) === place(other);
            // What someone needs comes as early as they need it.
            const isFree = task.needs.length === 0 && !tasks.some(({ needs }) => needs.includes(task.number));
            const follows = isFree && tests(task) && other.needs.length === 0 && !tests(other);
            return (
              (isBeside && createCommonPaths()(task, other).length > 0) || (follows && !isLate(task, other))
            );
          }),
        );
        expect(wrong).toEqual([]);
      }),
    );
  });

  it("have eight tasks at most, where they are derived", () => {
    const tasks = Array.from({ length: 20 }, (_each, at) =>
      planTask({ number: at + 1, files: [`${at}.ts`], needs: at === 19 ? [1] : [] }),
    );
    expect(wavesOf(tasks).map((wave) => wave.tasks.length)).toEqual([8, 8, 4]);
  });

  it("are read the more carefully the fewer they are, and end in any number", () => {
    const many = Array.from({ length: 3_000 }, (_each, at) =>
      planTask({ number: at + 1, needs: at === 0 ? [3_000] : [at] }),
    );
    expect(wavesOf(many)).toHaveLength(3_000);
    expect(findNeedProblems(many)).toHaveLength(1);
  });
});
