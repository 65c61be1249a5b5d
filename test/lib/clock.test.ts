import { expect, it, onTestFinished, vi } from "vitest";
import { steadyClock, systemClock } from "../../src/lib/clock.ts";

const DAY_MS = 24 * 60 * 60_000;

it.each([-DAY_MS, DAY_MS])("the steady clock goes on when the time of day is turned by %i ms", (jump) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const [day, steady] = [systemClock.now(), steadyClock.now()];
  vi.setSystemTime(Date.now() + jump);
  expect(systemClock.now() - day).toBe(jump);
  expect(steadyClock.now()).toBeGreaterThanOrEqual(steady);
  expect(steadyClock.now() - steady).toBeLessThan(DAY_MS / 2);
});
