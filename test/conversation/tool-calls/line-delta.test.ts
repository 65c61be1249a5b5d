import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineDelta } from "../../../src/conversation/tool-calls/tool-fact.ts";

describe("lineDelta", () => {
  it.each([
    ["", "", 0, 0],
    ["", "a\nb\n", 2, 0],
    ["a\nb\n", "", 0, 2],
    ["a\nb\nc\n", "a\nx\nc\n", 1, 1],
    ["one\ntwo\n", "one\n2\nthree\n", 2, 1],
    ["a\nb\nc\nd\n", "b\nx\nd\n", 1, 2],
    ["a\r\nb\r\n", "a\nb\n", 0, 0],
  ])("from %j to %j", (before, after, added, removed) => {
    expect(lineDelta(before, after)).toEqual({ added, removed });
  });

  it("adds up for any two texts, and knows when nothing changed", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, (left, right) => {
        const { added, removed } = lineDelta(left.join("\n"), right.join("\n"));
        expect(left.length - removed).toBe(right.length - added);
        expect(added + removed === 0).toBe(left.join("\n") === right.join("\n"));
      }),
    );
  });

  it("takes a long text for replaced rather than compare for ever", () => {
    const lines = (mark: string) => Array.from({ length: 3_000 }, (_, index) => `${mark}${index}`).join("\n");
    expect(lineDelta(lines("a"), lines("b"))).toEqual({ added: 3_000, removed: 3_000 });
  });
});
