import { chmod, mkdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { knownAgents } from "../../../src/agents/registry.ts";
import { applyChanges, planInit } from "../../../src/cli/init/plan.ts";
import { readOwnPackage } from "../../../src/cli/own-package.ts";
import { describeError } from "../../../src/lib/error.ts";
import { loadConfig } from "../../../src/config/loader.ts";
import { openPlace, type Place } from "../place.ts";

const own = await readOwnPackage();
let put: Place["put"];
let text: Place["read"];
let project: string;
let user: string;

beforeEach(async () => {
  const place = await openPlace();
  ({ put, read: text, project } = place);
  user = join(place.root, "user");
});

async function plan(scope: "project" | "global" = "project") {
  return planInit({ scope, directory: project, userFolder: user, own });
}

async function init(scope: "project" | "global" = "project") {
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

  it("replaces entries of its own that lead nowhere, and takes them out beside one that leads here", async () => {
    const moved = '["./gone/opencode-gaia", { "mode": "locked" }]';
    const file = (entries: string): string => `{\n  "plugin": [${entries}] // mine\n}\n`;
    await put("project/opencode.jsonc", file(`"x", ${moved}, "y", "/gone/opencode-gaia/dist/index.js"`));
    await put("project/tui.json", file(`${JSON.stringify(own.folder)}, "/gone/opencode-gaia"`));
    await init();
    const here = JSON.stringify(own.folder);
    expect(await text("project/opencode.jsonc")).toBe(file(`"x", [${here}, { "mode": "locked" }], "y"`));
    expect(await text("project/tui.json")).toBe(file(here));
    expect((await plan()).changes).toEqual([]);
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

  it("adds the panel to a tui.json of the user's, and finds it there the second time", async () => {
    await put("project/tui.jsonc", '{\n  // mine\n  "theme": "nord", // dark\n  "plugin": ["./x.tsx"]\n}\n');
    await init();
    const after = `{\n  // mine\n  "theme": "nord", // dark\n  "plugin": ["./x.tsx", ${JSON.stringify(own.folder)}]\n}\n`;
    expect(await text("project/tui.jsonc")).toBe(after);
    await init();
    expect(await text("project/tui.jsonc")).toBe(after);
  });

  it.each([
    ['["opencode-gaia"]', [own.folder]],
    ['["opencode-gaia@0.0.9"]', [own.folder]],
    ['["other", ["opencode-gaia", { "mode": "locked" }]]', ["other", [own.folder, { mode: "locked" }]]],
  ])("puts a copy in the place of a name that leads nowhere: %s", async (plugin, expected) => {
    await put("project/opencode.json", `{ "plugin": ${plugin} }`);
    await init();
    expect(JSON.parse(await text("project/opencode.json"))).toEqual({ plugin: expected });
    expect((await init()).changes).toEqual([]);
  });

  it("names a folder that is read-only, and begins nothing", async () => {
    await mkdir(project, { recursive: true });
    await chmod(project, 0o555);
    await expect(init()).rejects.toThrow(`${project} is read-only, so nothing was changed`);
    await chmod(project, 0o755);
  });

  it("finds itself in a folder above, and in the user's own file", async () => {
    const file = await put("user/opencode.jsonc", '{"plugin": ["opencode-gaia"]} // all projects');
    expect((await plan()).kept[0]?.path).toBe(file);
    const above = await put("project/opencode.json", '{"plugin": ["opencode-gaia"]}');
    project = join(project, "packages/one");
    await mkdir(project, { recursive: true });
    expect((await plan()).kept[0]?.path).toBe(above);
  });
});

it("init for all projects writes into OpenCode's own folder, whatever the project says", async () => {
  await put("project/opencode.json", '{"plugin": ["opencode-gaia"]}');
  await init("global");
  expect(JSON.parse(await text("user/opencode.json"))).toMatchObject({ plugin: [own.folder] });
  expect(await text("user/gaia.jsonc")).toContain("$schema");
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

it("the starter configuration is valid as it is, and with every example uncommented", async () => {
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
