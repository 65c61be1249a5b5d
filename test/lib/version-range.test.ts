import { describe, expect, it } from "vitest";
import { isBelow, isInRange } from "../../src/lib/version-range.ts";

describe("isInRange", () => {
  it.each([
    ["1.18.33", ">=1.18.33 <2", true],
    ["v1.18.33\n", ">=1.18.33 <2", true],
    ["1.18.32", ">=1.18.33 <2", false],
    ["1.19.0-beta.1", ">=1.18.33 <2", true],
    ["2.0.0", ">=1.18.33 <2", false],
    ["1.100.0", ">=1.18.33 <2", true],
    ["20.19.0", ">=20", true],
    ["18.20.0", ">=20", false],
    ["1.0.0", "*", true],
    ["1.2.3", "1.2.3", true],
    ["2.0.0", ">1 <=2", true],
    ["local", ">=1", null],
  ])("%s in %s: %s", (version, range, expected) => {
    expect(isInRange(version, range)).toBe(expected);
  });

  it("tells too old from too new", () => {
    expect([isBelow("1.10.0", ">=1.18.33 <2"), isBelow("2.1.0", ">=1.18.33 <2")]).toEqual([true, false]);
  });
});
