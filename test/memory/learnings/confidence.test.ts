import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { confidenceOf, describeConfidence } from "../../../src/memory/learnings/confidence.ts";
import { idOfLearning } from "../../../src/workspace/documents/learning.ts";

const NOW = Date.parse("2026-06-01");
const evidence = (confirmed: number, contradicted: number, last = "2026-05-01") =>
  new Map([[idOfLearning("Use pnpm."), { confirmed, contradicted, last }]]);
const learning = (date: string, confidence?: number) => ({ text: "use pnpm", date, confidence });

describe("confidence", () => {
  it.each([
    ["a new line", learning("2026-05-30"), new Map(), ""],
    ["what its line says", learning("2026-05-30", 0.9), new Map(), "confidence 0.9"],
    ["a line without a day", learning(""), new Map(), ""],
    ["confirmations", learning("2026-05-30"), evidence(3, 0), "confidence 0.88: confirmed 3 times"],
    ["a contradiction", learning("2026-05-30"), evidence(0, 1), "low confidence 0.47: contradicted once"],
    [
      "both",
      learning("2026-05-30"),
      evidence(1, 2),
      "low confidence 0.48: confirmed once, contradicted 2 times",
    ],
    ["age", learning("2024-06-01"), new Map(), "low confidence 0.35: not confirmed for 730 days"],
    [
      "an old line confirmed lately",
      learning("2024-06-01"),
      evidence(1, 0),
      "confidence 0.8: confirmed once",
    ],
    [
      "an old line contradicted lately",
      learning("2024-06-01"),
      evidence(0, 1),
      "low confidence 0.23: contradicted once, not confirmed for 730 days",
    ],
  ])("is told for %s", (_what, given, known, told) => {
    expect(describeConfidence(given, known, NOW)).toBe(told);
  });

  it("never leaves 0 to 1, grows with each confirmation and falls with each contradiction", () => {
    const count = fc.nat({ max: 50 });
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(count, count, share, fc.nat({ max: 3_000 }), (yes, no, said, days) => {
        const given = learning(new Date(NOW - days * 86_400_000).toISOString().slice(0, 10), said);
        const of = (confirmed: number, contradicted: number): number =>
          confidenceOf(given, evidence(confirmed, contradicted, given.date), NOW).value;
        expect(of(yes, no)).toBeGreaterThanOrEqual(0);
        expect(of(yes + 1, no)).toBeLessThanOrEqual(1);
        expect(of(yes + 1, no)).toBeGreaterThanOrEqual(of(yes, no));
        expect(of(yes, no + 1)).toBeLessThanOrEqual(of(yes, no));
      }),
      { numRuns: 200 },
    );
  });
});
