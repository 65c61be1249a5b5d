import { performance } from "node:perf_hooks";

/** Time as the engine sees it, so that tests can turn it by hand. All figures are milliseconds. */
export interface Clock {
  now(): number;
  /** Runs `callback` once after `ms`; the returned function cancels it. The timer never keeps the process alive. */
  after(ms: number, callback: () => void): () => void;
}

/** The time of day, which can be turned: for dates, and for what other processes write down. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Waits; like every timer of the clock it does not keep the process alive by itself. */
export async function pause(ms: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}

/**
 * Begins at the time of day and only ever goes on at its own pace, however the clock is turned: for everything that measures
 * how long something takes or is waited for (SPEC 2.5).
 */
export const steadyClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after: systemClock.after,
};
