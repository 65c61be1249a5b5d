import { readdir, readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { applyChanges, planInit } from "../../../src/cli/init/plan.ts";
import { readOwnPackage } from "../../../src/cli/own-package.ts";
import { uninstall as command } from "../../../src/cli/uninstall.ts";
import { describeError } from "../../../src/lib/error.ts";
import { readCases } from "../../support/cases.ts";
import { writeIn } from "../../support/directory.ts";
import { openFolder } from "../../support/folder.ts";

const own = await readOwnPackage();
let root: string;
let project: string;

beforeEach(async () => {
  root = await openFolder();
  project = join(root, "project");
  await put("project/.git/HEAD", "ref: refs/heads/main\n");
  await put("home/.config/opencode/notes.md", "mine\n");
  // Where `homedir` looks as well.
  vi.stubEnv("HOME", join(root, "home"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
});

const put = async (path: string, text: string): Promise<string> => writeIn(root, path, text);

/** Every file and empty folder of the project and the home, with what it holds. */
async function everything(): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    entries.map(async (entry): Promise<[string, string]> => {
      const path = join(entry.parentPath, entry.name);
      return [relative(root, path), entry.isFile() ? await readFile(path, "utf8") : "folder"];
    }),
  );
  return Object.fromEntries(files);
}

async function init(scope: "project" | "global"): Promise<void> {
  const userFolder = join(root, "home/.config/opencode");
  await applyChanges((await planInit({ scope, directory: project, userFolder, own })).changes);
}

async function uninstall(options: { isGlobal?: boolean } = {}): Promise<string> {
  const lines: string[] = [];
  const environment = {
    HOME: join(root, "home"),
    XDG_CONFIG_HOME: join(root, "home/.config"),
    XDG_DATA_HOME: join(root, "home/data"),
    XDG_CACHE_HOME: join(root, "home/cache"),
  };
  const args = options.isGlobal ? ["--global"] : [];
  const at = { print: (line: string) => lines.push(line), confirm: async () => false };
  const code = await command.run(args, { ...at, from: project, environment });
  expect(code).toBe(0);
  return lines.join("\n");
}

const FILES: readonly string[] = readCases<string>("cli/uninstall/uninstall.files");

describe("uninstall", () => {
  it.each(["project", "global"] as const)(
    "leaves nothing behind init where nothing was: %s",
    async (scope) => {
      await put("project/package.json", '{ "devDependencies": { "prettier": "3" } }');
      const before = await everything();
      await init(scope);
      expect(await everything()).not.toEqual(before);
      await uninstall({ isGlobal: scope === "global" });
      expect(await everything()).toEqual(before);
    },
  );

  it.each(FILES)("leaves files as they were before init: %j", async (text) => {
    await put("project/opencode.jsonc", text);
    await put("project/tui.json", text);
    const before = await everything();
    await init("project");
    expect(await everything()).not.toEqual(before);
    const told = await uninstall();
    expect(told).toContain("project/tui.json: lists the plugin no more");
    expect(await everything()).toEqual(before);
    expect(await uninstall()).toContain("Nothing of GAIA's is there.");
  });

  it("leaves the project's own folder, also where nothing is left in it", async () => {
    await rm(join(project, ".git"), { recursive: true });
    await init("project");
    await uninstall();
    expect(await readdir(project)).toEqual([]);
  });

  it("takes out entries with options, and keeps those of others", async () => {
    await put(
      "project/opencode.json",
      '{ "plugin": [["opencode-gaia", { "mode": "locked" }], "other", "opencode-gaia@1", "./gone/opencode-gaia"] }',
    );
    await uninstall();
    expect((await everything())["project/opencode.json"]).toBe('{ "plugin": ["other"] }');
  });

  it("leaves the record, and says so", async () => {
    await init("project");
    await put("project/.gaia/unit/plan.md", "# Plan\n");
    const before = await everything();
    expect(await uninstall()).toContain(`left: ${project}/.gaia, your record and settings`);
    const { ["project/opencode.json"]: _, ["project/tui.json"]: __, ...kept } = before;
    expect(await everything()).toEqual(kept);
  });

  it("takes out what is the user's own only with --global, and names it before", async () => {
    await init("global");
    await put("home/data/opencode-gaia/trust.json", "{}");
    await put("home/data/opencode-gaia/worktree/1a/lanes/unit/1/a.ts", "work\n");
    await put("home/cache/opencode-gaia/containment/x", "");
    await put("home/.config/opencode/gaia-knowledge/a.md", "mine\n");
    expect(await uninstall()).toContain(
      "which holds for all your projects: opencode-gaia uninstall --global",
    );
    const told = await uninstall({ isGlobal: true });
    const left = Object.keys(await everything());
    expect(left).not.toContain("home/data/opencode-gaia/trust.json");
    expect(left).not.toContain("home/cache/opencode-gaia");
    expect(left).toContain("home/data/opencode-gaia/worktree/1a/lanes/unit/1/a.ts");
    expect(told).toContain("work that has not landed");
    expect(told).toContain("gaia-knowledge, your knowledge");
  });

  it("changes nothing while a file is broken, and says where", async () => {
    await put("project/opencode.json", '{ "plugin": ["opencode-gaia"] }');
    await put("project/tui.json", '{ "plugin": [');
    const before = await everything();
    await expect(uninstall().catch((error: unknown) => describeError(error))).resolves.toContain(
      "tui.json:1:",
    );
    expect(await everything()).toEqual(before);
  });
});
