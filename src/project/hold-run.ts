import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock } from "../lib/clock.ts";
import { describeError } from "../lib/error.ts";
import type { Logger } from "../lib/logger.ts";
import { localFile, tryLock } from "../record/store.ts";

/** How often a run shows that it lives, in milliseconds: several times before it is taken for gone. */
const RENEW_MS = 4_000;

/** Carries a unit's plan out once at a time, over all processes; `elsewhere` where it is under way. @throws GaiaError */
export async function holdRun<T>(
  { project, unit, clock, logger }: { project: string; unit: string; clock: Clock; logger: Logger },
  work: () => Promise<T>,
  elsewhere: T,
): Promise<T> {
  const folder = await localFile(project, `runs/${unit}`, "Remove that link.");
  await mkdir(dirname(folder), { recursive: true });
  const lease = await tryLock(folder, logger);
  if (lease === null) return elsewhere;
  let isOver = false;
  let cancel = (): void => undefined;
  const confirm = async (): Promise<void> => {
    await lease.confirm().catch((error: unknown) => {
      logger.log("warn", "runs", describeError(error), { unit });
    });
  };
  let turn = Promise.resolve();
  const renew = (): void => {
    cancel = clock.after(RENEW_MS, () => {
      turn = confirm();
      if (!isOver) renew();
    });
  };
  renew();
  try {
    return await work();
  } finally {
    isOver = true;
    cancel();
    // While it is renewed it has another name in the next moment.
    await turn;
    await lease.release();
  }
}
