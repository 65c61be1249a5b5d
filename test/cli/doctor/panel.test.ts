import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Level } from "../../../src/cli/doctor/facts.ts";
import { mergedConfig, openHealthyScene, type DoctorScene } from "./scene.ts";

let scene: DoctorScene;
beforeEach(async () => {
  scene = await openHealthyScene();
  await scene.put(
    `${INSTALLED}/package.json`,
    JSON.stringify({
      name: "opencode-gaia",
      exports: { "./server": { import: "./dist/index.js" }, "./tui": { import: "./dist/tui.js" } },
    }),
  );
  await scene.put(`${INSTALLED}/dist/index.js`, "");
  await scene.put(`${INSTALLED}/dist/tui.js`, "");
});
afterEach(async () => scene.close());

const INSTALLED = "project/node_modules/opencode-gaia";

type Expected = [level: Level, what: RegExp, fix: RegExp | null];
/** The files that are put, and every finding about the panel. */
type Case = [name: string, files: Record<string, string>, ...findings: Expected[]];

const CASES: Case[] = [
  ["no tui.json", {}, ["ok", /No tui\.json .* optional/, /opencode-gaia init/]],
  [
    "a tui.json without it",
    { "project/tui.jsonc": '{ "theme": "nord", /* mine */ "plugin": ["some-theme", "opencode-gaiax"], }' },
    ["ok", /No tui\.json/, /opencode-gaia init/],
  ],
  [
    "a path to nowhere that may be meant for it",
    { "project/tui.json": '{ "plugin": ["/work/opncode-gaya"] }' },
    ["error", /^"\/work\/opncode-gaya" in \S+ is a path that does not exist/, /correct it/],
  ],
  [
    "a path to nowhere beside it",
    { "project/tui.json": '{ "plugin": ["./x.tsx", "opencode-gaia"] }' },
    ["ok", /listed as "opencode-gaia"/, null],
  ],
  [
    "its name for all projects",
    { "user/opencode/tui.json": '{ "plugin": ["opencode-gaia@0.1.0"] }' },
    ["ok", /listed as "opencode-gaia@0\.1\.0" in \S+user\/opencode\/tui\.json/, null],
  ],
  [
    "its folder, with options",
    { "project/.opencode/tui.json": '{ "plugin": [["../node_modules/opencode-gaia", {}]] }' },
    ["ok", /listed as "\.\.\/node_modules/, null],
  ],
  [
    "its file",
    { "project/tui.json": '{ "plugin": ["./node_modules/opencode-gaia/dist/tui.js"] }' },
    ["ok", /dist\/tui\.js" in/, null],
  ],
  [
    "its name for all projects and for this one",
    {
      "user/opencode/tui.json": '{ "plugin": ["opencode-gaia"] }',
      "project/tui.json": '{ "plugin": ["opencode-gaia"] }',
    },
    ["ok", /project\/tui\.json/, null],
  ],
  [
    "its name here and its folder there",
    {
      "user/opencode/tui.json": '{ "plugin": ["opencode-gaia"] }',
      "project/tui.json": '{ "plugin": ["./node_modules/opencode-gaia"] }',
    },
    ["warn", /listed 2 times/, /Take it out of \S+user\/opencode\/tui\.json/],
  ],
  [
    "its name twice in one file",
    { "project/tui.json": '{ "plugin": ["opencode-gaia", "opencode-gaia"] }' },
    ["warn", /listed 2 times/, /Take it out of \S+project\/tui\.json/],
  ],
  [
    "a file with a slip",
    { "project/tui.json": '{\n  "theme" "nord",\n  "plugin": ["opencode-gaia"]\n}' },
    ["error", /tui\.json:2:\d+: .*colon is missing.*\. OpenCode passes over the whole file/, /Correct it/],
  ],
  [
    "a list that is none, beside a file that is right",
    {
      "project/tui.json": '{ "plugin": "opencode-gaia" }',
      "user/opencode/tui.json": '{ "plugin": ["opencode-gaia"] }',
    },
    ["error", /project\/tui\.json:1:13: "plugin" is not a list/, /Correct it/],
    ["ok", /user\/opencode/, null],
  ],
  [
    "a path to nowhere",
    { "project/tui.json": '{ "plugin": ["./lib/opencode-gaia/dist/tui.js", "./lib/other.js"] }' },
    ["error", /\S+project\/lib\/opencode-gaia\/dist\/tui\.js does not exist/, /Correct the entry/],
    ["error", /^"\.\/lib\/other\.js" in \S+ is a path that does not exist/, /If GAIA's panel is meant/],
  ],
  [
    "the plugin's own file",
    { "project/tui.json": '{ "plugin": ["./node_modules/opencode-gaia/dist/index.js"] }' },
    ["error", /belongs into opencode\.json/, /List the package there instead/],
  ],
  [
    "the way a program would import it",
    { "project/tui.json": '{ "plugin": ["opencode-gaia/tui"] }' },
    ["error", /"opencode-gaia\/tui" in \S+ is not the name of a package/, /Write "opencode-gaia"/],
  ],
];

describe("doctor looks at the panel in tui.json", () => {
  it.each(CASES)("%s", async (_name, files, ...expected) => {
    for (const [path, text] of Object.entries(files)) await scene.put(path, text);
    expect(await panelFindings()).toEqual(expected.map(finding));
    expect((await scene.report()).healthy).toBe(expected.every(([level]) => level !== "error"));
  });

  it("a package that was never built", async () => {
    await scene.remove(`${INSTALLED}/dist/tui.js`);
    await scene.put("project/tui.json", '{ "plugin": ["./node_modules/opencode-gaia"] }');
    expect(await panelFindings()).toEqual([
      finding(["error", /dist\/tui\.js does not exist/, /npm run build/]),
    ]);
  });

  it("a file that cannot be read", async () => {
    await mkdir(join(scene.project, "tui.json"));
    expect(await panelFindings()).toEqual([finding(["error", /tui\.json: is a directory/, /Remove it/])]);
  });

  it("nothing, where the plugin itself is not listed", async () => {
    Object.assign(scene.answers, { "debug config": mergedConfig([]) });
    expect(await panelFindings()).toEqual([]);
  });
});

describe("doctor finds the panel in opencode.json", () => {
  it.each(["./node_modules/opencode-gaia/dist/tui.js", "opencode-gaia/tui"])("as %s", async (spec) => {
    const source = join(scene.project, "opencode.json");
    Object.assign(scene.answers, { "debug config": mergedConfig([{ spec, source }], { permission: {} }) });
    const report = await scene.report();
    const found = report.findings.filter(({ level }) => level === "error");
    expect(found).toMatchObject([{ check: "plugin-listed", fix: expect.stringContaining("tui.json") }]);
    expect(found[0]?.what).toContain(`"${spec}" in ${source} is not the plugin`);
    expect(report.healthy).toBe(false);
  });
});

async function panelFindings() {
  return (await scene.examine()).filter(({ check }) => check === "panel");
}

function finding([level, what, fix]: Expected) {
  const words = fix === null ? null : (expect.stringMatching(fix) as string);
  return { check: "panel", level, what: expect.stringMatching(what) as string, fix: words };
}
