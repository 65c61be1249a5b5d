import { describe, expect, it } from "vitest";
import { renderDuration, renderExactDuration, renderShortDuration } from "../../src/lib/figures.ts";

describe("a duration", () => {
  it.each([
    [-5, "0 s", "-0.0 s", "0s"],
    [0, "0 s", "0.0 s", "0s"],
    [8_400, "8 s", "8.4 s", "8s"],
    [59_600, "1 min 0 s", "59.6 s", "1m00s"],
    [99_900, "1 min 40 s", "99.9 s", "1m40s"],
    [125_000, "2 min 5 s", "2 min 5 s", "2m05s"],
    [3_599_900, "1 h 0 min", "1 h 0 min", "1h00m"],
    [90_061_000, "25 h 1 min", "25 h 1 min", "25h01m"],
  ])("of %d ms is %s, %s, %s", (ms, whole, exact, short) => {
    expect(renderDuration(ms)).toBe(whole);
    expect(renderExactDuration(ms)).toBe(exact);
    expect(renderShortDuration(ms)).toBe(short);
  });
});
