import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { LaneStore } from "../../../src/snapshot/lanes/store.ts";
import { archiveUnitTree, atUnitTree, listUnitTrees } from "../../../src/snapshot/lanes/unit-tree.ts";
import { lookAtUnitTree, noteUnitTree } from "../../../src/snapshot/lanes/unit-tree.ts";
import { openUnitTree, removeUnitTree } from "../../../src/snapshot/lanes/unit-tree.ts";
import { git, gitLines, makeRepository, openLanes, readTree } from "./sample-repository.ts";

let root: string;
let top: string;
let store: LaneStore;
beforeEach(async () => {
  ({ root, top } = await makeRepository({ hasReturns: true }));
  store = await openLanes(top);
});

const brought = { globs: ["ignored/"], below: "", isPrivate: () => false };
async function open() {
  const opened = await openUnitTree(store, "unit", top, brought);
  if (typeof opened === "string") throw new Error(opened);
  return opened;
}
/** Commits a file, of this text where one is given. */
async function commit(folder: string, path: string, text?: string): Promise<string> {
  if (text !== undefined) await writeFile(join(folder, path), text);
  gitLines(folder, `add -- ${path}`, `commit -qm ${path}`);
  return git(folder, "rev-parse", "HEAD").trim();
}
const holding = (id: string) => git(top, "for-each-ref", "--format=%(refname:short)", "--contains", id);

describe("the folder of a unit's branch", () => {
  it("that git does not check out, as where LFS is not installed, leaves no branch, and one that was there where it was", async () => {
    const first = await commit(top, ".gitattributes", "*.txt filter=lfs\n");
    await commit(top, "b.md", "more\n");
    const settings = join(root, "settings");
    git(top, "config", "--file", settings, "filter.lfs.smudge", "git-lfs-is-not-here");
    git(top, "config", "--file", settings, "filter.lfs.required", "true");
    vi.stubEnv("GIT_CONFIG_GLOBAL", settings);
    expect(await openUnitTree(store, "unit", top)).toMatch(
      /does not check gaia\/unit out .*smudge filter lfs failed/su,
    );
    expect(git(top, "for-each-ref", "refs/heads/gaia")).toBe("");
    git(top, "branch", "gaia/unit", first);
    expect(await openUnitTree(store, "unit", top)).toContain("does not check");
    expect(git(top, "rev-parse", "gaia/unit").trim()).toBe(first);
    expect(git(top, "worktree", "list").trim().split("\n")).toHaveLength(1);
  });

  it("is made anew where whoever made it was killed: nothing of the half is taken for work", async () => {
    const { folder } = await open();
    await removeUnitTree(store, "unit");
    git(top, "worktree", "add", "-q", "--no-checkout", folder, "gaia/unit");
    const own = git(folder, "rev-parse", "--absolute-git-dir").trim();
    // As git leaves it behind.
    await writeFile(join(own, "locked"), "initializing\n");
    await writeFile(join(own, "index.lock"), "");
    await writeFile(join(folder, "a.txt"), "half of");
    expect(git(folder, "status", "--porcelain")).toContain("D  b.md");
    expect(await open()).toMatchObject({ folder, isReady: false });
    expect(git(folder, "status", "--porcelain")).toBe("");
    expect(await readFile(join(folder, "a.txt"), "utf8")).toContain("line 11");
    expect(git(top, "worktree", "list", "--porcelain")).not.toContain("locked");
  });

  it("gets the ignored files that it needs where whoever brought them was killed, and where it was deleted", async () => {
    const { folder } = await open();
    const path = join(folder, "ignored/secret.txt");
    await rm(dirname(path), { recursive: true });
    // It was killed before it could note that all is there.
    await rm(join(store.folder, "unit-notes/unit/note.json"));
    expect(await open()).toMatchObject({ isReady: false });
    expect(await readFile(path, "utf8")).toBe("ignored\n");
    await noteUnitTree(store, "unit");
    expect(await open()).toMatchObject({ isReady: true });
    await rm(folder, { recursive: true });
    expect(await open()).toMatchObject({ isReady: false });
    expect(await readFile(path, "utf8")).toBe("ignored\n");
  });

  it("is made again from the branch where it was deleted, and can be removed then", async () => {
    const { folder } = await open();
    const id = await commit(folder, "fresh.txt", "fresh\n");
    await rm(folder, { recursive: true });
    expect(await open()).toMatchObject({ folder, isReady: false });
    expect(await readFile(join(folder, "fresh.txt"), "utf8")).toBe("fresh\n");
    await rm(folder, { recursive: true });
    await removeUnitTree(store, "unit");
    expect(holding(id)).toBe("gaia/unit\n");
    expect(await listUnitTrees(store)).toEqual([]);
    expect(git(top, "worktree", "list")).not.toContain("units/unit");
  });

  it("stays as long as it holds what no branch does, and says what to do", async () => {
    const { folder } = await open();
    await writeFile(join(folder, "fresh.txt"), "fresh\n");
    await expect(removeUnitTree(store, "unit")).rejects.toThrow(/untracked files.*Commit what it holds/su);
    git(folder, "switch", "-q", "--detach");
    const alone = await commit(folder, "fresh.txt");
    await expect(removeUnitTree(store, "unit")).rejects.toThrow("a commit that no branch holds");
    expect(git(folder, "rev-parse", "HEAD").trim()).toBe(alone);
    git(folder, "branch", "mine");
    await removeUnitTree(store, "unit");
    expect([existsSync(folder), holding(alone)]).toEqual([false, "mine\n"]);
  });

  it("stays for new files that the user's settings hide from git's status", async () => {
    git(top, "config", "status.showUntrackedFiles", "no");
    const { folder } = await open();
    await writeFile(join(folder, "fresh.txt"), "fresh\n");
    expect(await archiveUnitTree(store, "unit")).toMatchObject({ commits: 0, uncommitted: 1 });
    expect(await readFile(join(folder, "fresh.txt"), "utf8")).toBe("fresh\n");
  });

  it("keeps what a landing that was cut off had moved aside", async () => {
    const { folder } = await open();
    await writeFile(join(folder, "a.txt"), "not committed\n");
    const id = git(folder, "hash-object", "--no-filters", "a.txt").trim();
    const there = atUnitTree(store, "unit");
    await mkdir(there.landing, { recursive: true });
    await rename(join(folder, "a.txt"), join(there.landing, "0"));
    const key = createHash("sha256").update(dirname(there.landing)).digest("hex").slice(0, 12);
    const mode = "100644";
    const step = { path: "a.txt", before: { id, mode }, after: { id: "0".repeat(40), mode } };
    const journal = { pid: 2 ** 30, isWhole: false, steps: [step] };
    const path = join(store.folder, `landing-${key}.json`);
    await writeFile(path, JSON.stringify({ ...journal, pid: process.ppid }));
    await expect(removeUnitTree(store, "unit")).rejects.toThrow("Something is landing in");
    await writeFile(path, JSON.stringify(journal));
    // What an earlier one left, of which nobody knows what it was, is the only copy of someone's.
    const old = `${there.landing}-1`;
    await mkdir(old);
    await writeFile(join(old, "0"), "theirs\n");
    await expect(removeUnitTree(store, "unit")).rejects.toThrow("Commit what it holds");
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("not committed\n");
    await commit(folder, "a.txt");
    await removeUnitTree(store, "unit");
    expect(await readFile(join(old, "0"), "utf8")).toBe("theirs\n");
    expect(await listUnitTrees(store)).toEqual([]);
  });

  it("has the hooks that lie in ignored files of the user's, as husky's do", async () => {
    await mkdir(join(top, ".husky/_"), { recursive: true });
    await writeFile(join(top, ".husky/_/.gitignore"), "*");
    await writeFile(join(top, ".husky/_/pre-commit"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    await commit(top, ".husky/pre-commit", "exit 1\n");
    git(top, "config", "core.hooksPath", ".husky/_");
    const { folder } = await open();
    await expect(commit(folder, "new.txt", "new\n")).rejects.toThrow(/git commit/u);
    expect(git(folder, "status", "--porcelain")).toBe("A  new.txt\n");
  });
});

it.each([true, false])("is not opened where there are submodules, checked out: %s", async (isCheckedOut) => {
  const other = await makeRepository({ hasSubmodule: true });
  if (!isCheckedOut) git(other.top, "submodule", "--quiet", "deinit", "-f", "sub");
  const opened = await openUnitTree(await openLanes(other.top), "unit", other.top);
  expect(opened).toContain("its submodules would be empty");
});

describe("a unit of a name that an archived one had", () => {
  it("begins at the user's commit where the work of that was taken in, which nothing is left of but the branch", async () => {
    const { folder } = await open();
    await commit(folder, "fresh.txt", "fresh\n");
    expect(await archiveUnitTree(store, "unit")).toMatchObject({ commits: 1, uncommitted: 0 });
    git(top, "merge", "-q", "gaia/unit");
    const head = await commit(top, "b.md", "moved on\n");
    await open();
    expect(git(folder, "rev-parse", "HEAD").trim()).toBe(head);
    expect(await archiveUnitTree(store, "unit")).toBeNull();
    expect(existsSync(folder)).toBe(false);
    expect(holding(head)).toBe("gaia/unit\nmain\n");
  });

  it("does not go on with work of that which the user does not have, and says what to do", async () => {
    const { folder } = await open();
    await writeFile(join(folder, "fresh.txt"), "fresh\n");
    expect(await archiveUnitTree(store, "unit")).toMatchObject({ commits: 0, uncommitted: 1 });
    const before = await readTree(folder);
    const why = await openUnitTree(store, "unit", top);
    expect(why).toContain("gaia/unit holds the work of an archived unit of that name");
    expect(why).toContain("npx opencode-gaia lanes remove unit; git branch -m gaia/unit");
    expect(await readTree(folder)).toEqual(before);
    await rm(join(folder, "fresh.txt"));
    await removeUnitTree(store, "unit");
    git(top, "branch", "-m", "gaia/unit", "gaia/before");
    await open();
    expect(existsSync(join(folder, "fresh.txt"))).toBe(false);
  });
});

it("a branch that is gone holds no commits, and a folder that is gone is told of", async () => {
  const { folder } = await open();
  await rm(folder, { recursive: true });
  gitLines(top, "worktree prune", "branch -qD gaia/unit");
  expect(await lookAtUnitTree(store, "unit")).toEqual({ commits: 0, uncommitted: 0, isThere: false });
});
