import { existsSync } from "node:fs";
import { appendFile, mkdir, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Lane, makeLane, recordLane } from "../../../src/snapshot/lanes/lane.ts";
import { removeLane, restoreLane } from "../../../src/snapshot/lanes/remove.ts";
import { type LaneStore } from "../../../src/snapshot/lanes/store.ts";
import { takeSnapshot } from "../../../src/snapshot/lanes/take-down.ts";
import { git, makeRepository, openLanes, readTree } from "./sample-repository.ts";

let root: string;
let top: string;
let store: LaneStore;
let lane: Lane;
beforeEach(async () => {
  ({ root, top } = await makeRepository());
  await writeFile(join(top, "untracked.txt"), "the user's\n");
  store = await openLanes(top);
  lane = await makeLane(store, "unit/1", await takeSnapshot(store));
  await appendFile(join(lane.folder, "a.txt"), "lane\n");
  await writeFile(join(lane.folder, "new.txt"), "lane\n");
});
afterEach(async () => rm(root, { recursive: true, force: true }));

/** The user rewrites their only commit, and has git forget the one before. */
function forget(): void {
  git(top, "commit", "-q", "--amend", "--allow-empty", "-m", "again");
  git(top, "rm", "-q", "-r", "dir");
  git(top, "commit", "-q", "--amend", "-m", "again");
  git(top, "reflog", "expire", "--expire=now", "--all");
  git(top, "gc", "-q", "--prune=now");
}

describe("what did not land", () => {
  it("comes back whole from its bundle, though the user has rewritten the history that it began with", async () => {
    const held = await readTree(lane.folder);
    const bundle = await removeLane(store, lane, "left");
    forget();
    await rm(store.folder, { recursive: true });
    store = await openLanes(top);
    const back = await restoreLane(store, bundle ?? "");
    expect(await readTree(back.folder)).toEqual(held);
    expect(git(back.folder, "diff", "--name-only", back.base).split("\n")).toEqual(["a.txt", "new.txt", ""]);
  });

  it("is not taken for nothing where git cannot write, as on a full disk, whether its beginning is gone or not", async () => {
    const held = await readTree(lane.folder);
    const own = git(lane.folder, "rev-parse", "--absolute-git-dir").trim();
    await rm(join(own, "gaia-index"));
    await mkdir(join(own, "gaia-index/in the way"), { recursive: true });
    const refused = "git does not take up the files";
    await expect(recordLane(store, lane)).rejects.toThrow(refused);
    forget();
    await expect(removeLane(store, lane, "left")).rejects.toThrow(refused);
    expect(await readTree(lane.folder)).toEqual(held);
    await rm(join(own, "gaia-index"), { recursive: true });
    const bundle = await removeLane(store, lane, "left");
    expect(await readTree((await restoreLane(store, bundle ?? "")).folder)).toEqual(held);
  });

  it("lands and goes where the machine was stopped while git held its locks", async () => {
    const own = git(lane.folder, "rev-parse", "--absolute-git-dir").trim();
    const locks = [
      join(own, "index.lock"),
      join(own, "gaia-index.lock"),
      join(store.repository, `refs/heads/${lane.branch}.lock`),
      join(store.repository, "packed-refs.lock"),
    ];
    const before = new Date(Date.now() - 3_600_000);
    for (const path of locks) {
      await writeFile(path, "");
      await utimes(path, before, before);
    }
    // One that is held now stays.
    await writeFile(join(store.repository, "HEAD.lock"), "");
    await openLanes(top);
    expect(locks.filter(existsSync)).toEqual([]);
    expect(existsSync(join(store.repository, "HEAD.lock"))).toBe(true);
    expect(await recordLane(store, lane)).not.toBe(lane.base);
  });

  it("is taken down whatever its worker did with git: their branch, a rebase, the file that leads to the repository", async () => {
    git(lane.folder, "switch", "-q", "-c", "theirs");
    git(lane.folder, "commit", "-qam", "theirs");
    await rm(join(lane.folder, ".git"));
    const held = await readTree(lane.folder);
    const commit = await recordLane(store, lane);
    // What they did stays theirs.
    expect(git(lane.folder, "log", "-1", "--format=%s", "theirs")).toBe("theirs\n");
    expect(git(lane.folder, "diff", "--name-only", lane.base, commit)).toBe("a.txt\nnew.txt\n");
    expect(await readTree(lane.folder)).toEqual(held);
    // One of its own is another tree, which git must not take for the lane's.
    await rm(join(lane.folder, ".git"));
    git(lane.folder, "init", "-q");
    await expect(recordLane(store, lane)).rejects.toThrow("is not the worktree of gaia/unit/1");
  });

  it("takes a repository that someone began in it for files, and not one with commits", async () => {
    await mkdir(join(lane.folder, "made"));
    git(join(lane.folder, "made"), "init", "-q", "--template=");
    await writeFile(join(lane.folder, "made/x.txt"), "made\n");
    const commit = await recordLane(store, lane);
    expect(git(lane.folder, "show", `${commit}:made/x.txt`)).toBe("made\n");
    git(join(lane.folder, "made"), "add", "-A");
    git(join(lane.folder, "made"), "commit", "-qm", "own");
    await expect(recordLane(store, lane)).rejects.toThrow("a repository with commits of its own");
  });
});

describe("what is taken down of the user's tree", () => {
  const looseFiles = async (): Promise<string[]> => {
    const names = await readdir(join(store.repository, "objects"), { recursive: true });
    return names
      .filter((name) => /^\w\w\W\w{38}$/u.test(name))
      .map((name) => join(store.repository, "objects", name));
  };
  const seen = async (): Promise<Map<string, string>> => {
    const files = await readTree(top);
    files.delete("ignored/secret.txt");
    return files;
  };
  const again = async (): Promise<Lane> => makeLane(store, "unit/2", await takeSnapshot(store));

  it("goes with the last of the worktrees that were made of it, once nobody may be about to use it", async () => {
    const before = new Date(Date.now() - 48 * 3_600_000);
    const other = await again();
    await removeLane(store, lane, "landed");
    const old = await looseFiles();
    for (const path of old) await utimes(path, before, before);
    await removeLane(store, other, "landed");
    expect(old.filter(existsSync)).toEqual([]);
    const third = await again();
    expect(await readTree(third.folder)).toEqual(await seen());
    const later = await looseFiles();
    for (const path of later) await utimes(path, before, before);
    await removeLane(store, third, "landed");
    expect(later.filter(existsSync), "once in an hour is enough").toEqual(later);
    const fourth = await again();
    // What is new keeps what it is made of, and its commit is another one in another second.
    const last = await looseFiles();
    for (const path of [...last, join(store.repository, "pruned")]) await utimes(path, before, before);
    await removeLane(store, fourth, "landed");
    expect(last.filter(existsSync)).toEqual([]);
  });
});
