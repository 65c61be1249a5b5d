import type { Clock } from "./clock.ts";
import { createError } from "./error.ts";

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
