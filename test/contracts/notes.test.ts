import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readNotes } from "../../src/contracts/verdict/notes.ts";

const texts = (data: object, isApproval = true, prose = ""): string[] =>
  readNotes({ data }, prose, isApproval).map(({ place, text }) => `${place} | ${text}`);

describe("what a reviewer notes beside the verdict", () => {
  it.each<[string, object, string[]]>([
    [
      "a marked line",
      { failures: ["NOTE src/a.ts:12 name is odd"] },
      ["src/a.ts:12 | src/a.ts:12 name is odd"],
    ],
    ["in brackets and bold", { notes: "- **[NOTE]** `a.ts:3`: odd" }, ["a.ts:3 | a.ts:3`: odd"]],
    ["small, with a colon", { x: "note: lib/b.py:1 slow" }, ["lib/b.py:1 | lib/b.py:1 slow"]],
    [
      "several in one text",
      { x: "NOTE a.ts:1 one; BLOCK b.ts:2 two. NOTE c.ts:3 three" },
      ["a.ts:1 | a.ts:1 one", "c.ts:3 | c.ts:3 three"],
    ],
    ["as an object", { list: [{ severity: "NOTE", path: "a.ts", line: 4, issue: "odd" }] }, ["a.ts:4 | odd"]],
    [
      "graded as minor",
      { vulnerabilities: [{ severity: "low", issue: "a.ts:9 leaks a name" }] },
      ["a.ts:9 | a.ts:9 leaks a name"],
    ],
    ["without a place", { x: ["NOTE: no test for empty input"] }, [" | no test for empty input"]],
    ["what nobody fixes under an approval", { x: "FIX a.ts:1 typo" }, ["a.ts:1 | a.ts:1 typo"]],
  ])("%s", (_name, data, expected) => {
    expect(texts(data)).toEqual(expected);
  });

  it.each<[string, object]>([
    ["a word of a sentence", { x: "Note that this is fine", y: "notes are kept", z: "NOTEBOOK a.ts:1" }],
    ["what rejects", { x: "BLOCK a.ts:1 no", list: [{ severity: "high", issue: "a.ts:1 broken" }] }],
    ["small fixes as words", { fixes: ["fix the import", "Fix: add it"] }],
  ])("not %s", (_name, data) => {
    expect(texts(data)).toEqual([]);
  });

  it("reads the reason and the words around, and leaves what is to be fixed after a rejection", () => {
    const answer = { data: {}, outcome: { verdict: "REJECT", reason: "FIX a.ts:1 it; NOTE b.ts:2 odd" } };
    expect(readNotes(answer, "Hm.\nNOTE c.ts:3 also odd", false).map(({ place }) => place)).toEqual([
      "b.ts:2",
      "c.ts:3",
    ]);
  });

  it("never throws, and is bounded", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (data, prose) => {
        const found = readNotes({ data }, prose, true);
        expect(found.length).toBeLessThanOrEqual(20);
        expect(found.every(({ place, text }) => place.length <= 240 && text.length <= 240)).toBe(true);
      }),
    );
    expect(
      readNotes({ data: Array.from({ length: 99 }, (_, at) => `NOTE a:${at} x`) }, "", true),
    ).toHaveLength(20);
  });
});
