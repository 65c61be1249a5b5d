import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isEnded, reduceTask, type Task, type TaskEvent, waitsUntil } from "../../src/delegation/task.ts";
import { taskOf } from "../support/task.ts";

const outcome = { message: "", envelope: null, parseError: null, text: null };
const attempt = { model: "a/one", failure: "quota", message: "slow down", duration_ms: 1 } as const;

const event: fc.Arbitrary<TaskEvent> = fc
  .tuple(fc.nat({ max: 50 }), fc.constantFrom("x", "y", "z"), fc.boolean(), fc.nat({ max: 9 }))
  .map(([at, id, running, kind]): TaskEvent => {
    const kinds: TaskEvent[] = [
      { type: "started", at, model: "a/one" },
      { type: "attempt-failed", at, attempt },
      { type: "answered", at, attempt: { ...attempt, failure: null } },
      { type: "repairing", at },
      { type: "retries", at, message: "overloaded" },
      { type: "activity", at, label: id, callId: id, running },
      { type: "spent", at, tokens: { input: at, output: 0, cached: 0 }, cost: 0 },
      { type: "human-needed", at, requestId: id, what: "waits" },
      { type: "human-answered", at, requestId: id },
      { type: "ended", at, outcome: { ...outcome, status: running ? "completed" : "failed" } },
    ];
    return kinds[kind] ?? { type: "repairing", at };
  });
const play = (events: readonly TaskEvent[]): Task[] => {
  const states = [taskOf()];
  for (const next of events) states.push(reduceTask(states.at(-1) ?? taskOf(), next));
  return states;
};

describe("a task", () => {
  it("never changes again once it has ended, whatever arrives late", () => {
    expect.hasAssertions();
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        const states = play(events);
        const end = states.findIndex(isEnded);
        if (end >= 0) expect(states.slice(end).every((state) => state === states[end])).toBe(true);
      }),
    );
  });

  it("waits for a human only as long as a request is open, and holds each open thing once", () =>
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        for (const state of play(events)) {
          if (state.status === "waiting-for-human") expect(state.openRequests.length).toBeGreaterThan(0);
          expect(new Set(state.openRequests).size).toBe(state.openRequests.length);
          expect(new Set(state.openTools).size).toBe(state.openTools.length);
          if (isEnded(state)) expect([...state.openTools, ...state.openRequests]).toEqual([]);
        }
      }),
    ));

  it("gives each status a cause and keeps every attempt in order", () => {
    const [, , failed, again] = play([
      { type: "started", at: 1, model: "a/one" },
      { type: "attempt-failed", at: 2, attempt },
      { type: "started", at: 3, model: "b/one" },
    ]);
    expect(failed).toMatchObject({ status: "retrying", cause: "slow down", attempts: [attempt] });
    expect(again).toMatchObject({ status: "retrying", cause: "fell back after quota", startedAt: 1 });
  });

  it("is retrying until something is heard of it, and correcting until its answer", () => {
    const [, , retries, goesOn, , , corrects] = play([
      { type: "started", at: 1, model: "a/one" },
      { type: "retries", at: 2, message: "overloaded" },
      { type: "activity", at: 3, label: "read: a.ts" },
      { type: "answered", at: 4, attempt: { ...attempt, failure: null } },
      { type: "repairing", at: 5 },
      { type: "started", at: 6, model: "a/one" },
    ]);
    expect(retries).toMatchObject({ status: "retrying", cause: "retries: overloaded" });
    // OpenCode says when: 2 is that moment.
    expect([retries, goesOn, corrects].map((task) => task && waitsUntil(task))).toEqual([2, null, null]);
    expect(goesOn).toMatchObject({ status: "running", activity: "read: a.ts" });
    expect(corrects).toMatchObject({ status: "repairing" });
  });
});
