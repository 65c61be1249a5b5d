import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Level } from "../../../src/cli/doctor/finding.ts";
import { mergedConfig, openHealthyScene, type DoctorScene } from "./scene.ts";
import { readCases } from "../../support/cases.ts";

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

const INSTALLED = "project/node_modules/opencode-gaia";

type Expected = [level: Level, what: RegExp, fix: RegExp | null];
/** The files that are put, and every finding about the panel. */
type Case = [name: string, files: Record<string, string>, ...findings: Expected[]];

const CASES: Case[] = readCases<Case>("cli/doctor/panel.cases");

it.each(CASES)("doctor looks at the panel in tui.json: %s", async (_name, files, ...expected) => {
  for (const [path, text] of Object.entries(files)) await scene.put(path, text);
  expect(await panelFindings()).toEqual(expected.map(finding));
});

describe("doctor finds the panel in opencode.json", () => {
  it.each(["./node_modules/opencode-gaia/dist/tui.js", "opencode-gaia/tui"])("as %s", async (spec) => {
    const source = join(scene.project, "opencode.json");
    Object.assign(scene.answers, { "debug config": mergedConfig([{ spec, source }], { permission: {} }) });
    const found = (await scene.examine()).filter(({ level }) => level === "error");
    expect(found).toMatchObject([{ check: "plugin-listed", fix: expect.stringContaining("tui.json") }]);
    expect(found[0]?.what).toContain(`"${spec}" in ${source} is not the plugin`);
  });
});

async function panelFindings() {
  return (await scene.examine()).filter(({ check }) => check === "panel");
}

function finding([level, what, fix]: Expected) {
  const words = fix === null ? null : (expect.stringMatching(fix) as string);
  return { check: "panel", level, what: expect.stringMatching(what) as string, fix: words };
}
