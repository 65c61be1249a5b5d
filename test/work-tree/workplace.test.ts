import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorkplaces, type Workplace } from "../../src/work-tree/workplace.ts";
import { readToolCall } from "../../src/host/opencode/tool-call.ts";
import { steadyClock } from "../../src/lib/async.ts";

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

const look = async (tool: string, args: object) => workplace.examine(tool, readToolCall(tool, args));

describe("a workplace", () => {
  it("takes the worktree for the project and the user's tree for what lies outside", async () => {
    const files = [join(to, "a.txt"), join(from, "a.txt"), join(to, "link.txt")];
    const looks = files.map(async (filePath) => look("write", { filePath, content: "x" }));
    const effects = (await Promise.all(looks)).map(({ effect }) => effect);
    expect(effects).toEqual(["project", "outside", "outside"]);
  });

  it("keeps what only a person changes and what may hold secrets", async () => {
    const kindOf = async (tool: string, args: object) => (await look(tool, args)).protectedTarget?.kind;
    const secretIn = async (tool: string, args: object) => (await look(tool, args)).secret;
    for (const name of [
      "opencode.json",
      ".gaia/config.jsonc",
      ".opencode/plugin/a.js",
      ".git/hooks/pre-commit",
      // A path of hooks that is relative means each worktree's own.
      "tools/hooks/pre-commit",
    ])
      expect(await kindOf("write", { filePath: join(to, name), content: "" }), name).toBe("path");
    // What lies beside the worktrees decides what git does in them, and what a landing does with the user's tree.
    const beside = ["landing-0123456789ab.json", "store.git/config", "store.git/hooks/post-commit", "lanes"];
    for (const name of beside) {
      expect(await kindOf("write", { filePath: join(to, "../../..", name), content: "" }), name).toBe("path");
      const command = `echo x > ../../../${name}`;
      expect(await kindOf("bash", { command, workdir: to }), name).toBe("path");
    }
    expect(await secretIn("read", { filePath: join(to, ".env") })).not.toBeNull();
    expect(await secretIn("read", { filePath: join(to, "a.txt") })).toBeNull();
    const own = join(root, ".local/share/opencode-gaia");
    expect(await secretIn("read", { filePath: join(own, "worktree/../panel.key") })).not.toBeNull();
    const command = `cat ${join(own, "panel.key")}`;
    expect(await secretIn("bash", { command, workdir: to })).not.toBeNull();
  });
});
