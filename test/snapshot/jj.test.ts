import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVcs } from "../../src/snapshot/vcs.ts";
import { git } from "../support/directory.ts";
import { linesIn } from "./lines-in.ts";

let directory: string;
/** Not of the project: the host starts none of its programs. */
let bin: string;
const path = process.env["PATH"];
beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), "gaia-jj-")));
  bin = `${directory}-bin`;
});
afterEach(async () => {
  process.env["PATH"] = path;
  for (const folder of [directory, bin]) await rm(folder, { recursive: true, force: true });
});

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(directory, name)), { recursive: true });
  await writeFile(join(directory, name), text);
}

/**
 * Makes the folder a working copy of jj's, whose commits lie where jj keeps them, and puts a `jj` on the PATH that notes its
 * arguments and knows one revision.
 */
async function fakeJj(): Promise<{ commit: string; asked: () => Promise<string[]> }> {
  await git(directory, "init", "-q");
  for (const [name, text] of [
    ["file1", "foo\n"],
    ["file2", "foo\n"],
    ["old.txt", "one\n"],
    [".gaia/limits/plan.md", "of the commit\n"],
    ["kept.log", "tracked, though it is ignored\n"],
  ] as const)
    await write(name, text);
  await git(directory, "add", "-A");
  await git(directory, "commit", "-qm", "first");
  const commit = (await git(directory, "rev-parse", "HEAD")).trim();
  await mkdir(join(directory, ".jj/repo/store"), { recursive: true });
  await git(directory, "clone", "-q", "--bare", ".", ".jj/repo/store/git");
  await rm(join(directory, ".git"), { recursive: true });
  await write(".jj/repo/store/git_target", "git");
  await rm(join(directory, "file1"));
  await write(".gitignore", "*.log\n");
  await write("file2", "foo\nbar\nbaz\n");
  await write("new name.txt", "one\n");
  await write(".gaia/limits/plan.md", "the record\n");
  await mkdir(bin);
  await writeFile(
    join(bin, "jj"),
    `#!/bin/sh
echo "$*" >> "${bin}/asked"
printf %s ${commit}
`,
  );
  await chmod(join(bin, "jj"), 0o755);
  process.env["PATH"] = `${bin}:${path}`;
  return { commit, asked: async () => (await readFile(join(bin, "asked"), "utf8")).trimEnd().split("\n") };
}

const CHANGED = [
  { path: ".gitignore", added: 1, removed: 0 },
  { path: "file1", added: 0, removed: 1 },
  { path: "file2", added: 2, removed: 0 },
  { path: "new name.txt", added: 1, removed: 0 },
];

describe("jj", () => {
  it("is asked for the revision below the working copy, and takes no snapshot for that", async () => {
    const { commit, asked } = await fakeJj();
    expect(await createVcs("jj", directory).baseRevision()).toBe(commit);
    expect(await asked()).toEqual([
      "--no-pager --color=never log --revisions=@- --no-graph --limit=1 --template=commit_id --ignore-working-copy",
    ]);
  });

  it("tells what was changed since a revision, without the record", async () => {
    const { commit } = await fakeJj();
    expect(await createVcs("jj", directory).changesSince(commit)).toEqual({
      files: CHANGED,
      base: commit,
      known: true,
    });
  });

  it("tells of a project that is a part of the working copy only what lies in it", async () => {
    const { commit } = await fakeJj();
    await write("part/a.ts", "one\n");
    // The commit holds nothing of it.
    const changes = await createVcs("jj", join(directory, "part")).changesSince(commit);
    expect(changes).toEqual({ files: [{ path: "a.ts", added: 1, removed: 0 }], base: commit, known: true });
    await git(directory, "--git-dir=.jj/repo/store/git", "--work-tree=.", "add", "-f", "part/a.ts", "file2");
    await git(directory, "--git-dir=.jj/repo/store/git", "--work-tree=.", "commit", "-qm", "second");
    const next = (await git(directory, "--git-dir=.jj/repo/store/git", "rev-parse", "HEAD")).trim();
    await write("part/a.ts", "two\n");
    expect((await createVcs("jj", join(directory, "part")).changesSince(next)).files).toEqual([
      { path: "a.ts", added: 1, removed: 1 },
    ]);
  });

  it("shows what the working copy holds, without the record and without secrets", async () => {
    await fakeJj();
    await write(".env", "KEY=1\n");
    const diff = linesIn((await createVcs("jj", directory).workingDiff((each) => each === ".env")).files);
    expect(diff).toContain("+bar");
    expect(diff).toContain("-foo");
    for (const hidden of ["the record", "KEY", "kept.log"]) expect(diff).not.toContain(hidden);
    expect(diff).toContain(".env added +1 -0\n");
  });
});

it("agrees with a real jj, where one is on the PATH", async () => {
  const run = promisify(execFile);
  if ((await run("jj", ["--version"]).catch(() => null)) === null) return;
  process.env["JJ_CONFIG"] = "/dev/null";
  await run("jj", ["git", "init", "."], { cwd: directory });
  await write("old.txt", "one\n");
  await run("jj", ["commit", "-m", "first"], { cwd: directory });
  const jj = createVcs("jj", directory);
  const base = await jj.baseRevision();
  expect(base).toMatch(/^[0-9a-f]{40}$/);
  await rm(join(directory, "old.txt"));
  await write("file2", "foo\nbar\n");
  const changes = await jj.changesSince(base);
  expect(changes).toMatchObject({ base, known: true });
  expect(changes.files).toContainEqual({ path: "file2", added: 2, removed: 0 });
});
