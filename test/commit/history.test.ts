import { beforeEach, describe, expect, it } from "vitest";
import { findBranchBase, readCommits } from "../../src/commit/history.ts";
import { git, writeIn, commitAll, gitLines, openRepository } from "../support/directory.ts";

let directory: string;
beforeEach(async () => {
  directory = await openRepository({ "a.ts": "one\n" });
});

/** Commits a file that holds its own name. */
async function commit(path: string, subject = "x"): Promise<void> {
  await writeIn(directory, path, path);
  await commitAll(directory, subject);
}
const run = async (...lines: string[]): Promise<void> => gitLines(directory, ...lines);
const head = async (): Promise<string> => (await git(directory, "rev-parse", "HEAD")).trim();
const about = async (subject: Parameters<typeof readCommits>[1]) =>
  readCommits({ folder: directory }, subject);
const branchBase = async (name: string | null) => findBranchBase("git", { folder: directory }, name);

describe("commits about something", () => {
  it.each([
    ["i18n.logOutputEncoding", "GBK"],
    ["log.showRoot", "false"],
  ])("tells of commits as they are, whatever the user has git print: %s", async (key, value) => {
    await commit("b.ts", "修复限速");
    await git(directory, "config", key, value);
    expect(await about({ path: "b.ts", line: null })).toMatchObject([{ subject: "修复限速" }]);
    expect(await about({ path: "a.ts", line: null })).toMatchObject([{ subject: "x" }]);
  });
});

describe("where a branch began", () => {
  it.each([null, "main"])(
    "is looked for among the remote's branches, where a clone has no other: %s",
    async (named) => {
      const base = await head();
      await run("update-ref refs/remotes/origin/main HEAD", "branch -m topic");
      await commit("b.ts");
      expect(await branchBase(named)).toEqual({ kind: "found", base, name: "origin/main", commits: 1 });
    },
  );

  it("is what it has in common with the default branch, or with the one that is named", async () => {
    const base = await head();
    await run("checkout -qb topic");
    await commit("b.ts");
    const found = { kind: "found", base, name: "main", commits: 1 };
    expect(await branchBase(null)).toEqual(found);
    expect(await branchBase("main")).toEqual(found);
    await run("checkout -q main");
    await commit("c.ts");
    await run("checkout -q topic");
    expect(await branchBase(null)).toEqual(found);
  });

  it.each([
    ["a name that is not there", "nowhere", 'no branch or commit "nowhere"'],
    ["an option in place of a name", "--all", 'no branch or commit "--all"'],
    ["one without anything in common", "island", "have no commit in common"],
  ])("says of %s what is wrong", async (_what, other, why) => {
    await run("checkout -q --orphan island");
    await commit("a.ts", "another beginning");
    await run("checkout -q main");
    expect(await branchBase(other)).toMatchObject({ kind: "unknown", why: expect.stringContaining(why) });
  });
});
