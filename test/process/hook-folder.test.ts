import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readToolCall } from "../../src/host/opencode/tool-call.ts";
import { loadPolicy } from "../../src/policy/policy.ts";
import { findHookFolders } from "../../src/process/git.ts";
import { git } from "../support/directory.ts";

let directory: string;
beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), "gaia-hooks-")));
});
afterEach(async () => rm(directory, { recursive: true }));

const folders = async (): Promise<readonly string[]> => findHookFolders({ worktree: directory, directory });
const use = async (hooks: string): Promise<void> => {
  await git(directory, "init", "-q");
  await git(directory, "config", "core.hooksPath", hooks);
};

it.each([
  [".githooks", ".githooks"],
  [".husky/_", ".husky"],
  ["tools/hooks", "tools/hooks"],
])("core.hooksPath %s makes %s a place that only a person changes", async (hooks, expected) => {
  await use(hooks);
  expect(await folders()).toEqual([join(directory, expected)]);
  const examine = loadPolicy({
    directory,
    own: [],
    dangerous: [],
    allowSensitive: [],
    allow: [],
    runFolders: folders,
  });
  const hook = `${expected}/pre-commit`;
  const edit = readToolCall("write", { filePath: hook, content: "exit 0" });
  expect((await examine("write", edit)).protectedTarget).toMatchObject({ kind: "path" });
  for (const command of [`echo exit 0 > ${hook}`, `rm -r ${expected}`, `cd ${expected} && rm pre-commit`]) {
    const call = readToolCall("bash", { command });
    expect((await examine("bash", call)).protectedTarget, command).not.toBeNull();
  }
  const other = readToolCall("write", { filePath: "src/pre-commit", content: "" });
  expect((await examine("write", other)).protectedTarget).toBeNull();
});

it.each([".", "..", "/"])("core.hooksPath %s closes nobody's project", async (hooks) => {
  await use(hooks);
  expect(await folders()).toEqual([]);
});

it("finds none without git", async () => {
  expect(await folders()).toEqual([]);
});
