import { describe, expect, it } from "vitest";
import { renderIntroduction, renderTour, succeeded, type TourFacts } from "../../../src/cli/demo/tour.ts";

const before = { passed: false, tampered: false, counts: "9 pass, 4 fail", output: "" };
const facts: TourFacts = {
  model: null,
  commits: "1a2b3c4 Add due dates\n",
  stat: " src/day.js | 2 ++\n 1 file changed, 2 insertions(+)\n",
  diff: [
    "diff --git a/src/day.js b/src/day.js",
    "new file mode 100644",
    "index 0000000..aa345cc",
    "--- /dev/null",
    "+++ b/src/day.js",
    "@@ -0,0 +1,2 @@ function before",
    "+--- a comment",
    "+export const day = 1;",
    "",
  ].join("\n"),
  before,
  after: { passed: true, tampered: false, counts: "16 pass, 0 fail", output: "" },
  record: new Map([
    [
      ".gaia/due-dates/decisions.md",
      "# Decisions\n\n| Date | Question |\n| --- | --- |\n| 2026-01-31 | how? |\n",
    ],
    [".gaia/due-dates/log.md", "# Log\n\n## 2026-01-31 — Built\n"],
    [".gaia/due-dates/plan.md", "# Plan\n\n- [x] Build it\n  - agent: hephaestus\n"],
  ]),
  repairs: new Map(),
  wholeMs: 28_300,
  run: "node /clone/dist/cli.js",
};
const tour = (change: Partial<TourFacts> = {}): string => renderTour({ ...facts, ...change }).join("\n");
const sentences = (text: string): string => text.replace(/\s+/g, " ");

describe("the tour", () => {
  it("shows commit, files and diff", () => {
    expect(tour()).toContain("Commits: 1a2b3c4 Add due dates\n src/day.js | 2 ++\n");
    expect(tour()).toContain("\n@@ -0,0 +1,2 @@ function before\n+--- a comment\n+export const day = 1;\n");
  });

  it("cuts a long diff and says how much is missing", () => {
    const diff = `diff --git a/x b/x\n@@ -1 +1 @@\n${"+line\n".repeat(500)}`;
    expect(tour({ diff })).toContain("+line\n… 402 more\n");
  });

  it("shows the tests before and after, and what fails", () => {
    expect(tour()).toContain("✗ before the work: 9 pass, 4 fail\n✓ now:             16 pass, 0 fail");
    const after = { ...before, output: "✖ must be days that exist" };
    expect(tour({ after })).toContain("✖ must be days that exist");
  });

  it("shows every file of the record, with its indents and without blank lines", () => {
    expect(tour()).toContain("── .gaia/due-dates/log.md\n# Log\n## 2026-01-31 — Built\n");
    expect(tour()).toContain("── .gaia/due-dates/plan.md\n# Plan\n- [x] Build it\n  - agent: hephaestus\n");
    expect(tour()).toContain("| 2026-01-31 | how? |");
    expect(tour()).toContain("Result, after 28.3 s");
  });

  it("ends with what a scripted model proves, and how to go on", () => {
    expect(sentences(tour())).toContain("says nothing about how well a model plans or codes");
    expect(tour()).toContain("node /clone/dist/cli.js demo --model provider/model");
    expect(tour({ model: "a/b" })).not.toContain("scripted");
  });

  it.each([
    [{}, true, "The feature's tests pass."],
    [{ after: before }, false, "The sample's tests still fail."],
    [
      { after: { ...before, tampered: true } },
      false,
      "test/due-dates.test.js, which describes the feature, was",
    ],
    [{ record: new Map() }, false, "Plan, log or decisions are missing."],
    [{ commits: "" }, true, "Nothing was committed."],
  ] satisfies [Partial<TourFacts>, boolean, string][])("after %j success is %s", (change, success, words) => {
    expect(succeeded({ ...facts, ...change })).toBe(success);
    expect(tour(change)).toContain(words);
  });
});

describe("the introduction", () => {
  it("says that the model is scripted, and what is real", () => {
    const words = sentences(renderIntroduction(null).join("\n"));
    expect(words).toContain("The model is SCRIPTED. Every answer of the model was written beforehand");
    expect(words).toContain("Real are OpenCode, the plugin");
  });

  it("says of a real model what it uses and who answers", () => {
    const words = sentences(renderIntroduction("openai/gpt-5.2").join("\n"));
    expect(words).toContain("The model is openai/gpt-5.2. It runs in your own OpenCode");
    expect(words).not.toContain("SCRIPTED");
  });
});
