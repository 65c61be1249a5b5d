import { cp } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  countTests,
  createSample,
  isRecorded,
  readRecord,
  templatePath,
} from "../../../src/cli/demo/sample.ts";
import { writeIn } from "../../support/directory.ts";
import { openFolder } from "../../support/folder.ts";

let folder: string;
let directory: string;
let sample: Awaited<ReturnType<typeof createSample>>;
beforeEach(async () => {
  folder = await openFolder();
  directory = join(folder, "errands");
  sample = await createSample(directory);
});

const write = async (file: string, text: string): Promise<string> => writeIn(directory, file, text);

describe("the sample project", () => {
  it("lacks the feature, and has it with the finished files", { timeout: 30_000 }, async () => {
    expect(await sample.test()).toMatchObject({ passed: false, counts: "9 pass, 4 fail" });
    await cp(templatePath("demo-feature"), directory, { recursive: true });
    expect(await sample.test()).toMatchObject({ passed: true, counts: "16 pass, 0 fail" });
  });

  it.each([
    ["changed", 'import test from "node:test";\ntest("due dates", () => {});\n'],
    ["emptied", ""],
  ])("does not count as built when the test that describes the feature was %s", async (_how, text) => {
    await write("test/due-dates.test.js", text);
    expect(await sample.test()).toMatchObject({
      passed: false,
      tampered: true,
      counts: expect.stringContaining(" 0 fail"),
    });
  });

  it("shows what changed, new files included and the record left out", async () => {
    expect(await sample.stat()).toBe("");
    await write("src/day.js", "export const day = 1;\n");
    await write(".gaia/x/plan.md", "# X\n");
    expect(await sample.stat()).toMatch(/^ src\/day\.js \| 1 \+\n 1 file changed/u);
    expect(await sample.commits()).toBe("");
  });
});

describe("the counts of a test run", () => {
  it.each([
    ["# tests 13\n# pass 9\n# fail 4\n", "9 pass, 4 fail"],
    ["ℹ pass 16\nℹ fail 0\n", "16 pass, 0 fail"],
    ["no tests here", null],
  ])("of %j are %s", (output, counts) => {
    expect(countTests(output)).toBe(counts);
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
    expect(isRecorded(readRecord(directory))).toBe(true);
    expect([...readRecord(directory).keys()]).toEqual([
      ".gaia/due-dates/decisions.md",
      ".gaia/due-dates/log.md",
      ".gaia/due-dates/plan.md",
    ]);
  });

  it.each(Object.keys(complete))("is not there while %s is missing or empty", async (missing) => {
    for (const [name, text] of Object.entries(complete)) {
      if (name !== missing) await write(`.gaia/due-dates/${name}`, text);
    }
    expect(isRecorded(readRecord(directory))).toBe(false);
    await write(`.gaia/due-dates/${missing}`, "# Nothing yet\n");
    expect(isRecorded(readRecord(directory))).toBe(false);
  });
});
