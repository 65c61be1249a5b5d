import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { terminalText } from "../../src/lib/terminal-text.ts";

describe("a text for a terminal", () => {
  it.each([
    ["plain, with\ttabs\nand lines", "plain, with\ttabs\nand lines"],
    ["\u001B[31mred\u001B[0m", "red"],
    ["\u001B[2J\u001B[1;1Hhidden", "hidden"],
    ["\u001B]0;owned\u0007title", "title"],
    ["\u001B]8;;http://evil\u001B\\link\u001B]8;;\u001B\\", "link"],
    ["\u009B31mred", "red"],
    ["\u001BP1$r\u001B\\x\u001Bc", "x"],
    ["back\b\b and bell\u0007", "back and bell"],
    ["over\rwritten\r\nline", "overwritten\nline"],
    ["\u202Egnp.exe\u202C", "gnp.exe"],
    ["مرحبا 👩‍🚀 ❤️ می‌خواهم", "مرحبا 👩‍🚀 ❤️ می‌خواهم"],
  ])("%j is %j", (text, shown) => {
    expect(terminalText(text)).toBe(shown);
  });

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
