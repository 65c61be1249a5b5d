import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFindingBlocks } from "../../../src/conversation/findings/blocks.ts";

const read = (answer: string) =>
  readFindingBlocks(answer, "hades").map(({ id, type, scope, where, what }) => [
    id,
    type,
    scope,
    where,
    what,
  ]);

describe("blocks of findings", () => {
  it.each([
    [
      "[FINDING id: a type: bug scope: api where: src/a.ts:3]\nIt is\nwrong.\n\nMore.",
      ["a", "bug", "api", "src/a.ts:3", "It is wrong."],
    ],
    ['[FINDING id=a, type=bug, where="b c.ts:1"] It is wrong.', ["a", "bug", "", "b c.ts:1", "It is wrong."]],
    ["The button is small [FINDING_ID: x-1] as it was.", ["x-1", "", "", "", "as it was."]],
    [
      "[FINDING id: a]\n- type: docs\n- where: README.md\n- what: It lies.\n[/FINDING]\nMore.",
      ["a", "docs", "", "README.md", "It lies."],
    ],
    ["[FINDING type: bug]\n\nNo id.", ["", "bug", "", "", "No id."]],
  ])("are read from %j", (answer, finding) => {
    expect(read(answer)).toEqual([finding]);
  });

  it("are read from the texts of a contract, each once", () => {
    const block = "[FINDING id: a type: bug]\nIt is wrong.";
    const contract = {
      ok: true,
      data: { notes: [block, "other"] },
      outcome: { reason: `${block}\n\n[FINDING id: b] B.` },
    };
    expect(read(`${block}\n\n\`\`\`json\n${JSON.stringify(contract)}\n\`\`\``).map(([id]) => id)).toEqual([
      "a",
      "b",
    ]);
  });

  it("are none without words, a head, or an end of the head, and no more than twenty", () => {
    expect(read("[FINDING id: a]\n\n[/FINDING]\n[FINDING id: b]\n[FINDING id: c]")).toEqual([]);
    expect(read("A FINDING id: a] of words")).toEqual([]);
    expect(read("[FINDING id: a\ntype: bug")).toEqual([]);
    expect(
      read(Array.from({ length: 50 }, (_, at) => `[FINDING id: n${at}] Words.\n`).join("\n")),
    ).toHaveLength(20);
  });

  it("never throw, and end however long the answer is", () => {
    const piece = fc.constantFrom(
      "[FINDING id: ",
      "[FINDING",
      "]",
      "type:",
      "where=",
      "\n",
      " ",
      '"',
      "{",
      "a",
      "```",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        expect(read(pieces.join("")).length).toBeLessThanOrEqual(20);
      }),
      { numRuns: 100 },
    );
    expect(read("[FINDING id: ".repeat(20_000))).toEqual([]);
    expect(read("[FINDING id: a] b\n".repeat(20_000))).toHaveLength(1);
  });
});
