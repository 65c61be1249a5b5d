import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainText } from "../../src/lib/markdown.ts";
import { excerpt, head, tail, terminalText } from "../../src/lib/text.ts";
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

describe("markdown where nothing renders it", () => {
  it.each(readCases<[string, string]>("lib/plain-text.reads-where-nothing-renders-it"))(
    "%j reads %j",
    (markdown, plain) => {
      expect(plainText(markdown)).toBe(plain);
    },
  );

  // Where each sign was looked at from each other one, this took minutes.
  it.each(["<!--", "**a ", "[", "[a](http:"])("comes to its end in a long line of %j", (sign) => {
    expect(plainText(sign.repeat(150_000))).toEqual(expect.any(String));
  });
});

describe("a text for a terminal", () => {
  it.each(readCases<[string, string]>("lib/terminal-text.a-text-for-a-terminal"))(
    "%j is %j",
    (text, shown) => {
      expect(terminalText(text)).toBe(shown);
    },
  );

  it("holds no control character, whatever it is made of, and is itself once it is one", () => {
    const piece = fc.constantFrom(..."\u001B \u001B\\ [ ] m \u0007 \u009B \r 1 x \u202E \n".split(" "));
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, (given) => {
        const shown = terminalText(given);
        // oxlint-disable-next-line no-control-regex
        expect(shown).not.toMatch(/[\0-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/);
        expect(terminalText(shown)).toBe(shown);
      }),
    );
  });
});
