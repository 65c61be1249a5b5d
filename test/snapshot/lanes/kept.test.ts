import { existsSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { appendFile, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { stat, truncate, utimes, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type Lane, listLanes, makeLane, recordLane } from "../../../src/snapshot/lanes/lane.ts";
import { land } from "../../../src/snapshot/lanes/landing.ts";
import { mergeLanes } from "../../../src/snapshot/lanes/merge.ts";
import { removeLane, restoreLane } from "../../../src/snapshot/lanes/remove.ts";
import { openStore, type LaneStore } from "../../../src/snapshot/lanes/store.ts";
import { takeSnapshot, takeLaneTree } from "../../../src/snapshot/lanes/take-down.ts";
import { git, gitLines, makeRepository, openLanes, readTree } from "./sample-repository.ts";

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

const COLLECT = ["reflog expire --expire=now --all", "gc -q --prune=now"];
/** The user rewrites their only commit, and has git forget the one before. */
const forget = (): void => gitLines(top, "rm -q -r dir", "commit -q --amend -m again", ...COLLECT);
/** Removes the lane and brings it back. @returns what it holds then */
async function removeAndRestore(): Promise<Map<string, string>> {
  const bundle = await removeLane(store, lane, "left");
  return readTree((await restoreLane(store, bundle ?? "")).folder);
}

describe("what did not land", () => {
  it("is kept though the user's git took the empty folder for it away", async () => {
    const held = await readTree(lane.folder);
    git(top, "stash", "-q", "-u");
    await rm(store.kept, { recursive: true, force: true });
    expect(await removeAndRestore()).toEqual(held);
  });

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

  it("takes the place of no other whose folder is gone: what was taken down of that is still to land", async () => {
    const bundle = (await removeLane(store, lane, "left")) ?? "";
    const next = await makeLane(store, "unit/1", await takeSnapshot(store));
    await writeFile(join(next.folder, "next.txt"), "next\n");
    const commit = await recordLane(store, next);
    await rm(next.folder, { recursive: true });
    git(store.repository, "worktree", "prune");
    await expect(restoreLane(store, bundle)).rejects.toThrow("it is there already");
    expect(git(store.repository, "rev-parse", `refs/taken/${next.name}`).trim()).toBe(commit);
  });

  it("says that its beginning is gone, and keeps its files where it is removed", async () => {
    // Of the others it holds the bytes itself.
    await writeFile(join(lane.folder, "dir/c.txt"), "lane\n");
    const held = await readTree(lane.folder);
    forget();
    await expect(recordLane(store, lane)).rejects.toThrow("began with is gone from your repository");
    expect(await readTree(lane.folder)).toEqual(held);
    const bundle = await removeLane(store, lane, "left");
    expect(existsSync(lane.folder)).toBe(false);
    expect(await listLanes(store)).toEqual([]);
    expect(await readTree((await restoreLane(store, bundle ?? "")).folder)).toEqual(held);
  });

  it("lands where the user has rewritten only the history that it began with", async () => {
    gitLines(top, "commit -q --amend --allow-empty -m again", ...COLLECT);
    await appendFile(join(top, "b.md"), "the user's\n");
    const ours = await takeLaneTree(store);
    const merged = await mergeLanes(store, ours, [{ lane, commit: await recordLane(store, lane) }]);
    expect(merged.kind).toBe("merged");
    expect(await land(store, ours, merged.tree)).toBeNull();
    expect(await readFile(join(top, "a.txt"), "utf8")).toMatch(/lane\n$/);
    expect(await readFile(join(top, "b.md"), "utf8")).toMatch(/the user's\n$/);
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
    expect(await removeAndRestore()).toEqual(held);
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
    gitLines(lane.folder, "switch -q -c theirs", "commit -qam theirs");
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

  it.runIf(process.platform === "linux")(
    "is not taken down without a file whose name is no UTF-8",
    async () => {
      await writeFile(Buffer.concat([Buffer.from(`${lane.folder}/x`), Buffer.of(0xff)]), "bytes\n");
      await expect(recordLane(store, lane)).rejects.toThrow("a name is no UTF-8");
      expect((await readdir(lane.folder)).length).toBeGreaterThan(5);
    },
  );

  it("takes a repository that someone began in it for files, and not one with commits", async () => {
    gitLines(lane.folder, "init -q --template= made");
    await writeFile(join(lane.folder, "made/x.txt"), "made\n");
    const commit = await recordLane(store, lane);
    expect(git(lane.folder, "show", `${commit}:made/x.txt`)).toBe("made\n");
    gitLines(join(lane.folder, "made"), "add -A", "commit -qm own");
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

  it("is whole though the user's git has thrown away what they had staged", async () => {
    await writeFile(join(top, "staged.txt"), "staged\n");
    git(top, "add", "staged.txt");
    await takeSnapshot(store);
    gitLines(top, "rm -q --cached staged.txt", "gc -q --prune=now");
    expect(await readFile(join((await again()).folder, "staged.txt"), "utf8")).toBe("staged\n");
  });

  it("is whole though what is known of its files broke off, as where the power went", async () => {
    const commit = await recordLane(store, lane);
    const [own] = await readdir(join(store.repository, "worktrees"));
    for (const path of ["users-index", `worktrees/${own}/gaia-index`])
      await truncate(join(store.repository, path), 40);
    expect(await recordLane(store, lane)).toBe(commit);
    expect(await readTree((await again()).folder)).toEqual(await seen());
  });

  it("costs no compression, and nothing is read again that was just checked out", async () => {
    await writeFile(join(top, "large.bin"), Buffer.alloc(200_000));
    const { folder } = await again();
    const sizes = await Promise.all((await looseFiles()).map(async (path) => (await stat(path)).size));
    expect(Math.max(...sizes)).toBeGreaterThan(200_000);
    const index = resolve(folder, git(folder, "rev-parse", "--git-path", "gaia-index").trim());
    // This asks for no file's bytes.
    const env = { ...process.env, GIT_INDEX_FILE: index };
    expect(execFileSync("git", ["diff-files"], { cwd: folder, env }).toString()).toBe("");
  });

  it("goes with the last of the worktrees that were made of it, once nobody may be about to use it", async () => {
    const before = new Date(Date.now() - 48 * 3_600_000);
    const age = async (paths: readonly string[]): Promise<readonly string[]> => {
      for (const path of paths) await utimes(path, before, before);
      return paths;
    };
    const other = await again();
    await removeLane(store, lane, "landed");
    const old = await age(await looseFiles());
    await removeLane(store, other, "landed");
    expect(old.filter(existsSync)).toEqual([]);
    const third = await again();
    expect(await readTree(third.folder)).toEqual(await seen());
    const later = await age(await looseFiles());
    await removeLane(store, third, "landed");
    expect(later.filter(existsSync), "once in an hour is enough").toEqual(later);
    const fourth = await again();
    // What is new keeps what it is made of, and its commit is another one in another second.
    const last = await age(await looseFiles());
    await age([join(store.repository, "pruned")]);
    await removeLane(store, fourth, "landed");
    expect(last.filter(existsSync)).toEqual([]);
  });
});

it("there are no lanes where they would lie in the user's own tree, as where a home folder is a repository; ignored they may", async () => {
  const inside = async () => openStore(top, { XDG_DATA_HOME: join(top, "data") });
  expect(await inside()).toMatch(/data\/opencode-gaia.* lies in this project, and git does not ignore it$/u);
  await appendFile(join(top, ".gitignore"), "data/\n");
  expect(await inside()).toMatchObject({ top });
});

it("there are no lanes where the working tree lies elsewhere than git looks for its repository", async () => {
  await mkdir(join(root, "elsewhere"));
  git(top, "config", "core.worktree", join(root, "elsewhere"));
  expect(await openStore(top, { XDG_DATA_HOME: join(root, "data") })).toContain("core.worktree");
  expect(await readFile(join(top, "untracked.txt"), "utf8")).toBe("the user's\n");
});
