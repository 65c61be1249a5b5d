import type { Clock } from "./clock.ts";
import { createError } from "./error.ts";

/**
 * Waits for `work`, but never longer than `ms` (SPEC 2.5). The work itself is not stopped: pass it an abort
 * signal of its own where stopping matters.
 * @param what names the wait in the error, for example `session.create`
 * @throws GaiaError of unit `bounded` when the time is over; otherwise what `work` throws
 */
export async function bounded<T>(work: Promise<T>, ms: number, clock: Clock, what: string): Promise<T> {
  let cancel: () => void = () => undefined;
  const timeUp = new Promise<never>((_resolve, reject) => {
    cancel = clock.after(ms, () => {
      reject(createError("bounded", `${what} did not answer within ${ms} ms.`));
    });
  });
  try {
    return await Promise.race([work, timeUp]);
  } finally {
    cancel();
  }
}
