import { describe, expect, it } from "vitest";
import { excerpt, head, tail } from "../../src/lib/text.ts";
import { readCases } from "../support/cases.ts";

const FAMILY = "👨‍👩‍👧";

describe("what is too long", () => {
  it.each(readCases<[string, number, string]>("lib/excerpt.is-cut-behind-a-word"))(
    "is cut behind a word: %j at %i",
    (text, max, expected) => {
      expect(excerpt(text, max)).toBe(expected);
    },
  );

  it.each(["😀😀😀😀", "e\u0301e\u0301e\u0301e\u0301", "漢字漢字", `${FAMILY}${FAMILY}`, "👍🏽👍🏽", "☀️☀️☀️"])(
    "loses whole characters only: %s",
    (text) => {
      const parts = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
      const begins = parts.map((_, index) => `${parts.slice(0, index).join("")}…`);
      const ends = parts.map((_, index) => `…${parts.slice(index + 1).join("")}`);
      for (let max = 1; max < text.length; max += 1) {
        expect(begins).toContain(head(text, max));
        expect(begins).toContain(excerpt(text, max));
        expect(ends).toContain(tail(text, max));
        for (const cut of [head, excerpt, tail]) expect(cut(text, max).length).toBeLessThanOrEqual(max);
      }
    },
  );
});
