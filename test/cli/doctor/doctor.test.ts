import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readCases } from "../../support/cases.ts";
import { examine } from "../../../src/cli/doctor/checks.ts";
import { isHealthy } from "../../../src/cli/doctor/command.ts";
import { mergedConfig, openHealthyScene, type DoctorScene } from "./scene.ts";

let scene: DoctorScene;
beforeEach(async () => {
  scene = await openHealthyScene();
});
afterEach(async () => scene.close());

const CONFIG = "project/.gaia/config.jsonc";

describe("a healthy set-up", () => {
  it("gives nothing but good news, and exit code 0", async () => {
    const report = await scene.report();
    expect(report.findings.filter(({ level }) => level !== "ok")).toEqual([]);
    expect(report.text).toMatch(/All is well\.$/);
  });
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

/** What is wrong, how it is planted, and which finding must say so. */
type Case = [
  name: string,
  plant: () => Promise<unknown> | void,
  finding: { check: string; level: "ok" | "warn" | "error"; what: RegExp; fix: RegExp | null },
];

const PLANTED: Case[] = [
  [
    "a file that cannot be read",
    async () => {
      await scene.remove(CONFIG);
      await mkdir(join(scene.project, ".gaia/config.jsonc"));
    },
    {
      check: "configuration",
      level: "error",
      what: /config\.jsonc: is a directory, not a file/,
      fix: /Remove it/,
    },
  ],
  [
    "the plugin listed twice",
    () =>
      void Object.assign(scene.answers, {
        "debug config": mergedConfig([
          { spec: "opencode-gaia", source: "/home/me/.config/opencode/opencode.json" },
          { spec: `file://${process.cwd()}`, source: "/project/opencode.json" },
        ]),
      }),
    {
      check: "plugin-listed",
      level: "error",
      what: /listed 2 times.*\.config\/opencode\/opencode\.json/,
      fix: /Take it out of \/project\/opencode\.json/,
    },
  ],
];

/** The same as data: files (`null` for none), the plugins that OpenCode tells, and its other answers. */
interface Written {
  readonly name: string;
  readonly check: string;
  readonly level: "ok" | "warn" | "error";
  readonly what: RegExp;
  readonly fix: RegExp | null;
  readonly files?: [path: string, text: string | null][];
  readonly plugins?: { spec: unknown; source: string }[];
  readonly rest?: object;
  readonly answers?: Partial<DoctorScene["answers"]>;
}

const plantFiles = async ({ files = [], plugins, rest, answers }: Written): Promise<void> => {
  for (const [path, text] of files) await (text === null ? scene.remove(path) : scene.put(path, text));
  Object.assign(scene.answers, answers, plugins && { "debug config": mergedConfig(plugins, rest) });
};

describe("doctor finds, and says how to fix it", () => {
  it.each([
    ...PLANTED,
    ...readCases<Written>("cli/doctor/planted").map((row): Case => [
      row.name,
      async () => plantFiles(row),
      row,
    ]),
  ])("%s", async (_name, plant, { check, level, what, fix }) => {
    await plant();
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
