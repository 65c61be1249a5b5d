import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { beginCommit, moveSince, readBegun } from "../../../src/conversation/commits/begun-commits.ts";
import { git } from "../../support/directory.ts";

let worktree: string;
beforeEach(async () => {
  worktree = await mkdtemp(join(tmpdir(), "begun-"));
  await git(worktree, "init", "-q", "-b", "main");
});
afterEach(async () => rm(worktree, { recursive: true, force: true }));

let files = 0;
const commit = async (): Promise<void> => {
  files += 1;
  await writeFile(join(worktree, `${files}.txt`), "x");
  await git(worktree, "add", ".");
  await git(worktree, "-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-qm", "One");
};
const begin = () =>
  beginCommit({
    unit: "unit",
    what: "`git commit`",
    by: "hephaestus",
    worktree,
    tree: "t",
    uncommitted: null,
  });
/** As it comes back from an earlier process. */
const kept = () => readBegun(JSON.parse(JSON.stringify([begin()])))[0] ?? begin();

it("tells what git has made since, the first commit and one on no branch as well", async () => {
  const first = kept();
  expect(moveSince(first, worktree)).toBe("nothing");
  await commit();
  expect(moveSince(first, worktree)).toMatch(/^main \(new, [0-9a-f]{8}\)$/);
  const second = kept();
  expect(second).toEqual(begin());
  await commit();
  expect(moveSince(second, worktree)).toMatch(/^main [0-9a-f]{8} → [0-9a-f]{8}$/);
  await git(worktree, "checkout", "-q", "--detach");
  const detached = kept();
  await commit();
  expect(moveSince(detached, worktree)).toMatch(/^HEAD [0-9a-f]{8} → [0-9a-f]{8}$/);
});

it("tells nothing of another branch or another tree", async () => {
  await commit();
  const one = kept();
  await git(worktree, "checkout", "-q", "-b", "other");
  await commit();
  expect(moveSince(one, worktree)).toBeNull();
  expect(moveSince(one, tmpdir())).toBeNull();
  expect(readBegun("x")).toEqual([]);
});
