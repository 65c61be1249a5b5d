import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutClasses } from "../../src/policy/glob.ts";

describe("withoutClasses", () => {
  it("finds the bracket expressions that an expression of at most 64 characters finds", () => {
    const part = fc.constantFrom("[", "]", "a", "-", "*", "/", "[a-z]", "[]", "x".repeat(63), "x".repeat(64));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.constantFrom("", "?"), (parts, mark) => {
        const pattern = parts.join("");
        expect(withoutClasses(pattern, mark)).toBe(pattern.replaceAll(/\[[^\]]{0,64}\]/gu, mark));
      }),
      { numRuns: 2_000 },
    );
  });
});
