import { expect, it } from "vitest";
import { awaitRecord, type RecordTask } from "../../src/plan/run/record-work.ts";
import { createFakeClock } from "../support/fake-clock.ts";

type Seen = ReturnType<RecordTask["task"]>;

/** A historian's task, which ends where it is cut; @returns what it was cut for, and after how long */
async function wait(
  task: (now: number) => Seen,
  ms: number,
): Promise<{ cut: string; after: number; left: number }> {
  const clock = createFakeClock(0);
  let cut = "";
  let after = -1;
  let end = (): void => undefined;
  const work = new Promise<void>((resolve) => {
    end = resolve;
  });
  const waiting = awaitRecord(work, {
    clock,
    task: () => (cut === "" ? task(clock.now()) : undefined),
    cut(_id, reason) {
      [cut, after] = [reason, clock.now()];
      end();
    },
  });
  await clock.advance(ms);
  end();
  await waiting;
  return { cut, after, left: clock.pending };
}

const seen = (heardAt: number, rest: Partial<NonNullable<Seen>> = {}): Seen => ({
  id: "task_1",
  status: "running",
  startedAt: 0,
  heardAt,
  ...rest,
});

it.each([
  ["one of whom nothing is heard", () => seen(0), /nothing was heard/, 60_000],
  ["one who was silent before", () => seen(-100_000), /nothing was heard/, 5_000],
  ["one who goes on for ever", (now: number) => seen(now), /still at work/, 240_000],
  ["one who never comes to begin", () => seen(0, { startedAt: null }), /still at work/, 240_000],
] as const)("ends %s", async (_name, task, reason, after) => {
  expect(await wait(task, 600_000)).toEqual({ cut: expect.stringMatching(reason), after, left: 0 });
});

it.each([
  ["works", (now: number) => seen(now), 200_000],
  ["waits for the user", () => seen(0, { status: "waiting-for-human" }), 3_600_000],
  ["is not there yet", () => undefined, 3_600_000],
] as const)("leaves one alone who %s", async (_name, task, ms) => {
  expect(await wait(task, ms)).toEqual({ cut: "", after: -1, left: 0 });
});
