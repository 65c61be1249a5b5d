import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerptOutput, headlineOf } from "../../src/process/output.ts";
import { readCases } from "../support/cases.ts";

const FOLDER = join(import.meta.dirname, "outputs");
const BOUNDS = { maxCharacters: 4_000 };

interface Output {
  readonly name: string;
  readonly text: string;
  /** What an excerpt has to tell of it. */
  readonly told: readonly string[];
}

/** As runners document it, with one failure in the middle of what passed: `<<…>>` stands for sixty tests that passed. */
const documented = readCases<Output>("process/runners").map(({ text, ...rest }): Output => {
  const passed = (_: string, each: string): string =>
    Array.from({ length: 60 }, (_test, at) => `${each.replaceAll("{at}", String(at))}\n`).join("");
  return { ...rest, text: text.replaceAll(/<<([^]*?)>>/g, passed) };
});
/** What tools printed in real runs (go: as it documents). */
const recorded = readCases<Omit<Output, "text">>("process/recorded").map((output): Output => ({
  ...output,
  text: readFileSync(join(FOLDER, `${output.name}.txt`), "utf8"),
}));

describe("an excerpt", () => {
  it("is held against every recorded output", () => {
    const names = readdirSync(FOLDER).map((file) => file.replace(".txt", ""));
    expect(recorded.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  });

  it.each([...documented, ...recorded])(
    "tells the cause in an output of $name, whoever made it",
    ({ text, told }) => {
      const excerpt = excerptOutput(text, BOUNDS);
      for (const line of told) expect(excerpt).toContain(line);
      const dressed = text.replaceAll(/^(.*\S)$/gm, "\u001B[1m$1\u001B[22m").replaceAll("\n", "\r\n");
      expect(excerptOutput(dressed, BOUNDS)).toBe(excerpt);
    },
  );

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
