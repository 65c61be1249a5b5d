import { existsSync } from "node:fs";
import { appendFile, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Lane, listLanes, makeLane, recordLane } from "../../../src/snapshot/lanes/lane.ts";
import { land } from "../../../src/snapshot/lanes/landing.ts";
import { mergeLanes, onTree } from "../../../src/snapshot/lanes/merge.ts";
import { removeLane, restoreLane } from "../../../src/snapshot/lanes/remove.ts";
import {
  beforeRework,
  conflictsIn,
  endRework,
  isUnjudged,
  startRework,
  takeBack,
} from "../../../src/snapshot/lanes/rework.ts";
import type { LaneStore } from "../../../src/snapshot/lanes/store.ts";
import { takeSnapshot } from "../../../src/snapshot/lanes/take-down.ts";
import { git, makeRepository, openLanes, readGit, readTree } from "./sample-repository.ts";

let root: string;
let top: string;
let store: LaneStore;
let first: Lane;
let second: Lane;
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
  first = await makeLane(store, "unit/1", snapshot);
  second = await makeLane(store, "unit/2", snapshot);
});
afterEach(async () => rm(root, { recursive: true, force: true }));

async function edit(folder: string, path: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(folder, path), "utf8");
  expect(text).toContain(from);
  await writeFile(join(folder, path), text.replace(from, to));
}

/** Both change one line, and each more; the second is given what the first has made. */
async function collide(): Promise<Lane> {
  await edit(first.folder, "a.txt", "line 3\n", "first\n");
  await appendFile(join(first.folder, "b.md"), "first too\n");
  await edit(second.folder, "a.txt", "line 3\n", "second\n");
  await writeFile(join(second.folder, "only second.txt"), "second\n");
  return give();
}

async function give(): Promise<Lane> {
  const { tree: ours } = await takeSnapshot(store);
  const commit = await recordLane(store, second);
  const merged = await mergeLanes(store, ours, [
    { lane: first, commit: await recordLane(store, first) },
    { lane: second, commit },
  ]);
  expect(merged).toMatchObject({ kind: "conflict", lane: { name: "unit/2" }, files: ["a.txt"] });
  expect(await conflictsIn(store, merged.tree, [merged.before, commit], ["a.txt"])).toEqual(["a.txt"]);
  return startRework(store, second, commit, { base: merged.before, tree: merged.tree });
}

async function resolve(folder: string): Promise<void> {
  const text = await readFile(join(folder, "a.txt"), "utf8");
  await writeFile(join(folder, "a.txt"), text.replace(/<{7}[^]*>{7}.*\n/u, "first and second\n"));
}

/** What the two lanes come to with the user's tree, brought in. */
async function landBoth(lane: Lane): Promise<string | null> {
  const { tree: ours } = await takeSnapshot(store);
  const merged = await mergeLanes(store, ours, [
    { lane: first, commit: await recordLane(store, first) },
    { lane, commit: await recordLane(store, lane) },
  ]);
  return merged.kind === "merged" ? land(store, ours, merged.tree) : merged.files.join();
}

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

describe("a rework", () => {
  it("lands what was put together, with what the user changed meanwhile", async () => {
    const gitBefore = await readGit(top);
    const lane = await collide();
    expect(await readFile(join(lane.folder, "a.txt"), "utf8")).toMatch(/<{7}[^]*first\n=+\nsecond\n>{7}/u);
    expect(await readFile(join(lane.folder, "b.md"), "utf8")).toContain("first too");
    expect(git(lane.folder, "status", "--short")).toBe(' M a.txt\n?? "only second.txt"\n');
    expect(await listLanes(store)).toContainEqual(lane);
    await resolve(lane.folder);
    await edit(top, "a.txt", "line 10\n", "line 10, the user's\n");
    expect(await isUnjudged(store, lane)).toBe(true);
    expect(await endRework(store, lane, ["a.txt"], ["a.txt"])).toBeNull();
    expect(await isUnjudged(store, lane)).toBe(false);
    expect(await landBoth(lane)).toBeNull();
    const now = await readFile(join(top, "a.txt"), "utf8");
    expect(now).toContain("line 2\nfirst and second\nline 4\n");
    expect(now).toContain("line 10, the user's\n");
    expect(await readFile(join(top, "only second.txt"), "utf8")).toBe("second\n");
    expect(await readGit(top)).toEqual(gitBefore);
    // Who put them together may have left something out: both stay as they were.
    for (const [each, text] of [
      [lane, "second"],
      [first, "first"],
    ] as const) {
      const back = await restoreLane(store, (await removeLane(store, each, "put together")) ?? "");
      expect(await readFile(join(back.folder, "a.txt"), "utf8")).toContain(`line 2\n${text}\nline 4\n`);
    }
    expect(await beforeRework(store, lane)).toBeNull();
    expect((await readdir(store.kept)).filter((name) => name.endsWith("bundle"))).toHaveLength(2);
  });

  it.each<[string, (folder: string) => Promise<void>, RegExp]>([
    ["was only said to be done", async () => undefined, /markers stand in a\.txt/],
    [
      "leaves the middle of the marks",
      async (folder) => {
        const text = await readFile(join(folder, "a.txt"), "utf8");
        await writeFile(join(folder, "a.txt"), text.replace(/^<{7}.*\n/mu, "").replace(/^>{7}.*\n/mu, ""));
      },
      /markers stand in a\.txt/,
    ],
    [
      "puts a sign in front of the marks",
      async (folder) => {
        const text = await readFile(join(folder, "a.txt"), "utf8");
        await writeFile(join(folder, "a.txt"), text.replace(/^(?=[<=>]{7})/gmu, "# "));
      },
      /markers stand in a\.txt/,
    ],
    [
      "touches another file",
      async (folder) => resolve(folder).then(async () => appendFile(join(folder, "run.sh"), "more\n")),
      /run\.sh was changed/,
    ],
    [
      "undoes what the others made",
      async (folder) => resolve(folder).then(async () => edit(folder, "b.md", "first too\n", "")),
      /b\.md was changed/,
    ],
    [
      "makes another file",
      async (folder) => resolve(folder).then(async () => writeFile(join(folder, "notes"), "x")),
      /notes was changed/,
    ],
    ["takes the file away", async (folder) => rm(join(folder, "a.txt")), /a\.txt was taken away/],
    [
      "puts a link in its place",
      async (folder) => rm(join(folder, "a.txt")).then(async () => symlink("run.sh", join(folder, "a.txt"))),
      /a\.txt was taken away/,
    ],
  ])("does not count where it %s, and every byte comes back", async (_what, work, why) => {
    await edit(first.folder, "a.txt", "line 3\n", "first\n");
    await appendFile(join(first.folder, "b.md"), "first too\n");
    await edit(second.folder, "a.txt", "line 3\n", "second\n");
    await writeFile(join(second.folder, "only second.txt"), "second\n");
    const before = await readTree(second.folder);
    const status = git(second.folder, "status", "--short");
    const lane = await give();
    await work(lane.folder);
    expect(await endRework(store, lane, ["a.txt"], ["a.txt"])).toMatch(why);
    expect(await isUnjudged(store, lane)).toBe(true);
    const tried = await readTree(lane.folder);
    const back = await takeBack(store, lane);
    const treeOf = (commit: string): string => git(store.repository, "rev-parse", `${commit}^{tree}`);
    expect(treeOf(back.base)).toBe(treeOf(second.base));
    expect(await readTree(lane.folder)).toEqual(before);
    expect(git(lane.folder, "diff", "--name-only", back.base)).toBe("a.txt\nonly second.txt\n");
    expect(status).toContain("a.txt");
    // What was tried is someone's work as well.
    const bundle = (await readdir(store.kept)).find((name) => name.endsWith(".bundle"));
    if (_what === "was only said to be done") return expect(bundle).toBeUndefined();
    await removeLane(store, back, "landed");
    const restored = await restoreLane(store, join(store.kept, bundle ?? ""));
    expect(await readTree(restored.folder)).toEqual(tried);
  });

  it("is taken back and kept as well where its lane is removed, as often as it was cut off", async () => {
    const lane = await collide();
    await resolve(lane.folder);
    const tried = await readTree(lane.folder);
    const bundle = await removeLane(store, lane, "left");
    expect(existsSync(lane.folder)).toBe(false);
    expect(git(store.repository, "for-each-ref", "--format=%(refname)")).not.toContain("unit/2");
    const back = await restoreLane(store, bundle ?? "");
    const treeOf = (commit: string): string => git(store.repository, "rev-parse", `${commit}^{tree}`);
    expect(treeOf(back.base)).toBe(treeOf(second.base));
    expect(await readFile(join(back.folder, "a.txt"), "utf8")).toContain("line 2\nsecond\nline 4\n");
    await removeLane(store, back, "landed");
    const attempt = (await readdir(store.kept)).find((name) => name === "unit-2.bundle");
    const again = await restoreLane(store, join(store.kept, attempt ?? ""));
    expect(await readTree(again.folder)).toEqual(tried);
  });

  it("begins nothing where somebody changes the worktree after it was looked at", async () => {
    const { tree } = await takeSnapshot(store);
    const commit = await recordLane(store, second);
    await appendFile(join(second.folder, "a.txt"), "by hand\n");
    await expect(startRework(store, second, commit, { base: tree, tree })).rejects.toThrow(
      "was changed meanwhile",
    );
    expect(await readFile(join(second.folder, "a.txt"), "utf8")).toContain("by hand\n");
    expect(await beforeRework(store, second)).toBeNull();
  });

  it("is nothing for what git marks no conflict in: one took away what the other changed", async () => {
    await rm(join(first.folder, "a.txt"));
    await appendFile(join(second.folder, "a.txt"), "second\n");
    const { tree: ours } = await takeSnapshot(store);
    const commit = await recordLane(store, second);
    const merged = await mergeLanes(store, ours, [
      { lane: first, commit: await recordLane(store, first) },
      { lane: second, commit },
    ]);
    expect(merged).toMatchObject({ kind: "conflict", files: ["a.txt"] });
    expect(await conflictsIn(store, merged.tree, [merged.before, commit], ["a.txt"])).toEqual([]);
  });
});
