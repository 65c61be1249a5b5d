import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { createGitIndex } from "../../src/vcs/git-index.ts";
import { createGit } from "../../src/vcs/git.ts";
import { createProject, git, writeFiles } from "../checks/project.ts";

/** Longer than two writes of an index may leave the same stamp, in milliseconds. */
const SETTLED_MS = 150;
/** What is done to a repository between two looks: `INDEX_STEPS` for a long run. */
const STEPS = Number(process.env["INDEX_STEPS"] ?? 12);

let directory: string;
beforeEach(async () => {
  directory = await createProject({
    "a.txt": "one",
    "sub/b.txt": "two",
    "sub/c.txt": "3",
    ".gitignore": "out/\n",
  });
  await git(directory, "init", "-q");
  await git(directory, "add", ".");
  await git(directory, "commit", "-qm", "first");
});

const DEEDS: readonly ((text: string) => Promise<unknown>)[] = [
  async (text) => writeFiles(directory, { "a.txt": text }),
  async (text) => writeFiles(directory, { "sub/b.txt": `${text}\r\n` }),
  async (text) => writeFiles(directory, { [`new-${text}.txt`]: text }),
  async () => rm(join(directory, "sub/c.txt"), { force: true }),
  async () => git(directory, "add", "-A"),
  async () => git(directory, "add", "a.txt"),
  async () => git(directory, "reset", "-q"),
  async () => git(directory, "commit", "-qam", "more", "--allow-empty"),
  async () => git(directory, "checkout", "-q", "HEAD", "--", "."),
  async () => git(directory, "rm", "-q", "--cached", "--ignore-unmatch", "sub/c.txt"),
  async () => git(directory, "update-index", "--assume-unchanged", "a.txt"),
  async () => git(directory, "update-index", "--no-assume-unchanged", "a.txt"),
  async () => git(directory, "update-index", "--split-index"),
  async () => git(directory, "update-index", "--chmod=+x", "a.txt"),
  // What git calls a repository of its own from then on.
  async (text) => git(directory, "init", "-q", `inner-${text}`),
];

describe("what is known of an index", () => {
  it("is the same as what is read anew, whatever was done meanwhile", async () => {
    const known = createGit(directory, systemClock);
    const seed = Number(process.env["INDEX_SEED"] ?? 11);
    const step = fc.tuple(fc.nat(DEEDS.length - 1), fc.constantFrom("x", "y", "z"), fc.boolean());
    for (const [deed, text, isSettled] of fc.sample(step, { seed, numRuns: STEPS })) {
      await DEEDS[deed]?.(text).catch(() => undefined);
      if (isSettled) await pause(SETTLED_MS);
      const fresh = await createGit(directory, systemClock).filesNow();
      expect([deed, await known.filesNow()]).toEqual([deed, fresh]);
    }
  }, 120_000);

  it("is used again while the index is the same, and never while it may have changed without a trace", async () => {
    let now: number | null = null;
    const index = createGitIndex(() => now ?? Date.now());
    const read = async (folder = directory) => index.read({ directory: folder, clock: systemClock });
    await pause(SETTLED_MS);
    const first = await read();
    expect(await read()).toBe(first);
    const below = await read(join(directory, "sub"));
    expect([...(below?.files.keys() ?? [])]).toEqual(["b.txt", "c.txt"]);
    expect(await read(join(directory, "sub"))).toBe(below);

    await git(directory, "add", "--chmod=+x", "a.txt");
    const second = await read();
    expect(second?.files.get("a.txt")?.content).toMatch(/^100755 /);
    // Just written: the next write may leave the same stamp.
    now = (await stat(join(directory, ".git/index"))).ctimeMs + 50;
    const third = await read();
    expect(await read()).not.toBe(third);
    now = null;

    // A sparse checkout: what git tells depends on what lies in the folder.
    await writeFile(join(directory, ".git/info/sparse-checkout"), "/*\n");
    await pause(SETTLED_MS);
    const sparse = await read();
    expect(await read()).not.toBe(sparse);
  });

  it("is that of the work tree that a folder belongs to", async () => {
    const index = createGitIndex();
    await git(directory, "worktree", "add", "-q", "out/tree", "-b", "other");
    const tree = join(directory, "out/tree");
    await writeFiles(tree, { "d.txt": "4" });
    await git(tree, "add", "d.txt");
    await pause(SETTLED_MS);
    const there = await index.read({ directory: tree, clock: systemClock });
    expect(there?.files.has("d.txt")).toBe(true);
    expect(await index.read({ directory: tree, clock: systemClock })).toBe(there);
    expect((await index.read({ directory, clock: systemClock }))?.files.has("d.txt")).toBe(false);
  });
});
