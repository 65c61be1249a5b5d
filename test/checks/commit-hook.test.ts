import { chmod, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findCommitHook, installCommitHook, removeCommitHook } from "../../src/checks/commit-hook.ts";
import { createProject, git, writeFiles } from "./project.ts";

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
  await writeFiles(directory, { "node_modules/.bin/opencode-gaia": PROGRAM });
  await chmod(join(directory, "node_modules/.bin/opencode-gaia"), 0o755);
}

async function hookOf(directory: string) {
  const found = await findCommitHook(directory);
  if (found.kind === "none") throw new Error(found.why);
  return found.hook;
}

/** Tries a commit. @returns whether it was made */
const commit = async (directory: string): Promise<boolean> =>
  git(directory, "commit", "-q", "--allow-empty", "-m", "more").then(
    () => true,
    () => false,
  );
const ran = async (directory: string): Promise<string> =>
  readFile(join(directory, "ran"), "utf8").catch(() => "");

const SHAPES: Readonly<Record<string, () => Promise<string>>> = {
  plain: createRepository,
  "as a linked worktree": async () => {
    const main = await createRepository();
    await git(main, "worktree", "add", "-q", "-b", "topic", join(main, "linked"));
    return join(main, "linked");
  },
  "as a submodule": async () => {
    const inner = await createRepository();
    const outer = await createRepository();
    await git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", inner, "inner");
    return join(outer, "inner");
  },
};

describe.each(Object.entries(SHAPES))("a repository %s", (_name, create) => {
  it("has its commits checked until the hook is taken out", async () => {
    const at = await create();
    process.env["HOME_OF_TEST"] = at;
    await addProgram(at);
    await installCommitHook(await hookOf(at));
    expect((await hookOf(at)).isInstalled).toBe(true);
    expect(await commit(at)).toBe(false);
    await writeFiles(at, { right: "" });
    expect(await commit(at)).toBe(true);
    expect(await ran(at)).toBe(`check in ${at} without\n`.repeat(2));

    await removeCommitHook(await hookOf(at));
    await rm(join(at, "right"));
    expect((await hookOf(at)).isInstalled).toBe(false);
    expect(await commit(at)).toBe(true);
  });
});
