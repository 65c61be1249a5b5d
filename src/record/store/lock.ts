import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { steadyClock, systemClock, type Clock } from "../../lib/async.ts";
import { createError, type Logger } from "../../lib/error.ts";
import { codeOf, unlessMissing } from "../gaia-path.ts";
import { isProcessAlive } from "../../lib/is-process-alive.ts";
import { HOST_TAG, temporaryName } from "./atomic-file.ts";

/** The lock is a file, the baton, made once and then only renamed: its name tells the holder, and of two renames one wins. */
interface Holder {
  readonly pid: number;
  /** Tells machines and containers apart, whose process ids say nothing about each other. */
  readonly host: string;
  readonly renewedAt: number;
  /** Tells two holders in one process apart. */
  readonly nonce: string;
}

export const FREE_BATON = "free";

/** A holder that gave no sign of life for this long is taken to be gone, even if its process id is in use. */
export const STALE_AFTER_MS = 15_000;

export function renderBaton(holder: Holder): string {
  return `held-${holder.pid}-${holder.host}-${holder.renewedAt}-${holder.nonce}`;
}

function parseBaton(name: string): Holder | null {
  const found = /^held-(\d{1,10})-([0-9a-f]+)-(\d{1,16})-([0-9a-f]+)$/.exec(name);
  if (found === null) return null;
  const [, pid = "", host = "", renewedAt = "", nonce = ""] = found;
  return { pid: Number(pid), host, renewedAt: Number(renewedAt), nonce };
}

/** Whether a holder is gone: dead, or without a sign of life. */
function isStale({ pid, host, renewedAt }: Holder, now: number): boolean {
  if (Math.abs(now - renewedAt) > STALE_AFTER_MS) return true;
  return host === HOST_TAG && !isProcessAlive(pid);
}

export interface Lease {
  /** Renews the lock; whether it is still ours. Ask right before every change. */
  confirm(): Promise<boolean>;
  release(): Promise<void>;
}

const RENEW_AFTER_MS = 1000;

/** Takes a lock across processes; the parent of `folder` must exist. @param waitMs bound (SPEC 2.5) @throws GaiaError naming the holder */
export async function acquireLock(
  folder: string,
  waitMs: number,
  logger: Logger,
  clock: Clock = systemClock,
): Promise<Lease> {
  const startedAt = steadyClock.now();
  for (;;) {
    const got = await attempt(folder, logger, clock);
    if ("confirm" in got) return got;
    if (steadyClock.now() - startedAt >= waitMs) throw lockTimeout(folder, got.holder);
    await pause(2 + Math.random() * 10);
  }
}

/** The same without a wait. @returns null where somebody has it */
export async function tryLock(folder: string, logger: Logger): Promise<Lease | null> {
  const got = await attempt(folder, logger, systemClock);
  return "confirm" in got ? got : null;
}

async function attempt(
  folder: string,
  logger: Logger,
  clock: Clock,
): Promise<Lease | { readonly holder: Holder | null }> {
  const baton = await findBaton(folder);
  const holder = parseBaton(baton);
  const now = clock.now();
  if (holder !== null && !isStale(holder, now)) return { holder };
  const nonce = randomBytes(4).toString("hex");
  const mine: Holder = { pid: process.pid, host: HOST_TAG, renewedAt: now, nonce };
  if (!(await moveBaton(folder, baton, renderBaton(mine)))) return { holder };
  if (holder !== null) logger.log("warn", "workspace", `took the lock over from process ${holder.pid}`);
  return createLease(folder, mine, clock);
}

/** The baton's name. Makes the baton when there is none. */
async function findBaton(folder: string): Promise<string> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const names: string[] = await unlessMissing(readdir(folder), []);
    const found = names.find((name) => parseBaton(name) !== null);
    if (found !== undefined) return found;
    if (names.includes(FREE_BATON)) return FREE_BATON;
    await createBaton(folder);
  }
  throw createError("workspace", `The lock in ${folder} cannot be read.`, {
    hint: "Delete that folder while no OpenCode runs in this project.",
  });
}

/** The folder appears together with the baton in it, so that two processes cannot both make one. */
async function createBaton(folder: string): Promise<void> {
  const fresh = join(dirname(folder), temporaryName(basename(folder)));
  await mkdir(fresh);
  await writeFile(join(fresh, FREE_BATON), "");
  try {
    await rename(fresh, folder);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    if (!["ENOTEMPTY", "EEXIST", "EPERM", "EACCES"].includes(codeOf(error))) throw error;
  }
}

function createLease(folder: string, taken: Holder, clock: Clock): Lease {
  let mine: Holder | null = taken;
  return {
    async confirm() {
      if (mine === null) return false;
      const now = clock.now();
      if (Math.abs(now - mine.renewedAt) < RENEW_AFTER_MS) return true;
      const renewed: Holder = { ...mine, renewedAt: now };
      mine = (await moveBaton(folder, renderBaton(mine), renderBaton(renewed))) ? renewed : null;
      return mine !== null;
    },
    async release() {
      if (mine !== null) await moveBaton(folder, renderBaton(mine), FREE_BATON);
      mine = null;
    },
  };
}

/** False when the baton no longer has that name: someone else was faster. */
async function moveBaton(folder: string, from: string, to: string): Promise<boolean> {
  const moved = rename(join(folder, from), join(folder, to)).then(() => true);
  return unlessMissing(moved, false);
}

function lockTimeout(folder: string, holder: Holder | null): Error {
  const where = holder?.host === HOST_TAG ? "this machine" : "another machine or container";
  const who = holder === null ? "several processes in turn" : `process ${holder.pid} on ${where}`;
  return createError("workspace", `.gaia/ is locked by ${who}.`, {
    hint: `Try again; if that process is not OpenCode, delete ${folder}.`,
  });
}
