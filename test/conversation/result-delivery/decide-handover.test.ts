import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideHandover, type Handover } from "../../../src/conversation/result-delivery/result-delivery.ts";

const ALONE: Handover = { ended: 1, running: 0, queued: 0, turns: 0, waitedMs: 0 };
const MINUTE = 60_000;

describe("results", () => {
  it.each<[string, Partial<Handover>, number]>([
    ["go at once when nothing more comes", {}, 0],
    ["wait a moment for a sibling", { running: 1 }, 100],
    ["do not wait twice", { running: 1, waitedMs: 100 }, 0],
    ["wait longer after wake-ups", { running: 1, turns: 2 }, 1_600],
    ["go three together while more queue", { ended: 3, running: 3, queued: 9 }, 0],
    ["wait for so many", { ended: 2, running: 3, queued: 1 }, 10 * MINUTE],
    ["go more together after wake-ups", { ended: 5, running: 3, queued: 9, turns: 3 }, 10 * MINUTE],
    ["never wait for ever", { ended: 2, running: 3, queued: 1, waitedMs: 10 * MINUTE }, 0],
    ["never wait for ever after many turns either", { running: 1, turns: 99 }, 10 * MINUTE],
  ])("%s", (_name, given, expected) => {
    expect(decideHandover({ ...ALONE, ...given })).toBe(expected);
  });

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
