import { spawnSync } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { GaiaError, silentLogger } from "../../../src/lib/error.ts";
import { FREE_BATON, renderBaton, STALE_AFTER_MS, acquireLock } from "../../../src/record/store/lock.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { HOST_TAG } from "../../../src/record/store/atomic-file.ts";
import { openFolder } from "../../support/directory.ts";

let base: string;
let folder: string;

beforeEach(async () => {
  base = await openFolder();
  folder = join(base, "lock");
});
afterEach(() => void vi.useRealTimers());

/** The id of a process that has ended. */
const deadPid = (): number => spawnSync(process.execPath, ["--version"]).pid;

async function plantHolder(pid: number, host: string, age: number): Promise<void> {
  await mkdir(folder);
  const name = renderBaton({ pid, host, renewedAt: Date.now() - age, nonce: "ab" });
  await writeFile(join(folder, name), "");
}

it("is held by one at a time, and leaves a free baton and nothing else", async () => {
  let holders = 0;
  let most = 0;
  const use = async (): Promise<void> => {
    const lease = await acquireLock(folder, 5000, silentLogger);
    holders += 1;
    most = Math.max(most, holders);
    await Promise.resolve();
    expect(await lease.confirm()).toBe(true);
    holders -= 1;
    await lease.release();
  };
  await Promise.all(Array.from({ length: 20 }, use));
  expect(most).toBe(1);
  expect(await readdir(base)).toEqual(["lock"]);
  expect(await readdir(folder)).toEqual([FREE_BATON]);
});

it("gives up after the bound and names the process that holds it", async () => {
  const lease = await acquireLock(folder, 1000, silentLogger);
  const second = acquireLock(folder, 50, silentLogger);
  await expect(second).rejects.toThrow(new RegExp(`process ${process.pid} on this machine`));
  await expect(second).rejects.toBeInstanceOf(GaiaError);
  await lease.release();
});

const LONG = STALE_AFTER_MS + 1000;
it.each<[who: string, pid: number, host: string, age: number]>([
  ["a dead process", deadPid(), HOST_TAG, 0],
  ["a living one that has not moved for long", process.pid, HOST_TAG, LONG],
  ["another machine that has not moved for long", 1, "00000000", LONG],
])("is taken over from %s, by one of many", async (_who, pid, host, age) => {
  await plantHolder(pid, host, age);
  const tries = Array.from({ length: 8 }, () => acquireLock(folder, 60, silentLogger));
  const outcomes = await Promise.allSettled(tries);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

it("is not taken from another machine that was just there", async () => {
  await plantHolder(deadPid(), "00000000", 0);
  await expect(acquireLock(folder, 50, silentLogger)).rejects.toThrow(/another machine or container/);
});

it("tells a holder that stood still and was taken for dead, before it does harm", async () => {
  const clock = createFakeClock(Date.now());
  const lease = await acquireLock(folder, 50, silentLogger, clock);
  await clock.advance(STALE_AFTER_MS + 1);
  const successor = await acquireLock(folder, 50, silentLogger, clock);

  expect(await lease.confirm()).toBe(false);
  await lease.release();
  expect(await successor.confirm()).toBe(true);
  await successor.release();
  expect(await readdir(folder)).toEqual([FREE_BATON]);
});

it("stays with a slow holder that gives signs of life", async () => {
  const clock = createFakeClock(Date.now());
  const lease = await acquireLock(folder, 50, silentLogger, clock);
  for (let step = 0; step < 3; step += 1) {
    await clock.advance(STALE_AFTER_MS - 1);
    expect(await lease.confirm()).toBe(true);
  }
  await expect(acquireLock(folder, 0, silentLogger, clock)).rejects.toThrow(/is locked/);
});

it("comes back when somebody deleted the baton", async () => {
  await mkdir(folder);
  const lease = await acquireLock(folder, 50, silentLogger);
  await lease.release();
  expect(await readdir(folder)).toEqual([FREE_BATON]);
});

it("is waited for as long as was said, however the clock is turned meanwhile", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await plantHolder(process.pid, HOST_TAG, 0);
  const waiting = acquireLock(folder, 200, silentLogger);
  vi.setSystemTime(Date.now() - STALE_AFTER_MS + 1_000);
  await expect(waiting).rejects.toThrow("is locked by process");
});

it("is no less somebody's own when the clock is turned while they hold it: one of them writes, the other is told", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const first = await acquireLock(folder, 5_000, silentLogger);
  vi.setSystemTime(Date.now() - 24 * 60 * 60_000);
  const second = await acquireLock(folder, 5_000, silentLogger);
  expect(await second.confirm()).toBe(true);
  expect(await first.confirm()).toBe(false);
  await first.release();
  expect(await second.confirm()).toBe(true);
  await second.release();
  expect(await readdir(folder)).toEqual([FREE_BATON]);
});
