import { readdir, readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { applyChanges, planInit } from "../../../src/cli/init/plan.ts";
import { readOwnPackage } from "../../../src/cli/own-package.ts";
import { uninstall as command } from "../../../src/cli/uninstall.ts";
import { describeError } from "../../../src/lib/error.ts";
import { readCases } from "../../support/cases.ts";
import { openPlace, type Place } from "../place.ts";

const own = await readOwnPackage();
let place: Place;

beforeEach(async () => {
  place = await openPlace({ "user/opencode/notes.md": "mine\n" });
  // Where `homedir` looks as well.
  vi.stubEnv("HOME", join(place.root, "home"));
});

/** Every file and empty folder of the project and the home, with what it holds. */
async function everything(): Promise<Record<string, string>> {
  const entries = await readdir(place.root, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    entries.map(async (entry): Promise<[string, string]> => {
      const path = join(entry.parentPath, entry.name);
      return [relative(place.root, path), entry.isFile() ? await readFile(path, "utf8") : "folder"];
    }),
  );
  return Object.fromEntries(files);
}

async function init(scope: "project" | "global"): Promise<void> {
  const userFolder = join(place.root, "user/opencode");
  await applyChanges((await planInit({ scope, directory: place.project, userFolder, own })).changes);
}

async function uninstall(args = ""): Promise<string> {
  const [code, text] = await place.run(command, args);
  expect(code).toBe(0);
  return text;
}

describe("uninstall", () => {
  it.each(["project", "global"] as const)(
    "leaves nothing behind init where nothing was: %s",
    async (scope) => {
      await place.put("project/package.json", '{ "devDependencies": { "prettier": "3" } }');
      const before = await everything();
      await init(scope);
      expect(await everything()).not.toEqual(before);
      await uninstall(scope === "global" ? "--global" : "");
      expect(await everything()).toEqual(before);
    },
  );

  it.each(readCases<string>("cli/uninstall/uninstall.files"))(
    "leaves files as they were before init: %j",
    async (text) => {
      await place.put("project/opencode.jsonc", text);
      await place.put("project/tui.json", text);
      const before = await everything();
      await init("project");
      expect(await everything()).not.toEqual(before);
      const told = await uninstall();
      expect(told).toContain("project/tui.json: lists the plugin no more");
      expect(await everything()).toEqual(before);
      expect(await uninstall()).toContain("Nothing of GAIA's is there.");
    },
  );

  it("leaves the project's own folder, also where nothing is left in it", async () => {
    await rm(join(place.project, ".git"), { recursive: true });
    await init("project");
    await uninstall();
    expect(await readdir(place.project)).toEqual([]);
  });

  it("takes out entries with options, and keeps those of others", async () => {
    await place.put(
      "project/opencode.json",
      '{ "plugin": [["opencode-gaia", { "mode": "locked" }], "other", "opencode-gaia@1", "./gone/opencode-gaia"] }',
    );
    await uninstall();
    expect((await everything())["project/opencode.json"]).toBe('{ "plugin": ["other"] }');
  });

  it("names the package that a folder above has", async () => {
    await place.put("project/node_modules/opencode-gaia/package.json", "{}");
    await place.put("project/packages/one/opencode.json", '{ "plugin": ["opencode-gaia"] }');
    const [, text] = await place.run(command, "", true, join(place.project, "packages/one"));
    expect(text).toContain(`npm uninstall opencode-gaia in ${place.project}`);
  });

  it("leaves the record, and says so", async () => {
    await place.put("project/package.json", "{}");
    await init("project");
    await place.put("project/.gaia/unit/plan.md", "# Plan\n");
    const before = await everything();
    expect(await uninstall()).toContain(`left: ${place.project}/.gaia, your record and settings`);
    const { ["project/opencode.json"]: _, ["project/tui.json"]: __, ...rest } = before;
    const { ["project/.gaia/config.jsonc"]: ___, ...kept } = rest;
    expect(kept).toHaveProperty(["project/.gaia/.npmignore"]);
    expect(await everything()).toEqual(kept);
  });

  it("takes out what is the user's own only with --global, and names it before", async () => {
    await init("global");
    await place.put("data/opencode-gaia/trust.json", "{}");
    await place.put("data/opencode-gaia/worktree/1a/lanes/unit/1/a.ts", "work\n");
    await place.put("cache/opencode-gaia/containment/x", "");
    expect(await uninstall()).toContain(
      "which holds for all your projects: opencode-gaia uninstall --global",
    );
    const told = await uninstall("--global");
    const left = Object.keys(await everything());
    expect(left).not.toContain("data/opencode-gaia/trust.json");
    expect(left).not.toContain("cache/opencode-gaia");
    expect(left).toContain("data/opencode-gaia/worktree/1a/lanes/unit/1/a.ts");
    expect(told).toContain("work that has not landed");
  });

  it("changes nothing while a file is broken, and says where", async () => {
    await place.put("project/opencode.json", '{ "plugin": ["opencode-gaia"] }');
    await place.put("project/tui.json", '{ "plugin": [');
    const before = await everything();
    await expect(uninstall().catch((error: unknown) => describeError(error))).resolves.toContain(
      "tui.json:1:",
    );
    expect(await everything()).toEqual(before);
  });
});
