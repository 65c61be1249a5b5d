import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { knownAgents } from "../../../src/agents/registry.ts";
import { applyChanges, type InitPlan, planInit } from "../../../src/cli/init/plan.ts";
import { readOwnPackage } from "../../../src/cli/own-package.ts";
import { describeError } from "../../../src/lib/error.ts";
import { loadConfig } from "../../../src/config/loader.ts";
import { writeIn } from "../../support/directory.ts";
import { openFolder } from "../../support/folder.ts";

const own = await readOwnPackage();
let root: string;
let project: string;
let user: string;

beforeEach(async () => {
  root = await openFolder();
  project = join(root, "project");
  user = join(root, "user");
  await put("project/.git/HEAD", "ref: refs/heads/main\n");
});

const put = async (path: string, text: string): Promise<string> => writeIn(root, path, text);

async function text(path: string): Promise<string> {
  return readFile(join(root, path), "utf8");
}

async function plan(scope: "project" | "global" = "project"): Promise<InitPlan> {
  return planInit({ scope, directory: project, userFolder: user, own });
}

async function init(scope: "project" | "global" = "project"): Promise<InitPlan> {
  const made = await plan(scope);
  await applyChanges(made.changes);
  return made;
}

describe("init in a project", () => {
  it("keeps .gaia/ out of the project's tools", async () => {
    await put("project/package.json", '{ "devDependencies": { "prettier": "3" } }');
    await init();
    expect(await text("project/.gaia/.npmignore")).toBe("*\n");
    expect(await text("project/.gaia/.prettierrc")).toContain("requirePragma");
    expect((await plan()).changes).toEqual([]);
  });

  it("leaves alone what leads nowhere and is not its own", async () => {
    await put("project/opencode.json", '{ "plugin": ["./gone/something-else"] }');
    await init();
    expect(JSON.parse(await text("project/opencode.json"))).toEqual({
      plugin: ["./gone/something-else", own.folder],
    });
  });

  it("makes both files where there is none, and changes nothing the second time", async () => {
    await init();
    expect(JSON.parse(await text("project/opencode.json"))).toEqual({
      $schema: "https://opencode.ai/config.json",
      plugin: [own.folder],
    });
    expect(JSON.parse(await text("project/tui.json"))).toEqual({
      $schema: "https://opencode.ai/tui.json",
      plugin: [own.folder],
    });
    expect(await text("project/.gaia/config.jsonc")).toContain('"$schema": "file://');
    const again = await init();
    expect(again.changes).toEqual([]);
    expect(again.kept).toHaveLength(3);
  });

  it("refers to the copy in the project's own node_modules, and to its schema", async () => {
    await mkdir(join(project, "node_modules"), { recursive: true });
    await symlink(own.folder, join(project, "node_modules/opencode-gaia"));
    await init();
    expect(JSON.parse(await text("project/opencode.json"))).toMatchObject({
      plugin: ["./node_modules/opencode-gaia"],
    });
    expect(await text("project/.gaia/config.jsonc")).toContain(
      '"$schema": "../node_modules/opencode-gaia/dist/gaia.schema.json"',
    );
    expect((await init()).changes).toEqual([]);
  });

  it.each([
    ["its name", "opencode.json", '{"plugin": ["opencode-gaia"]}'],
    ["its name with a version", "opencode.jsonc", '{"plugin": ["x", "opencode-gaia@0.1.0"]}'],
    ["a tuple with options", "opencode.json", '{"plugin": [["opencode-gaia", {"mode": "locked"}]]}'],
    ["a path", "opencode.json", JSON.stringify({ plugin: [own.folder] })],
    [
      "a path to its entry",
      "opencode.json",
      JSON.stringify({ plugin: [`file://${own.folder}/src/index.ts`] }),
    ],
    ["what `opencode plugin` wrote", ".opencode/opencode.json", '{"plugin": ["opencode-gaia"]}'],
  ])("finds itself listed already: %s", async (_name, file, content) => {
    const path = await put(`project/${file}`, content);
    const { changes, kept } = await init();
    expect(kept).toEqual([{ path, what: "lists the plugin already" }]);
    expect(changes.map((change) => change.path)).toEqual(
      ["tui.json", ".gaia/config.jsonc"].map((name) => join(project, name)),
    );
    expect(await readFile(path, "utf8")).toBe(content);
  });

  it("adds the panel to a tui.json of the user's, and finds it there the second time", async () => {
    await put("project/tui.jsonc", '{\n  // mine\n  "theme": "nord", // dark\n  "plugin": ["./x.tsx"]\n}\n');
    await init();
    const after = `{\n  // mine\n  "theme": "nord", // dark\n  "plugin": ["./x.tsx", ${JSON.stringify(own.folder)}]\n}\n`;
    expect(await text("project/tui.jsonc")).toBe(after);
    await init();
    expect(await text("project/tui.jsonc")).toBe(after);
  });

  it("lets OpenCode move what is kept in an old opencode.json before it makes a tui.json", async () => {
    await put("project/opencode.json", '{"theme": "nord", "keybinds": {"leader": "ctrl+x"}}');
    const { kept } = await init();
    expect(kept).toEqual([
      { path: join(project, "tui.json"), what: expect.stringContaining("move theme, keybinds there") },
    ]);
    await expect(text("project/tui.json")).rejects.toThrow("ENOENT");
    await put("project/tui.json", '{"theme": "nord"}');
    await init();
    expect(JSON.parse(await text("project/tui.json"))).toEqual({ theme: "nord", plugin: [own.folder] });
  });

  it("finds itself in a folder above, and in the user's own file", async () => {
    const file = await put("user/opencode.jsonc", '{"plugin": ["opencode-gaia"]} // all projects');
    expect((await plan()).kept[0]?.path).toBe(file);
    const above = await put("project/opencode.json", '{"plugin": ["opencode-gaia"]}');
    project = join(project, "packages/one");
    await mkdir(project, { recursive: true });
    expect((await plan()).kept[0]?.path).toBe(above);
  });

  it("makes no .gaia that hides the one above it in the repository", async () => {
    const above = await put("project/.gaia/config.jsonc", '{ "mode": "autopilot" }');
    project = join(project, "packages/one");
    await mkdir(project, { recursive: true });
    await put("project/packages/one/package.json", "{}");
    const { kept } = await init();
    expect(kept).toContainEqual({ path: above, what: "is there already" });
    expect(existsSync(join(project, ".gaia"))).toBe(false);
    // One of its own stays its own.
    await put("project/packages/one/.gaia/config.jsonc", '{ "root": true }');
    expect((await plan()).kept.at(-1)?.path).toBe(join(project, ".gaia/config.jsonc"));
  });

  it("is not taken in by a package of a similar name", async () => {
    await put(
      "project/opencode.json",
      '{"plugin": ["opencode-gaia-theme", "@me/opencode-gaia", "./plugin.ts"]}',
    );
    await init();
    expect(JSON.parse(await text("project/opencode.json"))).toEqual({
      plugin: ["opencode-gaia-theme", "@me/opencode-gaia", "./plugin.ts", own.folder],
    });
  });

  it.each([
    ["the one that has plugins", '{"plugin": ["x"]}', "{}", "opencode.json"],
    ["else the one with comments", "{}", "{}", "opencode.jsonc"],
  ])("with opencode.json and opencode.jsonc edits %s", async (_name, json, jsonc, edited) => {
    await put("project/opencode.json", json);
    await put("project/opencode.jsonc", jsonc);
    expect((await plan()).changes[0]?.path).toBe(join(project, edited));
  });

  it("keeps keys that are out of date, and a configuration of GAIA under its other name", async () => {
    await put("project/opencode.json", '{"autoshare": true, "mode": {"x": {}}, "layout": "stretch"}');
    await put("project/.gaia/config.json", "{}");
    const { kept } = await init();
    expect(await text("project/opencode.json")).toMatch(
      /^\{"autoshare": true, "mode": \{"x": \{\}\}, "layout"/,
    );
    expect(kept).toEqual([{ path: join(project, ".gaia/config.json"), what: "is there already" }]);
  });
});

describe("init for all projects", () => {
  it("writes into OpenCode's own folder, whatever the project says", async () => {
    await put("project/opencode.json", '{"plugin": ["opencode-gaia"]}');
    await init("global");
    expect(JSON.parse(await text("user/opencode.json"))).toMatchObject({ plugin: [own.folder] });
    expect(await text("user/gaia.jsonc")).toContain("$schema");
  });
});

describe("a file that cannot be edited", () => {
  it.each([
    ["a syntax error", '{\n  "plugin": ["x"\n}', /opencode\.json:\d:\d+: .*Nothing was changed/],
    ["a list that is none", '{ "plugin": "x" }', /opencode\.json:1:13: "plugin" is not a list/],
    ["bytes that are not UTF-8", "\xE9", /opencode\.json:1: not UTF-8/],
  ])("stays as it is, and says where: %s", async (_name, content, message) => {
    const file = await put("project/opencode.json", "");
    await writeFile(file, Buffer.from(content, "latin1"));
    expect(describeError(await init().catch((error: unknown) => error))).toMatch(message);
    expect(await readFile(file, "latin1")).toBe(content);
    await expect(text("project/.gaia/config.jsonc")).rejects.toThrow("ENOENT");
  });

  it("is left alone when it is read-only, and so is everything else", async () => {
    const file = await put("project/opencode.json", "{}");
    await chmod(file, 0o444);
    await expect(init()).rejects.toThrow(/opencode\.json is read-only, so nothing was changed/);
    expect(await readFile(file, "utf8")).toBe("{}");
    await expect(text("project/.gaia/config.jsonc")).rejects.toThrow("ENOENT");
  });

  it("is not overwritten when somebody saves it meanwhile", async () => {
    const file = await put("project/opencode.json", "{}");
    const { changes } = await plan();
    await writeFile(file, '{ "model": "saved/just-now" }');
    await expect(applyChanges(changes)).rejects.toThrow(/changed by somebody else/);
    expect(await readFile(file, "utf8")).toBe('{ "model": "saved/just-now" }');
  });

  it("is changed behind its link, which stays a link", async () => {
    const real = await put("dotfiles/opencode.json", '{ "model": "a/b" }');
    await mkdir(user);
    await symlink(real, join(user, "opencode.json"));
    await init("global");
    expect(await readlink(join(user, "opencode.json"))).toBe(real);
    expect(await readFile(real, "utf8")).toBe(
      `{ "model": "a/b", "plugin": [${JSON.stringify(own.folder)}] }`,
    );
  });
});

describe("the starter configuration", () => {
  it("is valid as it is, and with every example uncommented", async () => {
    await init();
    const file = join(project, ".gaia/config.jsonc");
    const load = async () =>
      loadConfig({
        userConfigDir: user,
        projectDirectory: project,
        knownAgents: knownAgents([]),
        restrain: (_file, written) => written,
      });
    expect((await load()).problems).toEqual([]);
    const starter = await readFile(file, "utf8");
    await writeFile(file, starter.replaceAll(/^( *)\/\/ (?=["}\] ])/gm, "$1"));
    const { config, problems } = await load();
    expect(problems).toEqual([]);
    expect(config.definitionOfDone?.checks).toHaveLength(2);
    expect(config.agents["poseidon"]).toEqual({ disabled: true });
  });
});
