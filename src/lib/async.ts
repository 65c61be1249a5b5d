import { performance } from "node:perf_hooks";
import { setImmediate as breathe } from "node:timers/promises";
import { createError } from "./error.ts";

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

/**
 * Waits for `work`, but never longer than `ms` (SPEC 2.5). The work itself is not stopped: pass it an abort
 * signal of its own where stopping matters.
 * @param what names the wait in the error, for example `session.create`
 * @throws GaiaError of unit `bounded` when the time is over; otherwise what `work` throws
 */
export async function bounded<T>(work: Promise<T>, ms: number, clock: Clock, what: string): Promise<T> {
  return firstOf(work, ms, clock, () => {
    throw createError("bounded", `${what} did not answer within ${ms} ms.`);
  });
}

/** The value, or undefined when it does not come within `ms`. */
export async function within<T>(work: Promise<T>, ms: number, clock: Clock): Promise<T | undefined> {
  return firstOf(work, ms, clock, () => undefined);
}

async function firstOf<T, L>(work: Promise<T>, ms: number, clock: Clock, late: () => L): Promise<T | L> {
  let cancel: () => void = () => undefined;
  const timeUp = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve);
  });
  try {
    return await Promise.race([work, timeUp.then(late)]);
  } finally {
    cancel();
  }
}

/** Whether something can be done at all. */
export async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/** A promise that is resolved from elsewhere, as `Promise.withResolvers` of later versions of Node makes one. */
export function deferred<T = void>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** The value, or undefined where the signal is aborted before it comes. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise, resolve } = deferred<undefined>();
  const stop = (): void => resolve(undefined);
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  try {
    return await Promise.race([promise, work]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Many items in slices, between which other work has its turn. */
export async function* inTurns<T>(items: readonly T[], atOnce: number): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < items.length; at += atOnce) {
    if (at > 0) await breathe();
    yield items.slice(at, at + atOnce);
  }
}

/** Does what is asked for by the same key one after the other, whatever became of the one before. */
export function createLines(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work);
    const over = turn
      .catch(() => undefined)
      .finally(() => {
        if (last.get(key) === over) last.delete(key);
      });
    last.set(key, over);
    return turn;
  };
}

/** Does work one after the other, each with the result of a look. One look serves all calls that came before it began. */
export function takingTurns<Seen>(
  look: () => Promise<Seen>,
): <T>(work: (seen: Seen) => Promise<T> | T) => Promise<T> {
  const inLine = createLines();
  let newest: Promise<Seen> | null = null;
  let [asked, answered] = [0, 0];
  return async (work) => {
    const mine = (asked += 1);
    return inLine("", async () => {
      if (newest === null || mine > answered) [answered, newest] = [asked, look()];
      return work(await newest);
    });
  };
}

/**
 * Something that is made at the first call and kept: a schema costs tenths of a millisecond, and a start needs few of
 * them. A maker that throws is asked again.
 */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Work that is begun once for all who ask for it while it is under way. */
export function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return async () =>
    (underWay ??= work().finally(() => {
      underWay = null;
    }));
}
