import { existsSync } from "node:fs";
import { chmod, rename, rm, symlink, unlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGit } from "../../src/vcs/git.ts";
import { createNoVcs } from "../../src/vcs/none.ts";
import { createProject, git, writeFiles } from "../checks/project.ts";

/** How long a test may take that has git asked many times, in milliseconds. */
const MANY_CALLS_MS = 60_000;

type Change = (directory: string) => Promise<unknown>;

async function hashOf(directory: string): Promise<string> {
  const fingerprint = await createGit(directory).fingerprint();
  if (fingerprint === null) throw new Error("no fingerprint");
  return fingerprint;
}

async function createRepository(): Promise<string> {
  const directory = await createProject({ "a.txt": "one", "sub/b.txt": "two", ".gitignore": "out/\n" });
  await git(directory, "init", "-q");
  await git(directory, "add", ".");
  await git(directory, "commit", "-qm", "first");
  return directory;
}

describe("the fingerprint of a git repository", () => {
  it("is the same while nothing changes", async () => {
    const directory = await createRepository();
    expect(await hashOf(directory)).toBe(await hashOf(directory));
  });

  it.each<[string, Change]>([
    ["an edit", (directory) => writeFiles(directory, { "a.txt": "new" })],
    ["a new file", (directory) => writeFiles(directory, { "new.txt": "" })],
    ["a new file in a new folder", (directory) => writeFiles(directory, { "x/y/z.txt": "1" })],
    ["a deletion", (directory) => unlink(join(directory, "a.txt"))],
    ["a rename", (directory) => rename(join(directory, "a.txt"), join(directory, "c.txt"))],
    ["another mode", (directory) => chmod(join(directory, "a.txt"), 0o755)],
    ["another line end", (directory) => writeFiles(directory, { "a.txt": "one\r\n" })],
    ...["--assume-unchanged", "--skip-worktree"].map((flag): [string, Change] => [
      `an edit behind ${flag}`,
      async (directory) => {
        await git(directory, "update-index", flag, "a.txt");
        await writeFiles(directory, { "a.txt": "new" });
      },
    ]),
  ])("changes with %s", async (_name, change) => {
    const directory = await createRepository();
    const before = await hashOf(directory);
    await change(directory);
    expect(await hashOf(directory)).not.toBe(before);
  });

  it("changes with the content of a file that git does not know yet", async () => {
    const directory = await createRepository();
    await writeFiles(directory, { "new.txt": "aaa" });
    const before = await hashOf(directory);
    await writeFiles(directory, { "new.txt": "bbb" });
    expect(await hashOf(directory)).not.toBe(before);
  });

  it.each<[string, Change]>([
    ["the record", (directory) => writeFiles(directory, { ".gaia/x/log.md": "entry" })],
    ["ignored files", (directory) => writeFiles(directory, { "out/build.js": "x" })],
    ["the same content again", (directory) => writeFiles(directory, { "a.txt": "one" })],
    ["a commit of nothing", (directory) => git(directory, "commit", "-q", "--allow-empty", "-m", "empty")],
    [
      "a file that git is told not to look at",
      (directory) => git(directory, "update-index", "--skip-worktree", "a.txt"),
    ],
    ["a file that git is told to let go of", (directory) => git(directory, "rm", "-q", "--cached", "a.txt")],
  ])("does not change with %s", async (_name, change) => {
    const directory = await createRepository();
    const before = await hashOf(directory);
    await change(directory);
    expect(await hashOf(directory)).toBe(before);
  });

  it.each([
    ["", true],
    ["* text=auto", true],
    ["", false],
  ])(
    "does not change with staging and committing; attributes %j, other commits: %s",
    async (attributes, isBorn) => {
      const directory = isBorn ? await createRepository() : await createProject();
      if (!isBorn) await git(directory, "init", "-q");
      await writeFiles(directory, {
        "a.txt": "new",
        "crlf.txt": "one\r\ntwo\r\n",
        "ünï code/a b.txt": "1",
        "run.sh": "exit 0\n",
        "gone.txt": "1",
        ".gitattributes": attributes,
      });
      await chmod(join(directory, "run.sh"), 0o755);
      await symlink("a.txt", join(directory, "link"));
      if (isBorn) await git(directory, "add", "gone.txt");
      await unlink(join(directory, "gone.txt"));
      const before = await hashOf(directory);
      for (const step of [
        ["add", "-N", "."],
        ["add", "-A"],
        ["commit", "-qm", "all"],
      ]) {
        await git(directory, ...step);
        expect(await hashOf(directory), step.join(" ")).toBe(before);
      }
    },
  );

  it(
    "changes with everything in a submodule, however deep, and not with commits of it there",
    async () => {
      const [inner, middle] = [await createRepository(), await createRepository()];
      const directory = await createRepository();
      const allow = ["-c", "protocol.file.allow=always"];
      await git(middle, ...allow, "submodule", "--quiet", "add", inner, "in");
      await git(middle, "commit", "-qm", "in");
      await git(directory, ...allow, "submodule", "--quiet", "add", middle, "mid");
      await git(directory, ...allow, "submodule", "--quiet", "update", "--init", "--recursive");
      await git(directory, "commit", "-qm", "mid");
      const seen = new Set([await hashOf(directory)]);
      expect(seen).toContain(await hashOf(directory));
      const steps: (() => Promise<unknown>)[] = [
        () => writeFiles(directory, { "mid/a.txt": "changed" }),
        () => writeFiles(directory, { "mid/new.txt": "new" }),
        () => writeFiles(directory, { "mid/new.txt": "newer" }),
        () => writeFiles(directory, { "mid/in/a.txt": "changed" }),
        () => writeFiles(directory, { "mid/in/new.txt": "new" }),
      ];
      for (const [index, step] of steps.entries()) {
        await step();
        const now = await hashOf(directory);
        expect(seen, `step ${index}`).not.toContain(now);
        seen.add(now);
      }
      const before = await hashOf(directory);
      await writeFiles(directory, { "mid/out/x.js": "x" });
      await git(join(directory, "mid/in"), "add", ".");
      for (const folder of ["mid/in", "mid", "."])
        await git(join(directory, folder), "commit", "-qam", "there");
      expect(await hashOf(directory)).toBe(before);
    },
    MANY_CALLS_MS,
  );

  it(
    "changes with a repository inside that is new here, and with what a submodule's own filters would hide",
    async () => {
      const directory = await createRepository();
      await writeFiles(directory, { "own/a.txt": "one" });
      await git(join(directory, "own"), "init", "-q");
      const before = await hashOf(directory);
      await writeFiles(directory, { "own/a.txt": "two" });
      const after = await hashOf(directory);
      expect(after).not.toBe(before);
      await git(join(directory, "own"), "add", ".");
      await git(join(directory, "own"), "commit", "-qm", "own");
      await git(directory, "add", "own");
      await git(directory, "commit", "-qm", "link");
      await git(join(directory, "own"), "config", "filter.x.clean", "touch filtered; cat");
      await writeFiles(directory, { "own/.gitattributes": "* filter=x" });
      const linked = await hashOf(directory);
      await writeFiles(directory, { "own/a.txt": "three" });
      expect(await hashOf(directory)).not.toBe(linked);
      expect(existsSync(join(directory, "own/filtered"))).toBe(false);
    },
    MANY_CALLS_MS,
  );

  it("tells changes behind its bounds apart", async () => {
    const directory = await createRepository();
    const big = "x".repeat(300_000);
    await writeFiles(directory, { "big.txt": `${big}1` });
    const before = await hashOf(directory);
    await writeFiles(directory, { "big.txt": `${big}2` });
    expect(await hashOf(directory)).not.toBe(before);
  });

  it("sees only its own folder of a larger repository, and works before the first commit", async () => {
    const directory = await createProject({ "app/a.txt": "1", "other/b.txt": "1" });
    await git(directory, "init", "-q");
    const app = join(directory, "app");
    const before = await hashOf(app);
    await writeFiles(directory, { "other/b.txt": "2" });
    expect(await hashOf(app)).toBe(before);
    await writeFiles(directory, { "app/a.txt": "2" });
    expect(await hashOf(app)).not.toBe(before);
  });
});

describe.each(["git that does not answer", "none"])("the fingerprint with %s", (kind) => {
  const fingerprint = async (directory: string, signal?: AbortSignal): Promise<string | null> =>
    (kind === "none" ? createNoVcs(directory) : createGit(directory)).fingerprint(signal);

  it("follows names and sizes, and leaves out the record and dependencies", async () => {
    const directory = await createProject({ "a.txt": "one", "sub/b.txt": "two" });
    const first = await fingerprint(directory);
    expect(first).not.toBeNull();
    await writeFiles(directory, { ".gaia/log.md": "x", "node_modules/x/i.js": "x" });
    expect(await fingerprint(directory)).toBe(first);
    await writeFiles(directory, { "sub/b.txt": "three" });
    expect(await fingerprint(directory)).not.toBe(first);
  });

  it("is null for a folder that is gone, and when it is aborted", async () => {
    const directory = await createProject();
    expect(await fingerprint(directory, AbortSignal.abort())).toBeNull();
    await rm(directory, { recursive: true });
    expect(await fingerprint(directory)).toBeNull();
  });
});
