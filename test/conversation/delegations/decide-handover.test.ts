import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCases } from "../../support/cases.ts";
import { decideHandover, type Handover } from "../../../src/conversation/delegations/result-delivery.ts";

const ALONE: Handover = { ended: 1, running: 0, queued: 0, turns: 0, waitedMs: 0 };
const MINUTE = 60_000;

describe("results", () => {
  it.each(readCases<{ given: Partial<Handover>; expected: number }>("conversation/delegations/handovers"))(
    "$name",
    ({ given, expected }) => {
      expect(decideHandover({ ...ALONE, ...given })).toBe(expected);
    },
  );

  it.each([
    ["twenty tasks, three at once, are seven turns", 20, 3, 7],
    ["twenty tasks, one after the other, are seven turns", 20, 1, 7],
    ["eighty tasks, three at once, are the dozen turns that the plugin may begin in a row", 80, 3, 12],
  ])("of %s, whatever each one takes", (_name, count, atOnce, most) => {
    const duration = fc.integer({ min: 1, max: 3 * MINUTE });
    const lengths = fc.array(duration, { minLength: count, maxLength: count });
    fc.assert(
      fc.property(lengths, (durations) => {
        expect(turnsFor(durations, atOnce)).toBeLessThanOrEqual(most);
      }),
    );
  });
});

/** How often results are handed over, when each turn takes no time. */
function turnsFor(durations: readonly number[], atOnce: number): number {
  const slots = Array.from({ length: atOnce }, () => 0);
  const ends = durations.map((duration) => {
    const free = slots.indexOf(Math.min(...slots));
    slots[free] = (slots[free] ?? 0) + duration;
    return { start: (slots[free] ?? 0) - duration, end: slots[free] ?? 0 };
  });
  let turns = 0;
  let given = 0;
  let oldest = Infinity;
  const sorted = ends.map(({ end }) => end).toSorted((a, b) => a - b);
  for (const [at, now] of sorted.entries()) {
    oldest = Math.min(oldest, now);
    const next = sorted[at + 1] ?? Infinity;
    const queued = ends.filter(({ start }) => start > now).length;
    const running = sorted.length - (at + 1) - queued;
    const state = { ended: at + 1 - given, running, queued, turns };
    const wait = decideHandover({ ...state, waitedMs: now - oldest });
    if (now + wait > next) continue;
    turns += 1;
    given = at + 1;
    oldest = Infinity;
  }
  return turns;
}
