import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { createVcs } from "../../src/snapshot/vcs.ts";
import { git, writeIn, openFolder, gitLines, openRepository } from "../support/directory.ts";
import { linesIn } from "./lines-in.ts";

let directory: string;
const write = async (name: string, text: string) => writeIn(directory, name, text);
const OF_THE_COMMIT = {
  file1: "foo\n",
  file2: "foo\n",
  "old.txt": "one\n",
  ".gaia/limits/plan.md": "of the commit\n",
  "kept.log": "tracked, though it is ignored\n",
};

/**
 * Makes the folder a working copy of jj's, whose commits lie where jj keeps them, and puts a `jj` on the PATH that notes its
 * arguments and knows one revision.
 */
async function fakeJj(): Promise<{ commit: string; asked: () => Promise<string[]> }> {
  directory = await openRepository(OF_THE_COMMIT);
  const commit = (await git(directory, "rev-parse", "HEAD")).trim();
  await gitLines(directory, "clone -q --bare . .jj/repo/store/git");
  await rm(join(directory, ".git"), { recursive: true });
  await write(".jj/repo/store/git_target", "git");
  await rm(join(directory, "file1"));
  await write(".gitignore", "*.log\n");
  await write("file2", "foo\nbar\nbaz\n");
  await write("new name.txt", "one\n");
  await write(".gaia/limits/plan.md", "the record\n");
  // Not of the project: the host starts none of its programs.
  const bin = await openFolder();
  const script = `#!/bin/sh\necho "$*" >> "${bin}/asked"\nprintf %s ${commit}\n`;
  await writeFile(join(bin, "jj"), script, { mode: 0o755 });
  vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
  return { commit, asked: async () => (await readFile(join(bin, "asked"), "utf8")).trimEnd().split("\n") };
}

const CHANGED = [
  { path: ".gitignore", added: 1, removed: 0 },
  { path: "file1", added: 0, removed: 1 },
  { path: "file2", added: 2, removed: 0 },
  { path: "new name.txt", added: 1, removed: 0 },
];

describe("jj", () => {
  it("is asked for the revision below the working copy, without a snapshot, and tells what was changed since, without the record and secrets", async () => {
    const { commit, asked } = await fakeJj();
    const jj = createVcs("jj", directory);
    expect(await jj.baseRevision()).toBe(commit);
    expect(await asked()).toEqual([
      "--no-pager --color=never log --revisions=@- --no-graph --limit=1 --template=commit_id --ignore-working-copy",
    ]);
    expect(await jj.changesSince(commit)).toEqual({ files: CHANGED, base: commit, known: true });
    await write(".env", "KEY=1\n");
    const diff = linesIn((await jj.workingDiff((each) => each === ".env")).files);
    expect(diff).toContain("+bar");
    expect(diff).toContain("-foo");
    for (const hidden of ["the record", "KEY", "kept.log"]) expect(diff).not.toContain(hidden);
    expect(diff).toContain(".env added +1 -0\n");
  });

  it("tells of a project that is a part of the working copy only what lies in it", async () => {
    const { commit } = await fakeJj();
    await write("part/a.ts", "one\n");
    // The commit holds nothing of it.
    const changes = await createVcs("jj", join(directory, "part")).changesSince(commit);
    expect(changes).toEqual({ files: [{ path: "a.ts", added: 1, removed: 0 }], base: commit, known: true });
    const store = "--git-dir=.jj/repo/store/git";
    await gitLines(directory, `${store} --work-tree=. add -f part/a.ts file2`);
    await gitLines(directory, `${store} --work-tree=. commit -qm second`);
    const next = (await git(directory, store, "rev-parse", "HEAD")).trim();
    await write("part/a.ts", "two\n");
    const { files } = await createVcs("jj", join(directory, "part")).changesSince(next);
    expect(files).toEqual([{ path: "a.ts", added: 1, removed: 1 }]);
  });
});

it("agrees with a real jj, where one is on the PATH", async () => {
  const run = promisify(execFile);
  if ((await run("jj", ["--version"]).catch(() => null)) === null) return;
  directory = await openFolder();
  vi.stubEnv("JJ_CONFIG", "/dev/null");
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
