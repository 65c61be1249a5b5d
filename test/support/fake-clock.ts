import type { Clock } from "../../src/lib/async.ts";

/** A clock that stands still until it is turned. */
export interface FakeClock extends Clock {
  /** Moves time on and runs what is due, in order; lets promises settle in between. */
  advance(ms: number): Promise<void>;
  /** Timers that are still set; 0 when nothing leaks. */
  readonly pending: number;
}

export function createFakeClock(start = 1_000_000): FakeClock {
  let time = start;
  const timers = new Set<{ at: number; callback: () => void }>();
  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
  };
  return {
    now: () => time,
    after(ms, callback) {
      const timer = { at: time + ms, callback };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    get pending() {
      return timers.size;
    },
    async advance(ms) {
      const end = time + ms;
      await settle();
      for (;;) {
        const due = [...timers].filter((timer) => timer.at <= end).toSorted((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        timers.delete(due);
        time = due.at;
        due.callback();
        await settle();
      }
      time = end;
    },
  };
}
