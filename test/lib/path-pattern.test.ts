import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  matchesParsed,
  matchesPattern,
  matchesStep,
  parsePattern,
  type PatternStep,
} from "../../src/lib/path-pattern.ts";
import { readCases } from "../support/cases.ts";

describe("matchesPattern", () => {
  it.each(readCases<[string, string, boolean]>("lib/path-pattern.against-is"))(
    "%s against %s is %s",
    (path, pattern, matches) => {
      expect(matchesPattern(path, pattern)).toBe(matches);
    },
  );

  it.each(["/etc/passwd", "../x", "a/../../x", "C:\\x", "{a,../b}", "", "."])("refuses %j", (pattern) => {
    expect(parsePattern(pattern)).toBeNull();
  });

  it("never throws and ends, whatever the pattern", () => {
    const hostile = fc.string({
      unit: fc.constantFrom(..."a b * ? [ ] { } , ! - / \\ ^ . ( ) |".split(" ")),
      maxLength: 40,
    });
    fc.assert(
      fc.property(hostile, hostile, (path, pattern) => {
        expect(typeof matchesPattern(path, pattern)).toBe("boolean");
        expect((parsePattern(pattern) ?? []).length).toBeLessThanOrEqual(64);
      }),
    );
    expect(parsePattern("{a,b}".repeat(40))?.length).toBe(64);
  });

  it("says what trying everything says, with names that are hidden or not", () => {
    const name = fc.constantFrom("a", "b", ".a", "ab");
    const step = fc.oneof(name, fc.constantFrom("**", "*", "?", "*b", ".*"));
    fc.assert(
      fc.property(
        fc.array(name, { maxLength: 6 }),
        fc.array(step, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        (names, marks, dots) => {
          const [steps = []] = parsePattern(marks.join("/"), dots) ?? [];
          expect(matchesParsed(names.join("/"), [steps])).toBe(triesAll(names, steps));
        },
      ),
    );
  });
});

function triesAll(names: readonly string[], steps: readonly PatternStep[]): boolean {
  const [step, ...rest] = steps;
  const [name, ...below] = names;
  if (step === undefined) return name === undefined;
  const fits = name !== undefined && matchesStep(name, step);
  if (step.kind !== "folders") return fits && triesAll(below, rest);
  return triesAll(names, rest) || (fits && triesAll(below, steps));
}
