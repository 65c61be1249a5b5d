import { describe, expect, it } from "vitest";
import { renderIntroduction, renderSample } from "../../../src/cli/demo/introduction.ts";
import { createPaint } from "../../../src/cli/demo/paint.ts";
import { renderTour, succeeded, type TourFacts } from "../../../src/cli/demo/tour.ts";

const paint = createPaint(false);
const before = { passed: false, tampered: false, counts: { passed: 9, failed: 4 }, output: "" };
const facts: TourFacts = {
  scripted: true,
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
  after: { passed: true, tampered: false, counts: { passed: 16, failed: 0 }, output: "" },
  record: [
    {
      path: ".gaia/due-dates/decisions.md",
      text: "# Decisions\n\n| Date | Question |\n| --- | --- |\n| 2026-01-31 | how? |\n",
    },
    { path: ".gaia/due-dates/plan.md", text: "# Plan\n\n- [x] Build it\n- [ ] Tell it\n" },
    { path: ".gaia/learnings.md", text: "# Learnings\n\n- **pattern** Days are text.\n" },
  ],
  recorded: true,
  usage: [{ agent: "gaia", requests: 9, input: 69_000, output: 973, ms: 7_600, cost: 0 }],
  wholeMs: 28_300,
};
const tour = (change: Partial<TourFacts> = {}): string =>
  renderTour({ ...facts, ...change }, paint).join("\n");
const sentences = (text: string): string => text.replace(/\s+/g, " ");

describe("the tour", () => {
  it("shows commit, files and diff without git's header lines", () => {
    expect(tour()).toContain("commit 1a2b3c4 Add due dates\n src/day.js | 2 ++\n");
    expect(tour()).toContain("\nsrc/day.js\n@@ -0,0 +1,2 @@\n+--- a comment\n+export const day = 1;\n");
    expect(tour()).not.toMatch(/new file mode|index 0000000|\/dev\/null/);
  });

  it("cuts a long diff and says how much is missing", () => {
    const diff = `diff --git a/x b/x\n@@ -1 +1 @@\n${"+line\n".repeat(500)}`;
    expect(tour({ diff })).toContain("+line\n… 402 more\n");
  });

  it("shows the tests before and after, and what fails", () => {
    expect(tour()).toContain("✗ before the work: 9 pass, 4 fail\n  ✓ now:             16 pass, 0 fail");
    const after = { ...before, output: "✖ must be days that exist" };
    expect(tour({ after })).toContain("✖ must be days that exist");
  });

  it("shows the record as a tree with what says most", () => {
    expect(tour()).toContain(
      [
        ".gaia/",
        "  due-dates/",
        "    decisions.md",
        "      │ | 2026-01-31 | how? |",
        "    plan.md",
        "      │ - [x] Build it",
        "      │ - [ ] Tell it",
        "  learnings.md",
        "    │ - **pattern** Days are text.",
      ].join("\n"),
    );
  });

  it("shows requests, tokens and time, and that the tokens are an estimate", () => {
    expect(tour()).toMatch(/gaia +9 +69,000 +973 +7\.6 s/);
    expect(tour()).toMatch(/all, by the clock +9 +69,000 +973 +28\.3 s/);
    expect(tour()).toContain("estimated");
    expect(tour({ scripted: false })).not.toContain("estimated");
  });

  it("ends with what a scripted model proves, and how to go on", () => {
    expect(sentences(tour())).toContain("says nothing about how well a model plans or codes");
    expect(tour()).toContain("--model provider/model");
    expect(tour({ scripted: false })).not.toContain("scripted");
  });

  it.each([
    [{}, true, "The feature's tests pass."],
    [{ after: before }, false, "The sample's tests still fail."],
    [
      { after: { ...before, tampered: true } },
      false,
      "test/due-dates.test.js, which describes the feature, was",
    ],
    [{ recorded: false }, false, "Plan, log or decisions are missing."],
    [{ commits: "" }, true, "Nothing was committed."],
  ] satisfies [Partial<TourFacts>, boolean, string][])("after %j success is %s", (change, success, words) => {
    expect(succeeded({ ...facts, ...change })).toBe(success);
    expect(tour(change)).toContain(words);
  });
});

describe("the introduction", () => {
  it("says that the model is scripted, and what is real", () => {
    const words = sentences(renderIntroduction(null, paint).join("\n"));
    expect(words).toContain("The model is SCRIPTED. Every answer of the model was written beforehand");
    expect(words).toContain("Real are OpenCode, the plugin");
  });

  it("says of a real model what it uses and who answers", () => {
    const words = sentences(renderIntroduction("openai/gpt-5.2", paint).join("\n"));
    expect(words).toContain("The model is openai/gpt-5.2. It runs in your own OpenCode");
    expect(words).not.toContain("SCRIPTED");
  });

  it("says where the sample is and what its tests say", () => {
    expect(renderSample("/tmp/errands", before).join("\n")).toMatch(/\/tmp\/errands\n.*9 pass, 4 fail/);
  });
});
