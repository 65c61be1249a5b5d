import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findBranchBase, readCommits } from "../../src/commit/history.ts";
import { git, writeIn } from "../support/directory.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "history-"));
  await git(directory, "init", "-q");
  await write("a.ts", "one\n");
  await commit();
});
afterEach(async () => rm(directory, { recursive: true, force: true }));

const write = async (path: string, text: string) => writeIn(directory, path, text);
async function commit(subject = "x"): Promise<void> {
  await git(directory, "add", "-A");
  await git(directory, "commit", "-qm", subject);
}
const head = async (): Promise<string> => (await git(directory, "rev-parse", "HEAD")).trim();
const about = async (subject: Parameters<typeof readCommits>[1]) =>
  readCommits({ folder: directory }, subject);
const branchBase = async (name: string | null) => findBranchBase("git", { folder: directory }, name);

describe("commits about something", () => {
  it.each([
    ["i18n.logOutputEncoding", "GBK"],
    ["log.showRoot", "false"],
  ])("tells of commits as they are, whatever the user has git print: %s", async (key, value) => {
    await write("b.ts", "ü\n");
    await commit("修复限速");
    await git(directory, "config", key, value);
    expect(await about({ path: "b.ts", line: null })).toMatchObject([{ subject: "修复限速" }]);
    expect(await about({ path: "a.ts", line: null })).toMatchObject([{ subject: "x" }]);
  });
});

describe("where a branch began", () => {
  const name = async (): Promise<string> => (await git(directory, "symbolic-ref", "--short", "HEAD")).trim();

  it.each([null, "main"])(
    "is looked for among the remote's branches, where a clone has no other: %s",
    async (named) => {
      const base = await head();
      await git(directory, "update-ref", "refs/remotes/origin/main", "HEAD");
      await git(directory, "branch", "-m", "topic");
      await write("b.ts", "two\n");
      await commit();
      expect(await branchBase(named)).toEqual({ kind: "found", base, name: "origin/main", commits: 1 });
    },
  );

  it("is what it has in common with the default branch, or with the one that is named", async () => {
    await git(directory, "branch", "-m", "main");
    const base = await head();
    await git(directory, "checkout", "-qb", "topic");
    await write("b.ts", "two\n");
    await commit();
    const found = { kind: "found", base, name: "main", commits: 1 };
    expect(await branchBase(null)).toEqual(found);
    expect(await branchBase("main")).toEqual(found);
    await git(directory, "checkout", "-q", "main");
    await write("c.ts", "three\n");
    await commit();
    await git(directory, "checkout", "-q", "topic");
    expect(await branchBase(null)).toEqual(found);
  });

  it.each([
    ["a name that is not there", "nowhere", 'no branch or commit "nowhere"'],
    ["an option in place of a name", "--all", 'no branch or commit "--all"'],
    ["one without anything in common", "island", "have no commit in common"],
  ])("says of %s what is wrong", async (_what, other, why) => {
    const here = await name();
    await git(directory, "checkout", "-q", "--orphan", "island");
    await write("a.ts", "another beginning\n");
    await commit();
    await git(directory, "checkout", "-q", here);
    expect(await branchBase(other)).toMatchObject({ kind: "unknown", why: expect.stringContaining(why) });
  });
});
