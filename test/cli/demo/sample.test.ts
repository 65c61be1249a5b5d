import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasRecord, listRecord } from "../../../src/cli/demo/record.ts";
import { createSample, type Sample } from "../../../src/cli/demo/sample.ts";
import { DAY_MODULE, EDGE_TESTS, FEATURE_EDITS } from "../../../src/cli/demo/script/feature.ts";

let folder: string;
let sample: Sample;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "gaia-sample-")));
  sample = await createSample(join(folder, "errands"));
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

async function write(file: string, text: string): Promise<void> {
  const path = join(sample.directory, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function buildFeature(): Promise<void> {
  for (const { file, before, after } of FEATURE_EDITS) {
    const text = await readFile(join(sample.directory, file), "utf8");
    expect(text.split(before), `${file} holds the text to replace once`).toHaveLength(2);
    await write(
      file,
      text.replace(before, () => after),
    );
  }
  await write(DAY_MODULE.file, DAY_MODULE.content);
}

describe("the sample project", () => {
  it("lacks the feature, and has it after the scripted edits", async () => {
    expect(await sample.test()).toMatchObject({ passed: false, counts: { passed: 9, failed: 4 } });
    await buildFeature();
    await write(EDGE_TESTS.file, EDGE_TESTS.content);
    expect(await sample.test()).toMatchObject({ passed: true, counts: { passed: 16, failed: 0 } });
  });

  it.each([
    ["changed", 'import test from "node:test";\ntest("due dates", () => {});\n'],
    ["emptied", ""],
  ])("does not count as built when the test that describes the feature was %s", async (_how, text) => {
    await write("test/due-dates.test.js", text);
    expect(await sample.test()).toMatchObject({ passed: false, tampered: true, counts: { failed: 0 } });
  });

  it("shows what changed, new files included and the record left out", async () => {
    expect(await sample.diff([], ".")).toBe("");
    await write("src/day.js", "export const day = 1;\n");
    await write(".gaia/x/plan.md", "# X\n");
    const diff = await sample.diff([], ".");
    expect(diff).toContain("+export const day = 1;");
    expect(diff).not.toContain(".gaia");
    expect(await sample.commits()).toBe("");
  });
});

describe("the record of the sample", () => {
  const complete = {
    "plan.md": "# Due dates\n\n- [x] Build it\n",
    "log.md": "# Log\n\n## 2026-01-31 — Built\n",
    "decisions.md": "# Decisions\n\n| Date | Question |\n| --- | --- |\n| 2026-01-31 | how? |\n",
  };

  it("is there when a work unit has a task, a log entry and a decision", async () => {
    for (const [name, text] of Object.entries(complete)) await write(`.gaia/due-dates/${name}`, text);
    await write(".gaia/.local/active.json", "{}");
    expect(await hasRecord(sample.directory)).toBe(true);
    expect(await listRecord(sample.directory)).toEqual([
      ".gaia/due-dates/decisions.md",
      ".gaia/due-dates/log.md",
      ".gaia/due-dates/plan.md",
    ]);
  });

  it.each(Object.keys(complete))("is not there while %s is missing or empty", async (missing) => {
    for (const [name, text] of Object.entries(complete)) {
      if (name !== missing) await write(`.gaia/due-dates/${name}`, text);
    }
    expect(await hasRecord(sample.directory)).toBe(false);
    await write(`.gaia/due-dates/${missing}`, "# Nothing yet\n");
    expect(await hasRecord(sample.directory)).toBe(false);
  });
});
