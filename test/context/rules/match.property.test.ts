import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withMatcher } from "../../../src/context/catalogue.ts";
import { readCases } from "../../support/cases.ts";

const NOTHING = { paths: [], words: [], always: false };
const letters = fc.string({ unit: fc.constantFrom("a", "b", "c", "é"), minLength: 1, maxLength: 6 });
const between = fc.constantFrom(" ", ", ", "\n", "-", "_", "/", " (", ": ", '"');

describe("words", () => {
  it("meet a text in which they stand by themselves, in any case, and none in which they do not", () => {
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 12 }), letters, between, (words, wanted, separator) => {
        const matcher = withMatcher({ ...NOTHING, words: [wanted] });
        const text = words.join(separator);
        const asked = matcher.meetsTask(text);
        expect(asked).toBe(words.some((word) => word.toLowerCase() === wanted.toLowerCase()));
        expect(matcher.meetsTask(text.toUpperCase())).toBe(asked);
        if (separator === "/") expect(matcher.meetsPath(text)).toBe(asked);
      }),
    );
  });

  const cases = readCases<[word: string, text: string, meets: boolean]>("context/rules/match.in");
  it.each(cases)("%j in %j: %s", (word, text, meets) => {
    expect(withMatcher({ ...NOTHING, words: [word] }).meetsTask(text)).toBe(meets);
  });

  it("do not meet the record, which is named after tasks", () => {
    const matcher = withMatcher({ ...NOTHING, words: ["auth"], paths: [".gaia/a.md"] });
    expect(matcher.meetsPath(".gaia/auth/plan.md")).toBe(false);
    expect(matcher.meetsPath(".gaia/a.md")).toBe(true);
  });
});

describe("patterns", () => {
  const hostile = fc.string({
    unit: fc.constantFrom(..."a b * ** ? [ ] { } , ! - / . (".split(" ")),
    maxLength: 60,
  });
  it("never throw and always end, whatever they are", () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 5 }), hostile, (paths, path) => {
        expect(typeof withMatcher({ ...NOTHING, paths }).meetsPath(path)).toBe("boolean");
      }),
    );
    const deep = Array.from({ length: 400 }, () => "a").join("/");
    const stars = `${"**/a/".repeat(59)}b`;
    expect(withMatcher({ ...NOTHING, paths: [stars, `${"*a".repeat(140)}b`] }).meetsPath(deep)).toBe(false);
    const long = withMatcher({ ...NOTHING, paths: [`${"*a".repeat(140)}b`] });
    expect(long.meetsPath("a".repeat(4_000))).toBe(false);
  });

  it("leave out again what stands behind an exclamation mark", () => {
    const matcher = withMatcher({ ...NOTHING, paths: ["!src/**/*.test.ts", "src/**"] });
    expect(matcher.meetsPath("src/a.ts")).toBe(true);
    expect(matcher.meetsPath("src/a.test.ts")).toBe(false);
  });
});
