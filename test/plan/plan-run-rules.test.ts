import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Role } from "../../src/config/roles.ts";
import { createRuns } from "../../src/conversation/runs/runs.ts";
import { createTask } from "../../src/delegation/task.ts";
import { batchesOf } from "../../src/plan/run/tasks.ts";
import { whoReviews, type ReviewFacts } from "../../src/plan/run/review.ts";
import type { PlanTask } from "../../src/plan/task.ts";
import { readCases } from "../support/cases.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { keeping, keepingOf } from "../support/kept.ts";

const task = (number: number, rest: Partial<PlanTask> = {}): PlanTask => ({
  number,
  text: `task ${number}`,
  done: false,
  needs: [],
  skills: [],
  details: "",
  ...rest,
});
const ROLES: Record<string, Role> = { hephaestus: "implementer", artemis: "tester", hades: "reviewer" };
const roleOf = ({ agent = "hephaestus" }: PlanTask): Role | null => ROLES[agent] ?? null;
const numbers = (tasks: readonly PlanTask[]): number[][] =>
  batchesOf(tasks, roleOf).map((batch) => batch.map(({ number }) => number));

describe("batches of a wave", () => {
  it.each(readCases<[string, (Partial<PlanTask> & { number: number })[], number[][]]>("plan/batches"))(
    "%s",
    (_name, tasks, expected) => {
      expect(numbers(tasks.map((each) => task(each.number, each)))).toEqual(expected);
    },
  );

  it("hold every task once, no file twice at a time, nothing before what it needs", () => {
    const tasks = fc
      .array(
        fc.record({
          agent: fc.constantFrom("hephaestus", "artemis", "hades"),
          files: fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { maxLength: 2 }),
          needs: fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { maxLength: 2 }),
        }),
        { maxLength: 8 },
      )
      .map((list) =>
        list.map(({ needs, ...rest }, at) => task(at + 1, { ...rest, needs: needs.filter((n) => n <= at) })),
      );
    fc.assert(
      fc.property(tasks, (all) => {
        const batches = batchesOf(all, roleOf);
        expect(
          batches
            .flat()
            .map(({ number }) => number)
            .toSorted((a, b) => a - b),
        ).toEqual(all.map(({ number }) => number));
        for (const [at, batch] of batches.entries()) {
          const files = batch.flatMap(({ files: named = [] }) => named);
          expect(new Set(files).size).toBe(files.length);
          const later = new Set(
            batches
              .slice(at)
              .flat()
              .map(({ number }) => number),
          );
          // One who judges waits for all work, so that work which needs a judgement cannot wait for it.
          const isFree = batch.every(({ needs }) => needs.every((need) => !later.has(need)));
          expect(isFree || batch.length === 1).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("who reviews", () => {
  const facts: ReviewFacts = {
    isLast: true,
    changesCode: true,
    depth: "diff",
    isProven: true,
    planned: ["implementer"],
  };
  it.each(readCases<[string, Partial<ReviewFacts>, Role[]]>("plan/reviewers"))(
    "%s",
    (_name, rest, expected) => {
      expect(whoReviews({ ...facts, ...rest })).toEqual(expected);
    },
  );
});

const OF_TASK = {
  id: "t",
  agent: "hephaestus",
  parentId: "r",
  background: false,
  workUnit: "u",
  waveId: null,
};

describe("runs", () => {
  /** With what another one left. */
  const open = (memory = keeping()) => {
    const core = { remember: memory.remember, each: (): undefined => undefined };
    return Object.assign(createRuns(core, services), { restarted: () => open(keeping(memory.kept())) });
  };
  const services = { clock: createFakeClock() };
  const begin = (runs: ReturnType<typeof createRuns>) =>
    runs.begin({ unit: "u", callId: "call", rests: true, control: new AbortController() });

  it("tells of one that was interrupted until it is begun again, or the work is another, over any number of restarts", () => {
    const first = open();
    begin(first);
    const third = first.restarted().restarted();
    expect(third.interrupted()).toBe("u");
    const left = third.restarted();
    left.heard?.({ type: "work-unit-changed", workUnit: "u" });
    expect(left.interrupted()).toBe("u");
    left.heard?.({ type: "work-unit-changed", workUnit: null });
    expect(left.interrupted()).toBeNull();
    expect(left.restarted().interrupted()).toBeNull();
    const again = begin(third);
    again?.end({ ok: true });
    third.given(again?.id ?? "");
    expect(third.restarted().interrupted()).toBeNull();
  });

  it("are known apart: what GAIA hears of an earlier one says nothing of the one at work", () => {
    const runs = open();
    const earlier = begin(runs);
    earlier?.end({ ok: true });
    begin(runs);
    runs.given(earlier?.id ?? "");
    expect(runs.restarted().interrupted()).toBe("u");
  });

  const entry = { unit: "u", task: 1, digest: "d", agent: "a", session: "s", fixes: 1, note: "did" };
  it("counts the tries of a task anew once the user spoke", () => {
    const runs = open(keepingOf({ runs: [entry] }));
    expect(runs.of("u")).toEqual([entry]);
    runs.userSpoke?.("go-on");
    expect(runs.of("u")).toEqual([{ ...entry, fixes: 0 }]);
    expect(runs.restarted().of("u")).toEqual(runs.of("u"));
  });

  it("remembers who worked on what of a large wave, and the newest of it over a restart", () => {
    const runs = open();
    const all = Array.from({ length: 60 }, (_, at) => task(at + 1));
    for (const each of all) {
      const callId = runs.callFor("call", "u", each);
      const sessionId = `ses_${each.number}`;
      runs.taskChanged?.(createTask({ ...OF_TASK, callId, sessionId }, 0));
      runs.note("u", each.number, "did ".repeat(30));
    }
    expect(all.map((each) => runs.entry("u", each)?.session)).toEqual(
      all.map(({ number }) => `ses_${number}`),
    );
    const later = runs.restarted();
    expect(later.of("u").length).toBeGreaterThan(20);
    expect(later.of("u")).toEqual(runs.of("u").slice(-later.of("u").length));
  });
});
