import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, dirname } from "node:path";
import { createLines, type Clock } from "../lib/async.ts";
import { type Logger, describeError } from "../lib/error.ts";
import { acquireLock, localFile, tryLock } from "../record/store.ts";
import type { LaneStore } from "../snapshot/lanes/engine.ts";
import { keptFolder } from "../snapshot/lanes/unit-place.ts";

const LOCK_MS = 30_000;

/** By the folder whose lock it is: within a process nobody waits against the clock. */
const inLine = createLines();

/** One at a time, of one process, looks at the user's tree for lanes, and changes it. @throws GaiaError when it is never its turn */
export async function alone<T>(
  { kept }: Pick<LaneStore, "kept">,
  logger: Logger,
  work: () => Promise<T>,
): Promise<T> {
  return inLine(kept, async () => {
    // `git clean` of the user's takes it away.
    await mkdir(kept, { recursive: true });
    const lease = await acquireLock(join(kept, "lock"), LOCK_MS, logger);
    try {
      return await work();
    } finally {
      await lease.release();
    }
  });
}

/** Completes or takes back a landing that a crash has cut off; for everyone else it is one look at the disk. */
export async function settleCutOff(
  project: string,
  logger: Logger,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  if (!existsSync(join(keptFolder(project), "landing"))) return;
  const engine = await import("../snapshot/lanes/engine.ts");
  const store = await engine.openStore(project, environment);
  if (typeof store === "string" || !engine.isLanding(store)) return;
  const settled = await alone(store, logger, async () => engine.settleLanding(store));
  if (settled !== null) logger.log("warn", "worktrees", `A landing that was cut off was ${settled}.`);
}

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
