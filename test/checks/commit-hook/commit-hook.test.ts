import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type CommitHook,
  findCommitHook,
  installCommitHook,
  removeCommitHook,
} from "../../../src/checks/commit-hook/commit-hook.ts";
import { createProject, git, writeFiles } from "../project.ts";

/** What stands in for the program: it notes where it ran, and passes where the project holds a file `right`. */
const PROGRAM =
  '#!/bin/sh\necho "$1 in $(pwd -P) ${GIT_INDEX_FILE:-without}" >> "$HOME_OF_TEST/ran"\n[ -f right ]\n';

async function createRepository(files: Record<string, string> = {}): Promise<string> {
  const directory = await createProject({ ".gitignore": "node_modules/\nran\n", ...files });
  await git(directory, "init", "-q", "-b", "main");
  await git(directory, "add", ".");
  await git(directory, "commit", "-qm", "first");
  process.env["HOME_OF_TEST"] = directory;
  return directory;
}

async function addProgram(directory: string): Promise<void> {
  await executable(directory, "node_modules/.bin/opencode-gaia", PROGRAM);
}

async function executable(directory: string, path: string, text: string): Promise<void> {
  await writeFiles(directory, { [path]: text });
  await chmod(join(directory, path), 0o755);
}

async function hookOf(directory: string): Promise<CommitHook> {
  const found = await findCommitHook(directory);
  if (found.kind === "none") throw new Error(found.why);
  return found.hook;
}

async function install(directory: string): Promise<CommitHook> {
  await installCommitHook(await hookOf(directory));
  const hook = await hookOf(directory);
  expect(hook.isInstalled).toBe(true);
  return hook;
}

/** Tries a commit. @returns what git and its hooks said, null for one that was made */
const commit = async (directory: string): Promise<string | null> =>
  git(directory, "commit", "-q", "--allow-empty", "-m", "more").then(
    () => null,
    (error: { stderr: string }) => error.stderr,
  );
const ran = async (directory: string): Promise<string> =>
  readFile(join(directory, "ran"), "utf8").catch(() => "");

/** Files of a folder with their texts and modes. */
async function snapshot(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => !name.endsWith(".sample"));
  const entries = names.map(async (name) => {
    const path = join(folder, name);
    const { mode, isDirectory } = await stat(path).then((s) => ({
      mode: s.mode,
      isDirectory: s.isDirectory(),
    }));
    return [name, `${mode & 0o777} ${isDirectory ? "" : await readFile(path, "utf8")}`];
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<string, string>;
}

/** Repositories that look for their hooks in different places, and what stands there before. */
const SHAPES: Readonly<Record<string, () => Promise<{ at: string; hook: string }>>> = {
  plain: async () => {
    const at = await createRepository();
    return { at, hook: join(at, ".git/hooks/pre-commit") };
  },
  "with a hook": async () => {
    const at = await createRepository();
    await executable(at, ".git/hooks/pre-commit", "#!/bin/bash\nset -e\necho mine >> ran\n");
    return { at, hook: join(at, ".git/hooks/pre-commit") };
  },
  "with a hook in another language": async () => {
    const at = await createRepository();
    const text = "#!/usr/bin/env node\nrequire('fs').appendFileSync('ran', 'mine\\n')\n";
    await executable(at, ".git/hooks/pre-commit", text);
    return { at, hook: join(at, ".git/hooks/pre-commit") };
  },
  "with a hook behind a link": async () => {
    const at = await createRepository();
    await executable(at, "scripts/pre", "#!/bin/sh\necho mine >> ran\n");
    await mkdir(join(at, ".git/hooks"), { recursive: true });
    await symlink("../../scripts/pre", join(at, ".git/hooks/pre-commit"));
    return { at, hook: join(at, ".git/hooks/pre-commit") };
  },
  "with hooks of its own": async () => {
    const at = await createRepository();
    await executable(at, ".githooks/pre-commit", "#!/bin/sh\necho mine >> ran\n");
    await git(at, "config", "core.hooksPath", ".githooks");
    return { at, hook: join(at, ".githooks/pre-commit") };
  },
  "with husky": async () => {
    const at = await createRepository();
    await executable(
      at,
      ".husky/_/pre-commit",
      '#!/bin/sh\nsh -e "$(dirname "$(dirname "$0")")/pre-commit"\n',
    );
    await writeFiles(at, { ".husky/pre-commit": "echo mine >> ran\n" });
    await git(at, "config", "core.hooksPath", ".husky/_");
    return { at, hook: join(at, ".husky/pre-commit") };
  },
  "as a linked worktree": async () => {
    const main = await createRepository();
    const at = join(main, "linked");
    await git(main, "worktree", "add", "-q", "-b", "topic", at);
    return { at, hook: join(main, ".git/hooks/pre-commit") };
  },
  "as a submodule": async () => {
    const inner = await createRepository();
    const outer = await createRepository();
    await git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", inner, "inner");
    return { at: join(outer, "inner"), hook: join(outer, ".git/modules/inner/hooks/pre-commit") };
  },
};

describe.each(Object.entries(SHAPES))("a repository %s", (_name, create) => {
  it("has its commits checked, what was there goes on running, and it is as before when that is taken out", async () => {
    const { at, hook } = await create();
    process.env["HOME_OF_TEST"] = at;
    await addProgram(at);
    const folder = dirname(hook);
    const before = await snapshot(folder);
    const runsMore = Object.keys(before).includes("pre-commit");

    expect((await install(at)).path).toBe(hook);
    expect(await commit(at)).toEqual(expect.any(String));
    expect(await ran(at)).toBe(`check in ${at} without\n`);
    await writeFiles(at, { right: "" });
    expect(await commit(at)).toBeNull();
    expect(await ran(at)).toBe(`check in ${at} without\n`.repeat(2) + (runsMore ? "mine\n" : ""));

    // Twice is once.
    await install(at);
    await rm(join(at, "right"));
    expect(await commit(at)).not.toBeNull();
    expect((await ran(at)).match(/^check/gmu)).toHaveLength(3);

    await removeCommitHook(await hookOf(at));
    expect(await snapshot(folder)).toEqual(before);
    expect(await commit(at)).toBeNull();
  });
});

describe("the hook", () => {
  it("says so, and stops the commit, where there is no opencode-gaia", async () => {
    const at = await createRepository();
    await install(at);
    const path = process.env["PATH"];
    process.env["PATH"] = "/usr/bin:/bin";
    expect(await commit(at)).toContain("there is no opencode-gaia here");
    process.env["PATH"] = path;
  });

  it("checks the project in a folder of the repository, and nothing where that is not", async () => {
    const top = await createRepository({ "apps/it's one/a.txt": "a" });
    const at = join(top, "apps/it's one");
    await addProgram(at);
    await install(at);
    expect(await commit(top)).not.toBeNull();
    expect(await ran(top)).toBe(`check in ${at} without\n`);
    await rm(at, { recursive: true });
    expect(await commit(top)).toBeNull();
  });

  it("runs no hook that git did not run before", async () => {
    const at = await createRepository();
    await writeFiles(at, { ".git/hooks/pre-commit": "#!/bin/sh\necho mine >> ran\n", right: "" });
    await chmod(join(at, ".git/hooks/pre-commit"), 0o644);
    await addProgram(at);
    await install(at);
    expect(await commit(at)).toBeNull();
    expect(await ran(at)).toBe(`check in ${at} without\n`);
    await removeCommitHook(await hookOf(at));
    expect((await stat(join(at, ".git/hooks/pre-commit"))).mode & 0o777).toBe(0o644);
  });

  it("is run where a file lies in the place of hooks that git would not run", async () => {
    const at = await createRepository();
    await writeFiles(at, { ".husky/pre-commit": "#!/bin/sh\necho mine >> ran\n", right: "" });
    await git(at, "config", "core.hooksPath", ".husky");
    await addProgram(at);
    await install(at);
    expect(await commit(at)).toBeNull();
    expect(await ran(at)).toBe(`check in ${at} without\n`);
  });

  it("counts as installed only while git runs it, and is made to run again", async () => {
    const at = await createRepository();
    await addProgram(at);
    await install(at);
    await chmod(join(at, ".git/hooks/pre-commit"), 0o644);
    expect((await hookOf(at)).isInstalled).toBe(false);
    await install(at);
    expect((await hookOf(at)).isInstalled).toBe(true);
    expect(await commit(at)).toEqual(expect.any(String));
  });

  it("goes into no folder of hooks that other repositories use too, and nowhere without git", async () => {
    const at = await createRepository();
    const others = await createProject();
    await git(at, "config", "core.hooksPath", others);
    expect(await findCommitHook(at)).toMatchObject({
      kind: "none",
      why: expect.stringContaining(others),
    });
    expect(await findCommitHook(others)).toMatchObject({ kind: "none" });
  });
});

const PRE_COMMIT =
  '#!/bin/sh\n# File generated by pre-commit: https://pre-commit.com\nlegacy="$(dirname "$0")/pre-commit.legacy"\n' +
  'if [ -x "$legacy" ]; then "$legacy" || exit 1; fi\necho mine >> ran\n';

describe("a hook that a manager writes anew", () => {
  it.each([
    ["#!/bin/sh\ncall_lefthook() { :; }\n", "lefthook writes", "lefthook.yml"],
    [
      '#!/bin/sh\n\nif [ "$SKIP_SIMPLE_GIT_HOOKS" = "1" ]; then exit 0; fi\n',
      "simple-git-hooks",
      "package.json",
    ],
    [PRE_COMMIT, "pre-commit writes", ".pre-commit-config.yaml"],
  ])("is left to it, with what to write where", async (text, ...words) => {
    const at = await createRepository();
    await executable(at, ".git/hooks/pre-commit", text);
    const found = await findCommitHook(at);
    for (const word of words)
      expect(found).toMatchObject({ kind: "none", why: expect.stringContaining(word) });
  });

  it("is found where pre-commit goes on running it, however often that is installed", async () => {
    const at = await createRepository();
    await addProgram(at);
    await install(at);
    const hook = join(at, ".git/hooks/pre-commit");
    await rename(hook, `${hook}.legacy`);
    await executable(at, ".git/hooks/pre-commit", PRE_COMMIT);
    expect((await hookOf(at)).isInstalled).toBe(true);
    expect(await commit(at)).toEqual(expect.any(String));
    await writeFiles(at, { right: "" });
    expect(await commit(at)).toBeNull();
    expect(await ran(at)).toBe(`${`check in ${at} without\n`.repeat(2)}mine\n`);
    await removeCommitHook(await hookOf(at));
    expect(await commit(at)).toBeNull();
    expect(await ran(at)).toBe(`${`check in ${at} without\n`.repeat(2)}mine\nmine\n`);
  });
});
