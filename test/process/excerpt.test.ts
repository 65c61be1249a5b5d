import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerptOutput, headlineOf } from "../../src/process/output.ts";

const FOLDER = join(import.meta.dirname, "outputs");
const BOUNDS = { maxCharacters: 4_000 };

/** What must be told of the outputs that tools printed in real runs (go: as it documents). */
const RECORDED: Readonly<Record<string, readonly string[]>> = {
  "node-tap": ["not ok 1 - adds", "2 !== 3", "not ok 1 - inner", "n.test.mjs:3:38", "# fail 3"],
  "node-spec": ["✖ adds", "2 !== 3", "✖ inner", "n.test.mjs:3:38", "ℹ fail 3"],
  vitest: [
    "Cannot find module './nowhere'",
    "a.test.ts > adds",
    "expected 2 to be 3",
    "2 failed | 60 passed",
  ],
  "vitest-tap": ["not ok 1 - adds", "expected 2 to be 3", "not ok 1 - totals"],
  jest: ["● adds", "Received: 2", "● cart › totals", '+   "a": 1,', "2 failed, 60 passed"],
  mocha: ["1) cart", "1 !== 2", "TypeError: nope", "2 failing"],
  pytest: ["assert 2 == 3", "test_a.py:8: AssertionError", "KeyError: 'nope'", "FAILED test_a.py::test_deep"],
  unittest: ["ValueError: boom", "AssertionError: 1 != 2", "FAILED (failures=1, errors=1)"],
  "go-test": ["got 12, want 15", "--- FAIL: TestTotal/rounding", "FAIL\texample.org/shop/total"],
  "cargo-test": ["panicked at src/lib.rs:3:23", "left: 2", "index out of bounds", "45 passed; 2 failed"],
  "cargo-build": ["error[E0308]: mismatched types", "src/lib.rs:3:14", "2 previous errors"],
  clippy: ["length comparison to zero", "src/lib.rs:1:32"],
  eslint: ["l/bad.js", "'foo' is not defined", "(3 errors, 48 warnings)"],
  prettier: ["l/bad.js", "t/b.test.js"],
  tsc: ["ts/a.ts(1,14): error TS2322", "ts/a.ts(3,1): error TS2304"],
  "tsc-pretty": ["ts/a.ts:1:14 - error TS2322", "ts/a.ts:3:1", "Found 3 errors"],
};

interface Output {
  readonly name: string;
  readonly text: string;
  readonly told: readonly string[];
}

/** As runners document it, with one failure in the middle of what passed: `<<…>>` stands for sixty tests that passed. */
const runners = (await readFile(join(import.meta.dirname, "runners.jsonl"), "utf8")).trim().split("\n");
const outputs: readonly Output[] = [
  ...runners.map((line): Output => {
    const { text, ...rest } = JSON.parse(line) as Output;
    const passed = (_: string, each: string): string =>
      Array.from({ length: 60 }, (_, at) => `${each.replaceAll("{at}", String(at))}\n`).join("");
    return { ...rest, text: text.replaceAll(/<<([^]*?)>>/g, passed) };
  }),
  ...(await Promise.all(
    Object.entries(RECORDED).map(async ([name, told]): Promise<Output> => {
      return { name, told, text: await readFile(join(FOLDER, `${name}.txt`), "utf8") };
    }),
  )),
];

describe("an excerpt", () => {
  it("is held against every recorded output", async () => {
    const names = (await readdir(FOLDER)).map((file) => file.replace(".txt", ""));
    expect(Object.keys(RECORDED).toSorted()).toEqual(names.toSorted());
  });

  it.each(outputs)("tells the cause in an output of $name, whoever made it", ({ text, told }) => {
    const excerpt = excerptOutput(text, BOUNDS);
    for (const line of told) expect(excerpt).toContain(line);
    const dressed = text.replaceAll(/^(.*\S)$/gm, "\u001B[1m$1\u001B[22m").replaceAll("\n", "\r\n");
    expect(excerptOutput(dressed, BOUNDS)).toBe(excerpt);
  });

  it("has the end, and before it each line that names an error or a place once", () => {
    const steps = (name: string) => Array.from({ length: 300 }, (_, at) => `${name} ${at}`);
    const error = "layout.kdl:3: unexpected brace";
    const output = [...steps("reading"), error, ...steps("step"), error, ...steps("done")].join("\n");
    const lines = excerptOutput(output, BOUNDS).split("\n");
    expect(lines.filter((line) => line === error)).toHaveLength(1);
    expect(lines.slice(0, 6)).toEqual(["reading 299", error, "step 0", "step 1", "step 2", "step 3"]);
    expect(lines[6]).toBe("…");
    expect(lines.at(-1)).toBe("done 299");
    expect(headlineOf(output)).toBe(error);
  });

  it("keeps its bounds for any text, and the last line", () => {
    const line = fc.oneof(
      fc.string({ maxLength: 400 }),
      fc.constantFrom("not ok 1 - x", "  ---", " FAIL  a > b", "Error: y", "a.ts:1", "ok 1"),
    );
    const property = fc.property(
      fc.array(line, { maxLength: 200 }),
      fc.integer({ min: 2, max: 80 }),
      fc.integer({ min: 40, max: 2_000 }),
      (lines, maxLines, maxCharacters) => {
        const text = excerptOutput([...lines, "the end"].join("\n"), { maxLines, maxCharacters });
        expect(text.length).toBeLessThanOrEqual(maxCharacters);
        expect(text.split("\n").length).toBeLessThanOrEqual(maxLines);
        expect(text.endsWith("the end")).toBe(true);
      },
    );
    fc.assert(property, { numRuns: 300 });
  });
});
