import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { makeLane, recordLane } from "../../../src/snapshot/lanes/lane.ts";
import { onTree } from "../../../src/snapshot/lanes/merge.ts";
import { removeLane } from "../../../src/snapshot/lanes/remove.ts";
import type { LaneStore } from "../../../src/snapshot/lanes/store.ts";
import { takeSnapshot } from "../../../src/snapshot/lanes/take-down.ts";
import { makeRepository, openLanes } from "./sample-repository.ts";

/** One who is not allowed everything. */
const NOBODY = 65_534;

let store: LaneStore;
beforeEach(async () => {
  const { root, top } = await makeRepository();
  if (process.getuid?.() === 0) {
    execFileSync("chown", ["-R", String(NOBODY), root]);
    vi.stubEnv("HOME", root);
    process.seteuid?.(NOBODY);
    onTestFinished(() => {
      process.seteuid?.(0);
      vi.unstubAllEnvs();
    });
  }
  store = await openLanes(top);
});

/** As a program leaves its cache. */
async function closeFolder(folder: string): Promise<void> {
  await mkdir(join(folder, "ignored/closed"), { recursive: true });
  await writeFile(join(folder, "ignored/closed/file"), "x");
  await chmod(join(folder, "ignored/closed"), 0o555);
}
const left = async () => (await readdir(store.folder)).filter((name) => /^(?:left|tried)-/u.test(name));

describe.runIf(process.platform !== "win32")("a folder that may not be written", () => {
  it("holds up neither the end of a worktree, nor its beginning, nor a place that is thrown away", async () => {
    const snapshot = await takeSnapshot(store);
    const lane = await makeLane(store, "unit/1", snapshot);
    await closeFolder(lane.folder);
    expect(await recordLane(store, lane)).toBe(lane.base);
    await removeLane(store, lane, "landed");
    expect(existsSync(lane.folder)).toBe(false);
    await mkdir(lane.folder, { recursive: true });
    await closeFolder(lane.folder);
    await makeLane(store, "unit/1", snapshot);
    await onTree(store, snapshot.tree, undefined, closeFolder);
    expect(await left()).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)(
    "of another user, as a container's, is moved aside, and goes as soon as it can be removed",
    async () => {
      const snapshot = await takeSnapshot(store);
      const lane = await makeLane(store, "unit/1", snapshot);
      await closeFolder(lane.folder);
      const own = join(lane.folder, "ignored/closed");
      process.seteuid?.(0);
      execFileSync("chown", ["-R", "0", own]);
      process.seteuid?.(NOBODY);
      await removeLane(store, lane, "landed");
      expect(existsSync(lane.folder)).toBe(false);
      expect(await left()).toHaveLength(1);
      process.seteuid?.(0);
      execFileSync("chown", ["-R", String(NOBODY), store.folder]);
      execFileSync("chmod", ["-R", "u+w", store.folder]);
      process.seteuid?.(NOBODY);
      await onTree(store, snapshot.tree, undefined, async () => undefined);
      expect(await left()).toEqual([]);
    },
  );
});
