import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { listLanes, makeLane, recordLane } from "../../../src/snapshot/lanes/lane.ts";
import { onTree } from "../../../src/snapshot/lanes/merge.ts";
import { askUsers } from "../../../src/snapshot/lanes/run-git.ts";
import { own } from "../../../src/snapshot/lanes/store.ts";
import { takeLaneTree, takeSnapshot } from "../../../src/snapshot/lanes/take-down.ts";
import { git, gitLines, makeRepository, openLanes } from "./sample-repository.ts";

let root: string;
let top: string;
beforeEach(async () => void ({ root, top } = await makeRepository()));

describe("git", () => {
  it.runIf(process.platform !== "win32")(
    "is ended where a filter of the user's hangs, which holds up nobody any longer",
    async () => {
      const pid = join(root, "pid");
      const script = `#!/bin/sh\necho $$ > '${pid}'\nexec sleep 100\n`;
      await writeFile(join(root, "smudge"), script, { mode: 0o755 });
      await writeFile(join(top, ".gitattributes"), "*.txt filter=lfs\n");
      gitLines(top, "add -A", "commit -qm filter");
      const settings = join(root, "settings");
      git(top, "config", "--file", settings, "filter.lfs.smudge", `'${join(root, "smudge")}'`);
      vi.stubEnv("GIT_CONFIG_GLOBAL", settings);
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      onTestFinished(() => void vi.useRealTimers());
      const answer = askUsers(top, "worktree", "add", "-q", "-b", "side", join(root, "side"));
      while (!existsSync(pid)) await new Promise((done) => setImmediate(done));
      vi.advanceTimersByTime(120_000);
      const waiting = setInterval(() => vi.advanceTimersByTime(25), 5);
      onTestFinished(() => clearInterval(waiting));
      const words = expect.stringContaining("git did not answer within 120 s") as string;
      expect(await answer).toMatchObject({ code: -1, words });
    },
  );

  it("knows the user's settings that stand in the environment, and has none of them in a store", async () => {
    await writeFile(join(root, "ignored"), "*.local\n");
    for (const name of ["a.local", "b.other"]) await writeFile(join(top, name), "x\n");
    const set = { COUNT: "1", KEY_0: "core.excludesFile", VALUE_0: join(root, "ignored") };
    for (const [name, value] of Object.entries(set)) vi.stubEnv(`GIT_CONFIG_${name}`, value);
    const store = await openLanes(top);
    const names = await own(store, "ls-tree", "--name-only", await takeLaneTree(store));
    expect(names).toContain("b.other");
    expect(names).not.toContain("a.local");
    await expect(own(store, "config", "core.excludesFile")).rejects.toThrow("git config failed");
  });
});

it("makes a lane anew of which a kill has left the half", async () => {
  const store = await openLanes(top);
  const snapshot = await takeSnapshot(store);
  const folder = join(store.folder, "lanes/unit/3");
  const add = ["worktree", "add", "-q", "--no-checkout", "-b", "gaia/unit/3", folder, snapshot.commit];
  git(store.repository, ...add);
  await writeFile(join(store.repository, "worktrees/3/locked"), "initializing\n");
  await writeFile(join(folder, "a.txt"), "half of");
  const lane = await makeLane(store, "unit/3", snapshot);
  expect(await recordLane(store, lane)).toBe(snapshot.commit);
  expect((await listLanes(store)).map(({ name }) => name)).toEqual(["unit/3"]);
});

it("throws away what a killed process has left, and what a living one is at stays", async () => {
  const store = await openLanes(top);
  const left = join(store.folder, `tried-${2 ** 22 + 1}`);
  const used = join(store.folder, `merged-${process.ppid}`);
  for (const folder of [left, used]) await mkdir(folder);
  const { tree } = await takeSnapshot(store);
  await onTree(store, tree, undefined, async () => undefined);
  expect([existsSync(left), existsSync(used)]).toEqual([false, true]);
});
