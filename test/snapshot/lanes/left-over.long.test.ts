import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listLanes, makeLane, recordLane } from "../../../src/snapshot/lanes/lane.ts";
import { onTree } from "../../../src/snapshot/lanes/merge.ts";
import type { LaneStore } from "../../../src/snapshot/lanes/store.ts";
import { takeSnapshot } from "../../../src/snapshot/lanes/take-down.ts";
import { git, makeRepository, openLanes } from "./sample-repository.ts";

let root: string;
let top: string;
let store: LaneStore;
beforeEach(async () => {
  // A folder with blanks in its name, on no branch, with a submodule and work of the user's that is not committed.
  ({ root, top } = await makeRepository({
    attributes: "* text=auto eol=crlf\n",
    isUnborn: false,
    isDetached: true,
    isSparse: false,
    hasSubmodule: true,
    hasReturns: false,
  }));
  await writeFile(join(top, "new.txt"), "the user's\n");
  store = await openLanes(top);
  const snapshot = await takeSnapshot(store);
  for (const name of ["unit/1", "unit/2"]) await makeLane(store, name, snapshot);
});
afterEach(async () => rm(root, { recursive: true, force: true }));

it("makes a lane anew of which a kill has left the half", async () => {
  const snapshot = await takeSnapshot(store);
  const folder = join(store.folder, "lanes/unit/3");
  const add = ["worktree", "add", "-q", "--no-checkout", "-b", "gaia/unit/3", folder, snapshot.commit];
  git(store.repository, ...add);
  await writeFile(join(store.repository, "worktrees/3/locked"), "initializing\n");
  await writeFile(join(folder, "a.txt"), "half of");
  const lane = await makeLane(store, "unit/3", snapshot);
  expect(await recordLane(store, lane)).toBe(snapshot.commit);
  expect((await listLanes(store)).map(({ name }) => name)).toEqual(["unit/1", "unit/2", "unit/3"]);
});

it("throws away what a killed process has left, and what a living one is at stays", async () => {
  const left = join(store.folder, `tried-${2 ** 22 + 1}`);
  const used = join(store.folder, `merged-${process.ppid}`);
  for (const folder of [left, used]) await mkdir(folder);
  const { tree } = await takeSnapshot(store);
  await onTree(store, tree, undefined, async () => undefined);
  expect([existsSync(left), existsSync(used)]).toEqual([false, true]);
});
