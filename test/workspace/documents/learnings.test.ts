import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  LEARNING_KINDS,
  parseLearning,
  renderLearning,
  type LearningInput,
} from "../../../src/workspace/documents/learning.ts";
import {
  addLearnings,
  completeLearnings,
  parseLearnings,
} from "../../../src/workspace/documents/learnings.ts";

const add = (text: string, ...inputs: LearningInput[]): string => {
  const complete = completeLearnings(inputs, { date: "2026-02-06", unit: "auth" });
  const changed = complete.ok ? addLearnings(text, complete.learnings) : complete;
  return changed.ok ? changed.text : `refused:${changed.line ?? ""}: ${changed.error}`;
};

describe("one line", () => {
  it.each([
    ["Use jose", { kind: "insight", text: "Use jose", date: "" }],
    [
      "- **anti_pattern** No mocks — auth, 2026-02-06, confidence 0.8",
      { kind: "anti_pattern", text: "No mocks", date: "2026-02-06", unit: "auth", confidence: 0.8 },
    ],
    ["* [Pattern] a — b — 2026-02-06", { kind: "pattern", text: "a — b", date: "2026-02-06" }],
    ["constraint: Node 20", { kind: "constraint", text: "Node 20", date: "" }],
    ["decision — not a mark", { kind: "insight", text: "decision — not a mark", date: "" }],
    ["- **preference**", { kind: "preference", text: "", date: "" }],
  ])("%s", (line, learning) => {
    expect(parseLearning(line)).toEqual(learning);
  });

  it("comes back as it was written", () => {
    const learning = fc.record(
      {
        kind: fc.constantFrom(...LEARNING_KINDS),
        text: fc
          .string({ unit: "grapheme", minLength: 1 })
          .map((text) => `t${text.replaceAll(/\s+/g, " ")}t`),
        date: fc.constant("2026-02-06"),
        unit: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/),
        confidence: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
      },
      { requiredKeys: ["kind", "text", "date"] },
    );
    expect.hasAssertions();
    fc.assert(
      fc.property(learning, (some) => {
        const text = some.text.replaceAll("\0", "\uFFFD");
        expect(parseLearning(renderLearning(some))).toEqual({ ...some, text });
      }),
    );
  });
});

describe("adding", () => {
  it.each<[name: string, text: string, inputs: LearningInput[], expected: string]>([
    ["after a heading", "# Learnings\n", ["a"], "# Learnings\n\n- **insight** a — auth, 2026-02-06\n"],
    [
      "to the list",
      "- mine\n",
      ["a", "- **pattern** b"],
      "- mine\n- **insight** a — auth, 2026-02-06\n- **pattern** b — auth, 2026-02-06\n",
    ],
    [
      "on one line each",
      "- mine\r\n",
      [{ kind: "correction", text: "a\n  b", confidence: 0.756 }],
      "- mine\r\n- **correction** a b — auth, 2026-02-06, confidence 0.76\r\n",
    ],
    [
      "not what stands there in nearly the same words",
      "- **pattern** Use `jose`. — x, 2026-01-01\n",
      ["use jose", { text: "USE “jose”!" }],
      "- **pattern** Use `jose`. — x, 2026-01-01\n",
    ],
    ["not the same twice", "", ["a", "A."], "- **insight** a — auth, 2026-02-06\n"],
    [
      "what differs by a sign",
      "",
      ["Use C", "Use C++", "x > 5", "x < 5"],
      "- **insight** Use C — auth, 2026-02-06\n- **insight** Use C++ — auth, 2026-02-06\n- **insight** x > 5 — auth, 2026-02-06\n- **insight** x < 5 — auth, 2026-02-06\n",
    ],
  ])("%s", (_name, text, inputs, expected) => {
    expect(add(text, ...inputs)).toBe(expected);
  });

  it.each<[name: string, text: string, input: LearningInput, error: RegExp]>([
    ["an empty one", "", " - ", /^refused:: A learning is empty/],
    ["a unit that is none", "", { text: "a", unit: "../x" }, /not a work unit/],
    ["a confidence out of range", "", { text: "a", confidence: 7 }, /out of range/],
    ["a file whose comment is never closed", "# L\n<!--\n", "a", /^refused:2: this HTML comment/],
  ])("refuses %s", (_name, text, input, error) => {
    expect(add(text, input)).toMatch(error);
  });
});

it("reads each learning once, with its line, and none out of code or comments", () => {
  const text = "# L\n<!-- - no -->\n- a\n\n```\n- no\n```\n* **pattern** b — 2026-01-01\n- A\n  - inner\n";
  expect(parseLearnings(text)).toEqual([
    { kind: "insight", text: "a", date: "", line: 3 },
    { kind: "pattern", text: "b", date: "2026-01-01", line: 8 },
  ]);
});

it("survives git's union merge of what two people added", () => {
  const folder = mkdtempSync(join(tmpdir(), "gaia-union-"));
  const base = add("# Learnings\n", "known");
  const sides = { base, ours: add(base, "a", "both"), theirs: add(base, "b", "both", "c") };
  for (const [name, text] of Object.entries(sides)) writeFileSync(join(folder, name), text);
  execFileSync("git", ["merge-file", "--union", "ours", "base", "theirs"], { cwd: folder });
  const merged = readFileSync(join(folder, "ours"), "utf8");
  rmSync(folder, { recursive: true });
  expect(parseLearnings(merged).map(({ text }) => text)).toEqual(["known", "a", "both", "b", "c"]);
  expect(add(merged, "d")).toBe(`${merged}- **insight** d — auth, 2026-02-06\n`);
});
