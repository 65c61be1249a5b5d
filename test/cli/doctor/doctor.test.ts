import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { readCases } from "../../support/cases.ts";
import { examine } from "../../../src/cli/doctor/checks.ts";
import type { Level } from "../../../src/cli/doctor/finding.ts";
import { isHealthy } from "../../../src/cli/doctor/command.ts";
import { mergedConfig, openHealthyScene, type DoctorScene } from "./scene.ts";

let scene: DoctorScene;
beforeEach(async () => {
  scene = await openHealthyScene();
});

const CONFIG = "project/.gaia/config.jsonc";
const HERE = `file://${process.cwd()}`;

it("gives nothing but good news of a healthy set-up", async () => {
  const report = await scene.report();
  expect(report.findings.filter(({ level }) => level !== "ok")).toEqual([]);
  expect(report.text).toMatch(/All is well\.$/);
});

it("tells of a check that breaks by its name, and of all others as before", async () => {
  const before = await scene.examine();
  const setup = await scene.look();
  const found = await examine({ ...setup, trust: null as never });
  expect(found.find(({ check }) => check === "trust")).toMatchObject({
    level: "error",
    what: expect.stringContaining("This could not be looked at: "),
  });
  const others = (all: typeof before) => all.filter(({ check }) => check !== "trust");
  expect(others(found)).toEqual(others(before));
});

/** What is wrong: files (`null` for none), folders, the plugins that OpenCode tells, and its other answers. */
interface Planted {
  readonly name: string;
  readonly files?: [path: string, text: string | null][];
  readonly folders?: string[];
  /** `<package>` is this one. */
  readonly plugins?: { spec: unknown; source: string }[];
  readonly rest?: object;
  readonly answers?: Partial<DoctorScene["answers"]>;
  /** The finding that must say so. */
  readonly check: string;
  readonly level: "ok" | "warn" | "error";
  readonly what: RegExp;
  readonly fix: RegExp | null;
}

describe("doctor finds, and says how to fix it", () => {
  it.each(readCases<Planted>("cli/doctor/planted"))("$name", async (planted) => {
    const { files = [], folders = [], plugins, rest, answers, check, level, what, fix } = planted;
    for (const [path, text] of files) await (text === null ? scene.remove(path) : scene.put(path, text));
    for (const folder of folders) await mkdir(join(scene.project, folder));
    const listed = plugins?.map((each) => (each.spec === "<package>" ? { ...each, spec: HERE } : each));
    Object.assign(scene.answers, answers, listed && { "debug config": mergedConfig(listed, rest) });
    const report = await scene.report();
    const found = report.findings.filter((finding) => finding.check === check && what.test(finding.what));
    expect(found, report.text).toHaveLength(1);
    expect(found[0]?.level).toBe(level);
    if (fix === null) expect(found[0]?.fix).toBeNull();
    else expect(found[0]?.fix).toMatch(fix);
    expect(isHealthy(report.findings)).toBe(level !== "error");
  });
});

describe("the report", () => {
  it("tells the source of each value, and what each agent runs on", async () => {
    await scene.put("user/opencode/gaia.jsonc", '{ "mode": "autopilot", "visibility": "live" }');
    await scene.put(
      CONFIG,
      '{ "preset": "budget", "mode": "locked", "agents": { "aether": { "model": "acme/two" } } }',
    );
    const { text } = await scene.report(true);
    for (const [key, value, source] of [
      ["mode", '"locked"', "project file"],
      ["visibility", '"live"', "user file"],
      ["agents.minerva.model", '"zhipuai-coding-plan/glm-4.7"', "preset"],
      ["reviewDepth", '"diff"', "default"],
    ])
      expect(text).toMatch(new RegExp(`^ {2}${key} +${value} +\\(${source}\\)$`, "m"));
    expect(text).toMatch(/^ {2}aether +acme\/two/m);
    expect(text).toMatch(/^ {2}gaia +the session's model/m);
  });

  it("tells that a file which cannot be read has locked the mode", async () => {
    await scene.put(CONFIG, "{");
    expect((await scene.report(true)).text).toMatch(/^ {2}mode +"locked" +\(a file that cannot be read\)$/m);
  });

  it("never holds a secret, even one that was written into the configuration", async () => {
    await scene.put(
      CONFIG,
      '{ "preset": "local", "gaiaContext": { "avoid": ["sk-live-0123456789abcdef0123456789abcdef"] } }',
    );
    expect((await scene.report(true)).text).not.toContain("0123456789abcdef0123");
  });
});

describe("doctor looks at the panel", () => {
  const INSTALLED = "project/node_modules/opencode-gaia";
  beforeEach(async () => {
    const exports = { "./server": { import: "./dist/index.js" }, "./tui": { import: "./dist/tui.js" } };
    await scene.put(`${INSTALLED}/package.json`, JSON.stringify({ name: "opencode-gaia", exports }));
    for (const name of ["index.js", "tui.js"]) await scene.put(`${INSTALLED}/dist/${name}`, "");
  });

  type Expected = [level: Level, what: RegExp, fix: RegExp | null];
  /** The files that are put, and every finding about the panel. */
  type Case = [name: string, files: Record<string, string>, ...findings: Expected[]];
  const cases = readCases<Case>("cli/doctor/panel.cases");
  it.each(cases)("in tui.json: %s", async (_name, files, ...expected) => {
    for (const [path, text] of Object.entries(files)) await scene.put(path, text);
    const matching = (words: RegExp | null) => words && (expect.stringMatching(words) as string);
    expect((await scene.examine()).filter(({ check }) => check === "panel")).toEqual(
      expected.map(([level, what, fix]) => ({
        check: "panel",
        level,
        what: matching(what),
        fix: matching(fix),
      })),
    );
  });

  it.each(["./node_modules/opencode-gaia/dist/tui.js", "opencode-gaia/tui"])(
    "in opencode.json, as %s",
    async (spec) => {
      const source = join(scene.project, "opencode.json");
      scene.answers["debug config"] = mergedConfig([{ spec, source }], { permission: {} });
      const found = (await scene.examine()).filter(({ level }) => level === "error");
      expect(found).toMatchObject([{ check: "plugin-listed", fix: expect.stringContaining("tui.json") }]);
      expect(found[0]?.what).toContain(`"${spec}" in ${source} is not the plugin`);
    },
  );
});
