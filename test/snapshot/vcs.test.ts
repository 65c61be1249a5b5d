import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createVcs, openVcs, type Vcs } from "../../src/snapshot/vcs.ts";
import { git, writeIn, openFolder, commitAll, gitLines, openRepository } from "../support/directory.ts";
import { linesIn } from "./lines-in.ts";

let directory: string;
let vcs: Vcs;
beforeEach(async () => {
  directory = await openRepository({ "a.ts": "one\n" });
  vcs = createVcs("git", directory);
});

const write = async (path: string, text: string): Promise<string> => writeIn(directory, path, text);
const commit = async (): Promise<void> => commitAll(directory);

describe("git: what was changed", () => {
  it("is what differs from the base, committed or not, without the record", async () => {
    const base = await vcs.baseRevision();
    await write("a.ts", "one\ntwo\n");
    await commit();
    await write("über b.ts", "new\n");
    await write(".gaia/limits/plan.md", "x\n");
    const files = ["a.ts", "über b.ts"].map((path) => ({ path, added: 1, removed: 0 }));
    expect(await vcs.changesSince(base)).toMatchObject({ base, known: true, files });
  });

  it("is what is not committed where the base is unknown or gone", async () => {
    await write("a.ts", "two\n");
    for (const base of [null, "0123456789012345678901234567890123456789"]) {
      const files = [{ path: "a.ts", added: 1, removed: 1 }];
      expect(await vcs.changesSince(base)).toEqual({ files, base: null, known: true });
    }
  });

  it("is what differs from a snapshot, in repositories inside too, as long as that is kept", async () => {
    for (const folder of ["same", "other"]) {
      await write(`${folder}/in.ts`, "one\n");
      await gitLines(join(directory, folder), "init -q", "add .");
      await commitAll(join(directory, folder));
    }
    await write("before.ts", "dirty\n");
    const tree = (await vcs.trees.take()) ?? "";
    await write("a.ts", "two\n");
    await write("other/in.ts", "two\n");
    const since = async (from: string): Promise<string[]> =>
      (await vcs.changesSince(null, undefined, from)).files.map(({ path }) => path).toSorted();
    expect(await since(tree)).toEqual(["a.ts", "other"]);
    expect(await since("0".repeat(40))).toContain("before.ts");
  });

  it("is unknown where there is no repository any more", async () => {
    await rm(join(directory, ".git"), { recursive: true });
    await expect(vcs.changesSince(null)).resolves.toMatchObject({ known: false });
    await expect(vcs.baseRevision()).resolves.toBeNull();
  });
});

describe("git", () => {
  it("knows which files the project leaves alone", async () => {
    await write(".gitignore", ".gaia/\n");
    expect([await vcs.isIgnored(".gaia/learnings.md"), await vcs.isIgnored("a.ts")]).toEqual([true, false]);
  });

  it("does not follow an environment that leads elsewhere", async () => {
    await write(".gaia/log.md", "the record\n");
    const look = async (): Promise<unknown> => [
      await vcs.baseRevision(),
      await vcs.fingerprint(),
      await vcs.changesSince(null),
      await vcs.uncommitted(),
    ];
    const before = await look();
    for (const name of ["GIT_DIR", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_LITERAL_PATHSPECS"]) {
      vi.stubEnv(name, name === "GIT_LITERAL_PATHSPECS" ? "1" : "/nowhere");
      expect(await look(), name).toEqual(before);
      vi.unstubAllEnvs();
    }
  });
});

describe("the version control of a project", () => {
  it.each([
    [[".git"], "git"],
    [[".jj"], "jj"],
    [[".git", ".jj"], "jj"],
    [[], "none"],
  ])("with %j is %s", async (folders, kind) => {
    const worktree = join(directory, "other");
    for (const folder of ["", ...folders]) await mkdir(join(worktree, folder));
    expect(openVcs(worktree, worktree).kind).toBe(kind);
  });

  it("can be none, of which nothing is known but the files", async () => {
    const none = openVcs("/nowhere", directory);
    expect(await none.changesSince("0123456789")).toEqual({ files: [], base: null, known: true });
    expect(await none.baseRevision()).toBeNull();
    expect(await none.workingDiff(() => false)).toEqual({ files: [] });
    expect(await none.fingerprint()).toMatch(/^[0-9a-f]{40}$/);
  });
});

describe("git: a look", () => {
  it("runs no filter whose name no option of git can hold, and then says nothing of those files", async () => {
    const mark = join(directory, "ran");
    await write(".gitattributes", "*.ts filter=a=b\n");
    for (const kind of ["clean", "smudge"])
      await git(directory, "config", `filter.a=b.${kind}`, `touch ${mark}; cat`);
    await write("a.ts", "one\ntwo\n");
    await vcs.changesSince(null);
    await vcs.fingerprint();
    const diff = linesIn((await vcs.workingDiff(() => false)).files);
    expect(diff).not.toContain("two");
    expect(existsSync(mark)).toBe(false);
  });

  it("runs LFS of the user's own configuration, and no other filter of it", async () => {
    const settings = '[filter "lfs"]\n\tclean = tr a-z A-Z\n[filter "format"]\n\tclean = rev\n';
    vi.stubEnv("GIT_CONFIG_GLOBAL", await writeIn(await openFolder(), "gitconfig", settings));
    await write(".gitattributes", "*.ts filter=lfs\n*.txt filter=format\n");
    await write("a.ts", "one\ntwo\n");
    await write("b.txt", "three\n");
    await git(directory, "-c", "filter.lfs.clean=tr a-z A-Z", "-c", "filter.format.clean=rev", "add", "-A");
    await gitLines(directory, "commit -qm x");
    expect(await git(directory, "show", "HEAD:a.ts")).toBe("ONE\nTWO\n");
    // Written again: git trusts the time of a file that it added, and would read neither.
    await write("a.ts", "one\ntwo\n");
    await write("b.txt", "three\n");
    // What LFS has stored otherwise is no change; what another filter would, is one.
    expect((await vcs.changesSince(null)).files.map(({ path }) => path)).toEqual(["b.txt"]);
  });
});

it("git: what differs is not hidden behind a file with more changed lines than can be read", async () => {
  await write("b.lock", "{}\n");
  await write("c.ts", "one\n");
  await commit();
  await write("b.lock", `${"x".repeat(60)}\n`.repeat(30_000));
  await write("c.ts", "two\n");
  await write("d.ts", "new\n");
  const diff = linesIn((await vcs.workingDiff(() => false)).files);
  expect(diff).toContain("+two");
  expect(diff.length).toBeLessThan(1_000);
  expect(diff).toContain("b.lock modified +30000 -1\nc.ts");
  const only = await vcs.workingDiff(() => false, undefined, ["b.lock"]);
  expect(only.files.map(({ path }) => path)).toEqual(["b.lock"]);
});
