import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesParsed, matchesPattern, matchesStep } from "../../src/lib/path-pattern.ts";
import { parsePattern, type PatternStep } from "../../src/lib/path-pattern.ts";
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
    const unit = fc.constantFrom(..."a b * ? [ ] { } , ! - / \\ ^ . ( ) |".split(" "));
    const hostile = fc.string({ unit, maxLength: 40 });
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
    const names = fc.array(name, { maxLength: 6 });
    const marks = fc.array(step, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(names, marks, fc.boolean(), (path, pattern, dots) => {
        const [steps = []] = parsePattern(pattern.join("/"), dots) ?? [];
        expect(matchesParsed(path.join("/"), [steps])).toBe(triesAll(path, steps));
      }),
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
