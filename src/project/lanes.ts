import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join, dirname } from "node:path";
import type { LanesConfig } from "../config/lanes.ts";
import { createLines, type Clock } from "../lib/async.ts";
import { createError, type Logger, logFailure } from "../lib/error.ts";
import { isProcessAlive } from "../lib/is-process-alive.ts";
import { readText } from "../lib/read-source.ts";
import { acquireLock, localFile, tryLock } from "../record/store.ts";
import type { LaneStore } from "../snapshot/lanes/engine.ts";
import { keptFolder } from "../snapshot/lanes/unit-place.ts";

const LOCK_MS = 30_000;

/** A queue per lock: within a process no waiter times out. */
const inLine = createLines();

/** Works on the user's tree for lanes, one caller of one process at a time. @throws GaiaError when the lock is not free in time */
export async function alone<T>(
  { kept }: Pick<LaneStore, "kept">,
  logger: Logger,
  work: () => Promise<T>,
): Promise<T> {
  return inLine(kept, async () => {
    // The user's `git clean` removes it.
    await mkdir(kept, { recursive: true });
    const lease = await acquireLock(join(kept, "lock"), LOCK_MS, logger);
    try {
      return await work();
    } finally {
      await lease.release();
    }
  });
}

/** Completes or reverts a landing that a crash has cut off; without one it costs one look at the disk. */
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

/** How often a run renews its lock, in milliseconds: several times before the lock counts as stale. */
const RENEW_MS = 4_000;

/** Runs a unit's plan once at a time, over all processes; `elsewhere` where it is under way. @throws GaiaError */
export async function holdRun<T>(
  { project, unit, clock, logger }: { project: string; unit: string; clock: Clock; logger: Logger },
  work: () => Promise<T>,
  elsewhere: T,
): Promise<T> {
  const folder = await localFile(project, `runs/${unit}`);
  await mkdir(dirname(folder), { recursive: true });
  const lease = await tryLock(folder, logger);
  if (lease === null) return elsewhere;
  let isOver = false;
  let cancel = (): void => undefined;
  const confirm = async (): Promise<void> => {
    await lease.confirm().catch(logFailure(logger, "warn", "runs", { unit }));
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
    // A renewal renames the lock: release it after that.
    await turn;
    await lease.release();
  }
}

/** Claims a lane: it belongs to its conversation while that process lives. @returns whether it was ours @throws GaiaError for another's */
export async function claim(
  rootId: string,
  path: string,
  yields: (owner: string) => boolean = () => false,
): Promise<boolean> {
  const [owner = rootId, pid] = await ownerIn(path);
  const isOurs = owner === rootId;
  const isLeft = !isProcessAlive(Number(pid)) || (Number(pid) === process.pid && yields(owner));
  if (!isOurs && !isLeft)
    throw createError("worktrees", `Another conversation of OpenCode's process ${pid} works here: ${path}`, {
      hint: "Go on there, or end it there.",
    });
  await writeFile(path, `${rootId} ${process.pid}`);
  return isOurs;
}

/** Finds a conversation's lane for a session that worked in it before a restart. @returns it, or why there is none */
export async function findLane(
  project: string,
  mode: LanesConfig["mode"],
  rootId: string,
  name: string,
): Promise<{ readonly from: string; readonly to: string } | string> {
  const isUnit = !name.includes("/");
  // Candidates have worktrees in every mode.
  if (!isUnit && mode === "off" && !/\/\d+\.\d$/u.test(name)) return "lanes is off now";
  const engine = await import("../snapshot/lanes/engine.ts");
  const store = await engine.openStore(project, process.env);
  if (typeof store === "string") return store;
  if (isUnit) {
    const folder = await engine.findUnitTree(store, name);
    return folder === null ? "it was removed" : { from: store.from, to: folder };
  }
  const lane = (await engine.listLanes(store)).find((each) => each.name === name);
  const owner = engine.ownerOf(store, name);
  // Metadata of a session prove nothing.
  if (lane === undefined || (await ownerIn(owner))[0] !== rootId) return "it was removed";
  await claim(rootId, owner);
  return { from: store.from, to: lane.folder };
}

async function ownerIn(path: string): Promise<string[]> {
  return (await readText(path)).split(" ").filter(Boolean);
}
