import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countTests } from "../../../src/checks/excerpt/count-tests.ts";
import { excerptFailure, salvageFailures } from "../../../src/checks/excerpt/excerpt.ts";

const FOLDER = join(import.meta.dirname, "fixtures");
const BOUNDS = { maxLines: 40, maxCharacters: 4_000 };
/** Lines by which tools tell what passed. */
const PASSES = /^\s*(?:ok \d|[✓✔√] |=== RUN|--- PASS|\S+ PASSED)|\.\.\. ok$|warning /m;

/** What the tools printed in real runs (go: as it documents); what must be told of it, and in how many tests it came. */
const OUTPUTS: readonly [name: string, told: readonly string[], headline: string, tests: object | null][] = [
  [
    "node-tap",
    ["not ok 1 - adds", "2 !== 3", "not ok 1 - inner", "n.test.mjs:3:38", "# fail 3"],
    "not ok 1 - adds · Expected values to be strictly equal:",
    { passed: 60, failed: 3, skipped: 1 },
  ],
  [
    "node-spec",
    ["✖ adds", "2 !== 3", "✖ inner", "n.test.mjs:3:38", "ℹ fail 3"],
    "test at n.test.mjs:2:1 · ✖ adds",
    { passed: 60, failed: 3, skipped: 1 },
  ],
  [
    "vitest",
    [
      "Cannot find module './nowhere'",
      "a.test.ts > adds",
      "expected 2 to be 3",
      '+   "a": 1,',
      "2 failed | 60 passed",
    ],
    "FAIL  c.test.ts [ c.test.ts ] · Error: Cannot find module './nowhere' imported from /home/dev/shop/c.test.ts",
    { passed: 60, failed: 2 },
  ],
  ["vitest-tap", ["not ok 1 - adds", "expected 2 to be 3", "not ok 1 - totals"], "not ok 1 - adds", null],
  [
    "jest",
    ["● adds", "Received: 2", "● cart › totals", '+   "a": 1,', "2 failed, 60 passed"],
    "● adds · expect(received).toBe(expected) // Object.is equality",
    { passed: 60, failed: 2 },
  ],
  ["mocha", ["1) cart", "1 !== 2", "TypeError: nope", "2 failing"], "1) cart", { passed: 60, failed: 2 }],
  [
    "pytest",
    [
      "assert 2 == 3",
      "test_a.py:8: AssertionError",
      "KeyError: 'nope'",
      "FAILED test_a.py::test_deep",
      "2 failed",
    ],
    "test_adds · >       assert total == 3",
    { passed: 40, failed: 2 },
  ],
  [
    "unittest",
    ["ValueError: boom", "AssertionError: 1 != 2", "FAILED (failures=1, errors=1)"],
    "ERROR: test_y (test_u.T.test_y) · Traceback (most recent call last):",
    { passed: 0, failed: 2 },
  ],
  ["go-test", ["got 12, want 15", "--- FAIL: TestTotal/rounding", "FAIL\texample.org/shop/total"], "", null],
  [
    "cargo-test",
    ["panicked at src/lib.rs:3:23", "left: 2", "index out of bounds", "45 passed; 2 failed"],
    "tests::boom stdout · ",
    { passed: 45, failed: 2 },
  ],
  [
    "cargo-build",
    ["error[E0308]: mismatched types", "src/lib.rs:3:14", "2 previous errors"],
    "error[E0308]",
    null,
  ],
  ["clippy", ["length comparison to zero", "src/lib.rs:1:32"], "error: length comparison to zero", null],
  [
    "eslint",
    ["l/bad.js", "'foo' is not defined", "(3 errors, 48 warnings)"],
    "/home/dev/shop/l/bad.js",
    null,
  ],
  ["prettier", ["l/bad.js", "t/b.test.js"], "[warn] l/bad.js", null],
  ["tsc", ["ts/a.ts(1,14): error TS2322", "ts/a.ts(3,1): error TS2304"], "ts/a.ts(1,14)", null],
  ["tsc-pretty", ["ts/a.ts:1:14 - error TS2322", "ts/a.ts:3:1", "Found 3 errors"], "ts/a.ts:1:14", null],
];

const read = async (name: string): Promise<string> => readFile(join(FOLDER, `${name}.txt`), "utf8");

describe("excerptFailure", () => {
  it("has an expectation for every recorded output", async () => {
    const names = (await readdir(FOLDER)).map((file) => file.replace(".txt", ""));
    expect(names.toSorted()).toEqual(OUTPUTS.map(([name]) => name).toSorted());
  });

  it.each(OUTPUTS)(
    "tells what failed in an output of %s, and nothing that passed",
    async (name, told, headline, tests) => {
      const output = await read(name);
      const excerpt = excerptFailure(output, BOUNDS);
      for (const text of told) expect(excerpt.text).toContain(text);
      expect(excerpt.text).not.toMatch(PASSES);
      expect(excerpt.text.split("\n").length).toBeLessThanOrEqual(BOUNDS.maxLines);
      expect(excerpt.headline.startsWith(headline)).toBe(true);
      expect(countTests(output)).toEqual(tests);
    },
  );

  it.each(OUTPUTS)("finds %s again behind the names of packages", async (name, told) => {
    const output = await read(name);
    const named = output.replaceAll(/^/gm, "packages/shop test: ");
    const excerpt = excerptFailure(named, BOUNDS);
    for (const text of told) expect(excerpt.text).toContain(text);
  });

  it("does not take expected failures and parents of failures for failures", async () => {
    const { text } = excerptFailure(await read("node-tap"), BOUNDS);
    expect(text).not.toContain("todo fails");
    expect(text).not.toContain("subtest failed");
  });

  it("gives each of many failures its share, and counts those that do not fit", () => {
    const failures = Array.from(
      { length: 90 },
      (_, at) => `not ok ${at} - case ${at}\n  ---\n  error: 'broken ${at}'\n  ...`,
    );
    const { text } = excerptFailure(["TAP version 13", ...failures, "# fail 90"].join("\n"), BOUNDS);
    expect(text).toContain("broken 0");
    expect(text).toContain("broken 15");
    expect(text).toMatch(/… and \d+ more\n# fail 90$/);
  });

  it("shows what looks like an error and the end where it knows no tool", () => {
    const steps = Array.from({ length: 200 }, (_, at) => `step ${at} done`);
    const output = [
      "reading",
      "could not parse layout.kdl: unexpected brace",
      ...steps,
      "npm error Lifecycle script failed",
    ];
    const { text, headline } = excerptFailure(output.join("\n"), BOUNDS);
    expect(text).toContain("unexpected brace");
    expect(text).toContain("step 199 done");
    expect(text).not.toContain("npm error");
    expect(headline).toBe("could not parse layout.kdl: unexpected brace");
  });

  it("keeps its bounds for any text", () => {
    const line = fc.oneof(
      fc.string({ maxLength: 400 }),
      fc.constantFrom(
        "not ok 1 - x",
        "  ---",
        " FAIL  a > b",
        "● x",
        "Error: y",
        "error[E1]: z",
        "--- FAIL: T",
        "ok 1",
      ),
    );
    const property = fc.property(
      fc.array(line, { maxLength: 120 }),
      fc.integer({ min: 2, max: 40 }),
      (lines, maxLines) => {
        const { text } = excerptFailure(lines.join("\n"), { maxLines, maxCharacters: 500 });
        expect(text.length).toBeLessThanOrEqual(500);
        expect(text.split("\n").length).toBeLessThanOrEqual(maxLines);
      },
    );
    fc.assert(property, { numRuns: 300 });
  });
});

describe("salvageFailures", () => {
  it("keeps failures with what follows, and drops what passed", () => {
    const text = "ok 1 - a\nnot ok 2 - b\n  error: 'x'\nok 3 - c\nall quiet\n";
    expect(salvageFailures(text)).toBe("not ok 2 - b\n  error: 'x'\n");
  });
});
