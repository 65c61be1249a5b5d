import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { readToolCall } from "../../src/host/opencode/tool-call.ts";
import { loadPolicy } from "../../src/policy/policy.ts";
import { findHookFolders } from "../../src/process/git.ts";
import { git, openFolder } from "../support/directory.ts";

let directory: string;
beforeEach(async () => {
  directory = await openFolder();
});

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
  const settings = { directory, own: [], dangerous: [], allowSensitive: [], allow: [], runFolders: folders };
  const target = async (tool: string, args: object) =>
    (await loadPolicy(settings)(tool, readToolCall(tool, args))).protectedTarget;
  const hook = `${expected}/pre-commit`;
  expect(await target("write", { filePath: hook, content: "exit 0" })).toMatchObject({ kind: "path" });
  for (const command of [`echo exit 0 > ${hook}`, `rm -r ${expected}`, `cd ${expected} && rm pre-commit`])
    expect(await target("bash", { command }), command).not.toBeNull();
  expect(await target("write", { filePath: "src/pre-commit", content: "" })).toBeNull();
});

it.each([".", "..", "/"])("core.hooksPath %s closes nobody's project", async (hooks) => {
  await use(hooks);
  expect(await folders()).toEqual([]);
});

it("finds none without git", async () => {
  expect(await folders()).toEqual([]);
});
