import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { fromUsersTree } from "../../../src/extras/pull-requests/relative-remotes.ts";
import { git } from "../../support/directory.ts";

describe("a remote", () => {
  it.each([
    "https://example.com/a/b.git",
    "git@example.com:a/b.git",
    "host:b.git",
    "/srv/b.git",
    "file:///srv/b.git",
    "",
  ])("that is the same from everywhere is left as it is: %j", (url) => {
    expect(fromUsersTree([url], "/home/me/app", {})).toEqual({});
  });

  it("that is relative is told with what is set already", () => {
    const urls = ["../b.git", "../b.git", "x/c:d.git"];
    expect(fromUsersTree(urls, "/home/me/app", { GIT_CONFIG_COUNT: "1" })).toEqual({
      GIT_CONFIG_COUNT: "3",
      GIT_CONFIG_KEY_1: "url./home/me/b.git.insteadOf",
      GIT_CONFIG_VALUE_1: "../b.git",
      GIT_CONFIG_KEY_2: "url./home/me/app/x/c:d.git.insteadOf",
      GIT_CONFIG_VALUE_2: "x/c:d.git",
    });
  });

  it("that is relative is reached from another working tree, where the user's own push leads", async () => {
    const root = await mkdtemp(join(tmpdir(), "a = remote "));
    onTestFinished(async () => rm(root, { recursive: true, force: true }));
    const top = join(root, "app");
    await git(root, "init", "-q", "--bare", "the remote.git");
    await git(root, "init", "-q", "app");
    await git(top, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "--allow-empty", "-m", "x");
    await git(top, "remote", "add", "origin", "../the remote.git");
    const tree = join(root, "far/away/tree");
    await git(top, "worktree", "add", "-q", "-b", "work", tree);
    const push = (env: object): Buffer =>
      execFileSync("git", ["push", "-q", "origin", "work"], {
        cwd: tree,
        env: { ...process.env, ...env },
        stdio: "pipe",
      });
    expect(() => push({})).toThrow("does not appear to be a git repository");
    push(fromUsersTree(["../the remote.git"], top, process.env));
    expect(await git(top, "ls-remote", "origin", "work")).toContain("refs/heads/work");
  });
});
