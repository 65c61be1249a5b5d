import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createVcs } from "../../src/snapshot/vcs.ts";
import { git, writeIn } from "../support/directory.ts";

const NAME = "src/[a] b.txt";
let directory: string;
beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), "gaia-committed-")));
  await git(directory, "init", "-q", "-b", "main");
  await writeIn(directory, NAME, "one\n");
  await git(directory, "add", "-A");
  await git(directory, "commit", "-qm", "Start");
});
afterEach(async () => rm(directory, { recursive: true, force: true }));

const run = async (...args: string[]): Promise<void> => void (await git(directory, ...args));
const commit = async (text: string, ...more: string[]): Promise<void> => {
  await writeIn(directory, NAME, text);
  await run("add", "-A");
  await run("commit", "-qm", `As ${text.trim()}`, ...more);
};
/** Whether the file, as it lies there, was committed in this folder in the last minute, or since then. */
async function isHere(folder = directory, name = NAME, since = Date.now() - 60_000): Promise<boolean> {
  return createVcs("git", folder).trees.isCommittedHere(name, since);
}

it.each<[string, boolean, () => Promise<void>]>([
  ["a commit", true, async () => commit("two\n")],
  ["an amended one", true, async () => commit("two\n", "--amend")],
  [
    "one behind which others came",
    true,
    async () => {
      await commit("two\n");
      await writeIn(directory, "other", "x");
      await run("add", "-A");
      await run("commit", "-qm", "Other");
    },
  ],
  [
    "one that took the file out",
    true,
    async () => {
      await run("rm", "-q", NAME);
      await run("commit", "-qm", "Out");
    },
  ],
  [
    "a change behind it that no commit holds",
    false,
    async () => {
      await commit("two\n");
      await writeIn(directory, NAME, "three\n");
    },
  ],
  [
    "what a merge brought",
    false,
    async () => {
      await run("switch", "-qc", "theirs");
      await commit("two\n");
      await run("switch", "-q", "main");
      await git(directory, "reflog", "expire", "--expire=all", "--all");
      await run("merge", "-q", "--no-ff", "-m", "Merge", "theirs");
    },
  ],
  [
    "what a cherry-pick brought",
    false,
    async () => {
      await run("switch", "-qc", "theirs");
      await commit("two\n");
      await run("switch", "-q", "main");
      await git(directory, "reflog", "expire", "--expire=all", "--all");
      await run("cherry-pick", "theirs");
    },
  ],
])("a file is told to be committed here by %s: %s", async (_what, expected, deed) => {
  await deed();
  expect(await isHere()).toBe(expected);
});

it("is told since a moment alone, of a project below its repository, and of the working tree that it was made in", async () => {
  await commit("two\n");
  expect(await isHere(directory, NAME, Date.now() + 2_000)).toBe(false);
  expect(await isHere(join(directory, "src"), "[a] b.txt")).toBe(true);
  const linked = `${directory}-linked`;
  await run("worktree", "add", "-q", linked);
  expect(await isHere(linked)).toBe(false);
  await writeIn(linked, NAME, "three\n");
  await git(linked, "commit", "-qam", "Three");
  expect([await isHere(linked), await isHere()]).toEqual([true, true]);
  await rm(linked, { recursive: true, force: true });
});
