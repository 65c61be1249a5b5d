import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asWords, createMatcher, proseOf } from "../../../src/context/rules/match.ts";

const NOTHING = { paths: [], words: [], always: false };
const letters = fc.string({ unit: fc.constantFrom("a", "b", "c", "é", "1"), minLength: 1, maxLength: 6 });
const between = fc.constantFrom(" ", ", ", "\n", "-", "_", "/", " (", ": ", '"');

describe("words", () => {
  it("meet a text in which they stand by themselves, in any case, and none in which they do not", () => {
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 12 }), letters, between, (words, wanted, separator) => {
        const matcher = createMatcher({ ...NOTHING, words: [wanted] });
        const text = words.join(separator);
        const asked = matcher.meetsTask(asWords(proseOf(text)));
        expect(asked).toBe(words.some((word) => word.toLowerCase() === wanted.toLowerCase()));
        expect(matcher.meetsTask(asWords(text.toUpperCase()))).toBe(asked);
        if (separator === "/") expect(matcher.meetsPath(text)).toBe(asked);
      }),
    );
  });

  it.each<[word: string, text: string, meets: boolean]>([
    ["auth", "Fix authorize()", false],
    ["auth", "Fix the author", false],
    ["auth", "OAuth", false],
    ["auth", "auth_token and auth.ts", true],
    ["auth", "the AuthService", true],
    ["auth", "userAuth", true],
    ["auth", "```\nauth\n```\nFix it", false],
    ["auth", "Fix it\n~~~ts\nauth", false],
    ["rate limit", "rate-limit, please", true],
    ["rate limit", "rate limits", false],
    ["c++", "the C++ part", true],
    ["c++", "the c part", false],
    [".net", "in .NET", true],
    ["ação", "a AÇÃO do dia", true],
    ["caf\u00e9", "cafe\u0301", true],
    ["GraphQL", "Fix the graphql schema", true],
    ["graphql", "Fix the GraphQL schema", true],
    ["graphql schema", "Fix the GraphQL schema", true],
    ["TypeScript", "in src/typescript/a.ts", true],
    ["rateLimit", "the rate limit", true],
    ["rate limit", "src/rateLimit.ts", true],
    ["ratelimit", "src/rateLimits.ts", false],
    ["schema fix", "Fix the GraphQL schema", false],
    ["\uc778\uc99d", "\uc778\uc99d\uc744 \uace0\uccd0", true],
    ["\u1780\u17b6\u179a", "\u1798\u17b6\u1793\u1780\u17b6\u179a\u1784\u17b6\u179a", true],
    ["\u8ba4\u8bc1", "\u4fee\u590d\u8ba4\u8bc1\u6d41\u7a0b", true],
    ["", "anything", false],
    ["  ", "anything", false],
  ])("%j in %j: %s", (word, text, meets) => {
    expect(createMatcher({ ...NOTHING, words: [word] }).meetsTask(asWords(proseOf(text)))).toBe(meets);
  });

  it("do not meet the record, which is named after tasks", () => {
    const matcher = createMatcher({ ...NOTHING, words: ["auth"], paths: [".gaia/a.md"] });
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
        expect(typeof createMatcher({ ...NOTHING, paths }).meetsPath(path)).toBe("boolean");
      }),
    );
    const deep = Array.from({ length: 400 }, () => "a").join("/");
    const stars = `${"**/a/".repeat(59)}b`;
    expect(createMatcher({ ...NOTHING, paths: [stars, `${"*a".repeat(140)}b`] }).meetsPath(deep)).toBe(false);
    expect(createMatcher({ ...NOTHING, paths: [`${"*a".repeat(140)}b`] }).meetsPath("a".repeat(4_000))).toBe(
      false,
    );
  });

  it("leave out again what stands behind an exclamation mark", () => {
    const matcher = createMatcher({ ...NOTHING, paths: ["!src/**/*.test.ts", "src/**"] });
    expect(matcher.meetsPath("src/a.ts")).toBe(true);
    expect(matcher.meetsPath("src/a.test.ts")).toBe(false);
  });
});
