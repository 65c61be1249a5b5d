import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorkplaces, type Workplace } from "../../src/work-tree/workplace.ts";
import { readToolCall } from "../../src/host/opencode/tool-call.ts";
import { steadyClock } from "../../src/lib/async.ts";
import type { Examination } from "../../src/policy/examination.ts";

let root: string;
let from: string;
let to: string;
let workplace: Workplace;
beforeEach(async () => {
  // Below no temporary folder as the policy knows them, in which everything may be written.
  root = await realpath(await mkdtemp(join(dirname(tmpdir()), "gaia-workplace-")));
  from = join(root, "project");
  to = join(root, ".local/share/opencode-gaia/worktree/key/lanes/unit/1");
  await Promise.all([mkdir(from), mkdir(to, { recursive: true })]);
  await writeFile(join(from, "a.txt"), "");
  await symlink(join(from, "a.txt"), join(to, "link.txt"));
  const shell = () => "/bin/bash";
  const open = createWorkplaces({
    host: { directory: from, project: from },
    policy: {
      dangerous: [],
      allow: [],
      allowSensitive: [],
      runFolders: async () => [join(from, "tools/hooks")],
    },
    containment: { environment: process.env, clock: steadyClock, shell, writable: [], allowSensitive: [] },
  });
  workplace = open(from, to);
});
afterEach(async () => rm(root, { recursive: true, force: true }));

const look = async (tool: string, args: object): Promise<Examination> =>
  workplace.examine(tool, readToolCall(tool, args));

describe("a workplace", () => {
  it("takes the worktree for the project and the user's tree for what lies outside", async () => {
    const effects = async (tool: string, ...all: object[]): Promise<string[]> =>
      Promise.all(all.map(async (args) => (await look(tool, args)).effect));
    const write = (filePath: string): object => ({ filePath, content: "x" });
    expect(
      await effects(
        "write",
        write(join(to, "a.txt")),
        write(join(from, "a.txt")),
        write(join(to, "link.txt")),
      ),
    ).toEqual(["project", "outside", "outside"]);
  });

  it("keeps what only a person changes and what may hold secrets", async () => {
    for (const name of [
      "opencode.json",
      ".gaia/config.jsonc",
      ".opencode/plugin/a.js",
      ".git/hooks/pre-commit",
      // A path of hooks that is relative means each worktree's own.
      "tools/hooks/pre-commit",
    ])
      expect([
        name,
        (await look("write", { filePath: join(to, name), content: "" })).protectedTarget?.kind,
      ]).toEqual([name, "path"]);
    // What lies beside the worktrees decides what git does in them, and what a landing does with the user's tree.
    for (const name of [
      "landing-0123456789ab.json",
      "store.git/config",
      "store.git/hooks/post-commit",
      "lanes",
    ])
      expect([
        name,
        (await look("write", { filePath: join(to, "../../..", name), content: "" })).protectedTarget?.kind,
        (await look("bash", { command: `echo x > ../../../${name}`, workdir: to })).protectedTarget?.kind,
      ]).toEqual([name, "path", "path"]);
    expect((await look("read", { filePath: join(to, ".env") })).secret).not.toBeNull();
    expect((await look("read", { filePath: join(to, "a.txt") })).secret).toBeNull();
    const around = join(root, ".local/share/opencode-gaia/worktree/../panel.key");
    expect((await look("read", { filePath: around })).secret).not.toBeNull();
    expect(
      (
        await look("bash", {
          command: `cat ${join(root, ".local/share/opencode-gaia/panel.key")}`,
          workdir: to,
        })
      ).secret,
    ).not.toBeNull();
  });
});
