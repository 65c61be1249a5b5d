import { setTimeout as pause } from "node:timers/promises";
import { steadyClock } from "../../lib/clock.ts";
import { describeError } from "../../lib/error.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Lease } from "./lock.ts";

interface Job {
  run(lease: Lease): Promise<void>;
  reject(error: unknown): void;
}

/** How long one process may keep the lock for jobs that wait in line, before others get their turn. */
const TURN_MS = 100;
/** Longer than the pause between two tries of those that wait for the lock. */
const YIELD_MS = 15;

/**
 * Runs jobs one after the other, in order, under a lease. Jobs that pile up share a lease for up to 100 ms; when the lease
 * cannot be had, all that wait fail with its error, so no job waits longer than its turn and one bound.
 */
export function createJobQueue(
  acquire: () => Promise<Lease>,
  logger: Logger,
): <T>(job: (lease: Lease) => Promise<T>) => Promise<T> {
  const waiting: Job[] = [];
  let working = false;

  const runTurn = async (): Promise<void> => {
    const lease = await acquire();
    const until = steadyClock.now() + TURN_MS;
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      await job.run(lease);
      if (steadyClock.now() > until) break;
    }
    await lease.release().catch((error: unknown) => {
      logger.log("error", "workspace", `the lock could not be given back: ${describeError(error)}`);
    });
  };

  const work = async (): Promise<void> => {
    working = true;
    while (waiting.length > 0) {
      try {
        await runTurn();
      } catch (error) {
        for (const job of waiting.splice(0)) job.reject(error);
      }
      if (waiting.length > 0) await pause(YIELD_MS);
    }
    working = false;
  };

  return <T>(job: (lease: Lease) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      // A job's own error, thrown or rejected, is its caller's; it must not end the turn of the others.
      const run = async (lease: Lease): Promise<T> => job(lease);
      waiting.push({ run: (lease) => run(lease).then(resolve, reject), reject });
      if (!working) void work();
    });
}
