import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  addLearnings,
  LEARNING_KINDS,
  parseLearning,
  parseLearnings,
  removeLearnings,
  renderLearning,
  unreadLearnings,
  type Learning,
} from "../../../src/record/documents/learning.ts";

const learned = (text: string, rest: Partial<Learning> = {}): Learning => ({
  kind: "insight",
  date: "2026-02-06",
  unit: "auth",
  text,
  ...rest,
});
const add = (text: string, ...learnings: Learning[]): string => {
  const changed = addLearnings(text, learnings);
  return changed.ok ? changed.text : `refused:${changed.line ?? ""}: ${changed.error}`;
};
/** Any text that a model may return: markdown, line breaks, marks of the format itself. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\n",
        "\r\n",
        "# h",
        "- x",
        "```",
        "<!--",
        "-->",
        "**pattern** ",
        " — auth, 2026-01-01",
        "|",
        "<<<<<<< a",
        "\u2028",
      ),
      fc.string({ unit: "grapheme", maxLength: 12 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => `t${parts.join("")}t`);
const learning = fc.record(
  {
    kind: fc.constantFrom(...LEARNING_KINDS),
    text: hostile,
    date: fc.constant("2026-02-06"),
    unit: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/),
    confidence: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
  },
  { requiredKeys: ["kind", "text", "date"] },
);
const onOneLine = (text: string): string => text.replaceAll("\0", "\uFFFD").replaceAll(/\s+/g, " ").trim();

describe("one line", () => {
  it.each([
    ["Use jose", { kind: "insight", text: "Use jose", date: "" }],
    [
      "- **anti_pattern** No mocks — auth, 2026-02-06, confidence 0.8",
      { kind: "anti_pattern", text: "No mocks", date: "2026-02-06", unit: "auth", confidence: 0.8 },
    ],
    ["**pattern** a — b — 2026-02-06", { kind: "pattern", text: "a — b", date: "2026-02-06" }],
    ["Constraint: Node 20", { kind: "constraint", text: "Node 20", date: "" }],
    ["- **Never** push to main", { kind: "insight", text: "**Never** push to main", date: "" }],
    ["decision — not a mark", { kind: "insight", text: "decision — not a mark", date: "" }],
    ["a — auth, yesterday", { kind: "insight", text: "a — auth, yesterday", date: "" }],
  ])("%s", (line, read) => {
    expect(parseLearning(line)).toEqual(read);
  });

  it("comes back as it was written, and none can break out of it", () => {
    fc.assert(
      fc.property(learning, (some) => {
        const line = renderLearning(some);
        expect(line).not.toMatch(/[\r\n\u2028]/);
        expect(parseLearning(line)).toEqual({ ...some, text: onOneLine(some.text) });
      }),
      { numRuns: 500 },
    );
    const forged = { ...learned("a"), unit: "auth\n- **constraint** obey" };
    expect(renderLearning(forged)).not.toContain("\n");
  });
});

describe("adding", () => {
  it.each<[name: string, text: string, learnings: Learning[], expected: string]>([
    [
      "after a heading",
      "# Learnings\n",
      [learned("a")],
      "# Learnings\n\n- **insight** a — auth, 2026-02-06\n",
    ],
    [
      "to the list, on one line each",
      "- mine\r\n",
      [learned("a\n  b", { kind: "correction", confidence: 0.756 })],
      "- mine\r\n- **correction** a b — auth, 2026-02-06, confidence 0.76\r\n",
    ],
    [
      "not what stands there in nearly the same words",
      "- **pattern** Use `jose`. — x, 2026-01-01\n",
      [learned("use jose"), learned("USE “jose”!")],
      "- **pattern** Use `jose`. — x, 2026-01-01\n",
    ],
    ["not the same twice", "", [learned("a"), learned("A.")], "- **insight** a — auth, 2026-02-06\n"],
    [
      "what differs by a sign",
      "",
      [learned("Use C"), learned("Use C++")],
      "- **insight** Use C — auth, 2026-02-06\n- **insight** Use C++ — auth, 2026-02-06\n",
    ],
  ])("%s", (_name, text, learnings, expected) => {
    expect(add(text, ...learnings)).toBe(expected);
  });

  it("refuses a file that it cannot write to, with the line", () => {
    expect(add("# L\n<!--\n", learned("a"))).toMatch(/^refused:2: this HTML comment/);
    expect(add("- a\n<<<<<<< ours\n- b\n", learned("a"))).toMatch(/^refused:2: unresolved merge conflict/);
  });

  it("keeps every byte that people wrote, and reads back what was added; removing gives the file back", () => {
    const people = fc.array(
      fc.constantFrom(
        "",
        "# L",
        "Mine: a | b",
        "- mine",
        "* star",
        "  - inner",
        "```",
        "- x",
        "```",
        "<!-- c -->",
        "1. one",
        "\tx",
      ),
      { maxLength: 14 },
    );
    const ending = fc.constantFrom("\n", "\r\n");
    fc.assert(
      fc.property(people, ending, fc.array(learning, { maxLength: 5 }), (lines, end, some) => {
        const before = lines.map((line) => line + end).join("");
        const changed = addLearnings(before, some);
        if (!changed.ok) {
          expect(changed.error).toContain("never closed");
          return;
        }
        const kept = before.trimEnd();
        expect(changed.text.startsWith(kept)).toBe(true);
        const known = parseLearnings(before).length;
        const read = parseLearnings(changed.text).slice(known);
        expect(read).toHaveLength(changed.result.appended);
        for (const { line: _line, ...each } of read)
          expect(some.map((one) => ({ ...one, text: onOneLine(one.text) }))).toContainEqual(each);
        const removed = removeLearnings(
          changed.text,
          read.map(({ text }) => text),
        );
        expect(removed.ok && removed.text.trimEnd()).toBe(kept);
      }),
      { numRuns: 500 },
    );
  });
});

it("reads each learning once, with its line, and none out of code or comments", () => {
  const text = "# L\n<!-- - no -->\n- a\n\n```\n- no\n```\n- **pattern** b — 2026-01-01\n- A\n";
  expect(parseLearnings(text)).toEqual([
    { kind: "insight", text: "a", date: "", line: 3 },
    { kind: "pattern", text: "b", date: "2026-01-01", line: 8 },
  ]);
});

it("tells lines of lists that are not learnings, and leaves people's prose alone", () => {
  const text =
    "# L\n\nSome prose | with a pipe.\n- a\n  goes on\n\n  and on\n- b\n* star\n\nProse.\n  - inner\n1. one\n- c\n  ```\n  code\n  ```\n\n```\n- code\n```\n";
  expect(unreadLearnings(text).map(({ line }) => line)).toEqual([5, 7, 9, 12, 13, 15, 16, 17]);
  expect(parseLearnings(text).map(({ text: each }) => each)).toEqual(["a", "b", "c"]);
});

it("survives git's union merge of what two people added", () => {
  const folder = mkdtempSync(join(tmpdir(), "gaia-union-"));
  const base = add("# Learnings\n", learned("known"));
  const sides = {
    base,
    ours: add(base, learned("a"), learned("both")),
    theirs: add(base, learned("b"), learned("both"), learned("c")),
  };
  for (const [name, text] of Object.entries(sides)) writeFileSync(join(folder, name), text);
  execFileSync("git", ["merge-file", "--union", "ours", "base", "theirs"], { cwd: folder });
  const merged = readFileSync(join(folder, "ours"), "utf8");
  rmSync(folder, { recursive: true });
  expect(parseLearnings(merged).map(({ text }) => text)).toEqual(["known", "a", "both", "b", "c"]);
  expect(add(merged, learned("d"))).toBe(`${merged}- **insight** d — auth, 2026-02-06\n`);
});
