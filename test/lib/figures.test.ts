import { describe, expect, it } from "vitest";
import { renderDuration, renderExactDuration, renderShortDuration } from "../../src/lib/figures.ts";
import { readCases } from "../support/cases.ts";

describe("a duration", () => {
  it.each(readCases<[number, string, string, string]>("lib/figures.of-ms-is"))(
    "of %d ms is %s, %s, %s",
    (ms, whole, exact, short) => {
      expect(renderDuration(ms)).toBe(whole);
      expect(renderExactDuration(ms)).toBe(exact);
      expect(renderShortDuration(ms)).toBe(short);
    },
  );
});
