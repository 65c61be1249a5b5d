import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { terminalText } from "../../src/lib/text.ts";
import { readCases } from "../support/cases.ts";

describe("a text for a terminal", () => {
  it.each(readCases<[string, string]>("lib/terminal-text.a-text-for-a-terminal"))(
    "%j is %j",
    (text, shown) => {
      expect(terminalText(text)).toBe(shown);
    },
  );

  it("holds no control character, whatever it is made of, and is itself once it is one", () => {
    const piece = fc.constantFrom(
      "\u001B",
      "[",
      "]",
      "m",
      "\u0007",
      "\u009B",
      "\u001B\\",
      "\r",
      "1",
      "x",
      "\u202E",
      "\n",
    );
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
