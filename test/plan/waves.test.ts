import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findNeedProblems } from "../../src/plan/problems.ts";
import { createOverlap } from "../../src/plan/files.ts";
import { parsePlan } from "../../src/plan/grammar.ts";
import type { PlanTask } from "../../src/plan/task.ts";
import { wavesOf } from "../../src/plan/waves.ts";
import { readCases } from "../support/cases.ts";
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

interface Case {
  readonly kind: "derived" | "named" | "needs";
  readonly name: string;
  readonly tasks: readonly string[];
  /** The waves, or what is told of needs that cannot be met. */
  readonly expected: string | readonly string[];
}

describe("waves", () => {
  it.each(readCases<Case>("plan/waves"))("$kind put $name", ({ kind, tasks, expected }) => {
    const given = plan(...tasks);
    expect(kind === "needs" ? findNeedProblems(given) : shown(given)).toEqual(expected);
  });

  it("keep their ids while the work goes on", () => {
    const tasks = plan("a; files: a.ts", "b; files: a.ts");
    expect(shown(tasks.map((task) => ({ ...task, done: task.number === 1 })))).toBe(shown(tasks));
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
        const [places, overlap] = [placesOf(tasks), createOverlap(tasks)];
        const place = ({ number }: PlanTask): number => places.get(number) ?? -1;
        const isLate = (task: PlanTask, other: PlanTask): boolean => place(other) < place(task);
        const wrong = tasks.flatMap((task, at) =>
          tasks.slice(0, at).filter((other) => {
            const isBeside = place(task) === place(other);
            // What someone needs comes as early as they need it.
            const isFree = task.needs.length === 0 && !tasks.some(({ needs }) => needs.includes(task.number));
            const follows = isFree && tests(task) && other.needs.length === 0 && !tests(other);
            return (isBeside && overlap(task, other)) || (follows && !isLate(task, other));
          }),
        );
        expect(wrong).toEqual([]);
      }),
    );
  });

  it("have ten tasks at most, where they are derived", () => {
    const tasks = Array.from({ length: 24 }, (_each, at) =>
      planTask({ number: at + 1, files: [`${at}.ts`], needs: at === 23 ? [1] : [] }),
    );
    expect(wavesOf(tasks).map((wave) => wave.tasks.length)).toEqual([10, 10, 4]);
  });

  it("are read the more carefully the fewer they are, and end in any number", () => {
    const many = Array.from({ length: 3_000 }, (_each, at) =>
      planTask({ number: at + 1, needs: at === 0 ? [3_000] : [at] }),
    );
    expect(wavesOf(many)).toHaveLength(3_000);
    expect(findNeedProblems(many)).toHaveLength(1);
  });
});
