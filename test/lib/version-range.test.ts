import { expect, it } from "vitest";
import { placeIn } from "../../src/host/supported-versions.ts";
import { readCases } from "../support/cases.ts";

it.each(readCases<[string, string, string | null]>("lib/version-range.is-in-range"))(
  "%s lies to %s: %s",
  (version, range, expected) => {
    expect(placeIn(version, range)).toBe(expected);
  },
);
