import { access, chmod, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { createRefWatch, type Moved, renderMove, type SaidOfHistory } from "../../src/vcs/refs/ref-watch.ts";
import { createProject, git, writeFiles } from "../checks/project.ts";

let directory: string;
beforeEach(async () => {
  directory = await createRepository();
});

async function createRepository(): Promise<string> {
  const created = await createProject({ "a.txt": "one" });
  await git(created, "init", "-q", "-b", "main");
  await git(created, "add", ".");
  await git(created, "commit", "-qm", "first");
  return created;
}

const watchOf = (at = directory) => createRefWatch(at, { directory: at, clock: systemClock });
const commit = async (at = directory): Promise<void> => {
  await git(at, "commit", "-q", "--allow-empty", "-m", "more");
};
const names = ({ hidden }: Moved): string[] => hidden.map(({ ref }) => ref);
const during = async (said: SaidOfHistory, step: () => Promise<unknown>, at = directory): Promise<Moved> => {
  const watch = watchOf(at);
  const watching = watch.begin(said);
  await step();
  return watch.end(watching);
};

describe("while a call runs that says nothing of the history", () => {
  it.each<[string, string[][], string[]]>([
    ["a commit", [["commit", "-q", "--allow-empty", "-m", "x"]], ["refs/heads/main"]],
    ["a tag", [["tag", "v1"]], ["refs/tags/v1"]],
    ["a branch", [["branch", "x"]], ["refs/heads/x"]],
    ["another branch", [["checkout", "-q", "-b", "x"]], ["HEAD", "refs/heads/x"]],
    ["plumbing", [["update-ref", "refs/heads/deep/y", "HEAD"]], ["refs/heads/deep/y"]],
    [
      "nothing but packing",
      [
        ["tag", "v0"],
        ["tag", "-d", "v0"],
        ["pack-refs", "--all"],
        ["gc", "-q"],
      ],
      [],
    ],
    ["nothing but a stash", [["stash", "list"]], []],
    [
      "a commit behind packed refs",
      [
        ["pack-refs", "--all"],
        ["commit", "-q", "--allow-empty", "-m", "x"],
      ],
      ["refs/heads/main"],
    ],
  ])("%s is seen", async (_name, commands, hidden) => {
    const moved = await during("nothing", async () => {
      for (const args of commands) await git(directory, ...args);
    });
    expect(names(moved)).toEqual(hidden);
  });

  it("what is packed and gone is seen, and told in words", async () => {
    await git(directory, "branch", "old");
    await git(directory, "pack-refs", "--all");
    const moved = await during("nothing", async () => git(directory, "branch", "-D", "old"));
    expect(moved.hidden.map(renderMove)).toEqual(["old (gone)"]);
  });

  it("a stash that is gone is seen, and told with what has it back", async () => {
    const stash = async (text: string) => {
      await writeFiles(directory, { "a.txt": text });
      await git(directory, "stash", "push", "-qu");
    };
    await stash("mine\n");
    const id = (await git(directory, "rev-parse", "refs/stash")).trim();
    await stash("mine too\n");
    const moved = await during("nothing", async () => {
      await git(directory, "stash", "drop", "-q", "stash@{1}");
      await stash("its own\n");
    });
    expect(moved.hidden.map(renderMove)).toEqual([
      `stash ${id.slice(0, 8)} (gone; git stash store ${id} has it back)`,
    ]);
    await git(directory, "stash", "store", id);
    expect(await during("moves", async () => git(directory, "stash", "clear"))).toMatchObject({ hidden: [] });
  });

  it("what moved before it is not its doing", async () => {
    const watch = watchOf();
    await watch.end(watch.begin("nothing"));
    await commit();
    expect(names(await watch.end(watch.begin("nothing")))).toEqual([]);
  });

  it("what another call beside it says it has recorded is not its doing", async () => {
    const watch = watchOf();
    const [beside, recording] = [watch.begin("nothing"), watch.begin("records")];
    const within = watch.begin("nothing");
    await commit();
    expect(names(await watch.end(within))).toEqual([]);
    expect((await watch.end(recording)).all.map(({ ref }) => ref)).toEqual(["refs/heads/main"]);
    expect(names(await watch.end(beside))).toEqual([]);
  });

  it("what it does itself after that is", async () => {
    const watch = watchOf();
    const [beside, recording] = [watch.begin("nothing"), watch.begin("records")];
    await commit();
    await watch.end(recording);
    await commit();
    expect(names(await watch.end(beside))).toEqual(["refs/heads/main"]);
  });

  it("a call that did not run explains nothing", async () => {
    const watch = watchOf();
    const [beside, recording] = [watch.begin("nothing"), watch.begin("records")];
    watch.drop(recording);
    await commit();
    expect(names(await watch.end(beside))).toEqual(["refs/heads/main"]);
  });

  it("a folder without a repository is left alone", async () => {
    const bare = await createProject({ "a.txt": "one" });
    expect(await during("nothing", async () => git(bare, "init", "-q"), bare)).toEqual({
      all: [],
      hidden: [],
    });
  });
});

describe("while a call runs that moves among commits", () => {
  it.each<[string, string[][]]>([
    ["a new branch", [["checkout", "-q", "-b", "x"]]],
    ["an older commit", [["reset", "-q", "--hard", "HEAD~1"]]],
    [
      "and back",
      [
        ["reset", "-q", "--hard", "HEAD~1"],
        ["reset", "-q", "--hard", "ORIG_HEAD"],
      ],
    ],
    ["a detached HEAD", [["checkout", "-q", "--detach"]]],
    [
      "a branch that goes",
      [
        ["branch", "x"],
        ["branch", "-D", "x"],
      ],
    ],
  ])("%s is where it says", async (_name, commands) => {
    await commit();
    const moved = await during("moves", async () => {
      for (const args of commands) await git(directory, ...args);
    });
    expect(names(moved)).toEqual([]);
  });

  it("a commit that was in no branch before is hidden", async () => {
    const moved = await during("moves", async () => {
      await git(directory, "checkout", "-q", "-b", "x");
      await commit();
    });
    expect(names(moved)).toEqual(["refs/heads/x"]);
  });

  it("a commit that plumbing made before, and no branch holds, is hidden", async () => {
    const tree = (await git(directory, "write-tree")).trim();
    const loose = (await git(directory, "commit-tree", tree, "-p", "HEAD", "-m", "x")).trim();
    const moved = await during("moves", async () => git(directory, "reset", "-q", "--soft", loose));
    expect(names(moved)).toEqual(["refs/heads/main"]);
  });

  it("what was reset in an earlier call may be had back", async () => {
    await commit();
    await git(directory, "reset", "-q", "--hard", "HEAD~1");
    const moved = await during("moves", async () => git(directory, "reset", "-q", "--hard", "HEAD@{1}"));
    expect(moved.all).toHaveLength(1);
    expect(names(moved)).toEqual([]);
  });

  it("tags of others come with what is fetched, asked for or not", async () => {
    const other = await createRepository();
    await git(directory, "remote", "add", "origin", other);
    for (const [at, said] of ["fetches", "nothing"].entries()) {
      await commit(other);
      await git(other, "tag", `v${at}`);
      const moved = await during(said as SaidOfHistory, async () =>
        git(directory, "fetch", "-q", "--tags", "origin"),
      );
      expect(moved.all.map(({ ref }) => ref)).toEqual([`refs/tags/v${at}`]);
      expect(names(moved)).toEqual([]);
    }
  });
});

describe("a repository of another shape", () => {
  it("as a linked worktree is watched, and the branches of the others are theirs", async () => {
    const linked = `${directory}-linked`;
    await git(directory, "worktree", "add", "-q", "-b", "topic", linked);
    expect(names(await during("nothing", async () => commit(linked), linked))).toEqual(["refs/heads/topic"]);
    expect(names(await during("nothing", async () => commit(), linked))).toEqual([]);
    expect(names(await during("nothing", async () => commit(linked)))).toEqual([]);
    expect(names(await during("nothing", async () => commit()))).toEqual(["refs/heads/main"]);
    await rm(linked, { recursive: true });
  });

  it("as a submodule is watched from outside and inside", async () => {
    const inner = await createRepository();
    await git(directory, "-c", "protocol.file.allow=always", "submodule", "add", "-q", inner, "libs/inner");
    await git(directory, "commit", "-qm", "module");
    const inside = join(directory, "libs/inner");
    await access(join(inside, "a.txt"));
    expect(names(await during("nothing", async () => commit(inside)))).toEqual([
      "submodule inner: refs/heads/main",
    ]);
    expect(names(await during("nothing", async () => commit(inside), inside))).toEqual(["refs/heads/main"]);
  });
});

describe("jj", () => {
  /** A jj of our own: its operation log is what the test writes. */
  const setUp = async (operations: string): Promise<void> => {
    const bin = join(directory, "bin");
    await writeFiles(directory, { "bin/jj": `#!/bin/sh\nprintf '${operations}'\n` });
    await chmod(join(bin, "jj"), 0o755);
    vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
    await mkdir(join(directory, ".jj/repo/op_heads/heads"), { recursive: true });
    await writeFiles(directory, { ".jj/repo/op_heads/heads/aaa": "" });
  };
  const operate = async (): Promise<void> => {
    await rm(join(directory, ".jj/repo/op_heads/heads/aaa"));
    await writeFiles(directory, { ".jj/repo/op_heads/heads/ccc": "" });
  };

  it.each<[string, string, SaidOfHistory, string[]]>([
    ["takes note of the files", "ccc\\tsnapshot working copy\\naaa\\tdescribe\\n", "nothing", []],
    [
      "describes a change",
      "ccc\\tdescribe commit 1\\nbbb\\tsnapshot working copy\\naaa\\tx\\n",
      "nothing",
      ["jj's operation log"],
    ],
    ["says nothing", "", "nothing", ["jj's operation log"]],
    ["is asked to move", "ccc\\tundo\\naaa\\tx\\n", "moves", []],
  ])("that %s", async (_name, operations, said, hidden) => {
    await setUp(operations);
    expect(names(await during(said, operate))).toEqual(hidden);
    vi.unstubAllEnvs();
  });
});
