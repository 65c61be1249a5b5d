import { cp } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { countTests, createSample, templatePath } from "../../../src/cli/demo/sample.ts";
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

  it("shows what changed, new files included", async () => {
    expect(await sample.stat()).toBe("");
    await write("src/day.js", "export const day = 1;\n");
    expect(await sample.stat()).toMatch(/^src\/day\.js \| 1 \+\n 1 file changed/u);
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
