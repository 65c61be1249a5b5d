import { describe, expect, it } from "vitest";
import { isBelow, isInRange } from "../../src/lib/version-range.ts";
import { readCases } from "../support/cases.ts";

describe("isInRange", () => {
  it.each(readCases<[string, string, boolean | null]>("lib/version-range.is-in-range"))(
    "%s in %s: %s",
    (version, range, expected) => {
      expect(isInRange(version, range)).toBe(expected);
    },
  );

  it("tells too old from too new", () => {
    expect([isBelow("1.10.0", ">=1.18.33 <2"), isBelow("2.1.0", ">=1.18.33 <2")]).toEqual([true, false]);
  });
});
