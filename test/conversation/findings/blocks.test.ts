import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ASK_FOR_FINDINGS } from "../../../src/conversation/findings/ask.ts";
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
    [
      "[FINDING id: a type: bug where: src/app/[id]/page.tsx:12]\nIt lies.",
      ["a", "bug", "", "src/app/[id]/page.tsx:12", "It lies."],
    ],
    [
      "[FINDING id: a type: bug severity: high where: src/Foo bar:12 scope: api]\nIt lies.",
      ["a", "bug", "api", "src/Foo bar:12", "It lies."],
    ],
    [
      "1. **[Finding id: `a` type: `bug` where: [a.ts:1](a.ts)]** It lies.\n2. **[Finding id: a type: bug]**",
      ["a", "bug", "", "a.ts:1", "It lies."],
    ],
    ["> [FINDING]\n> id: a\n> type: bug\n> It **lies**.\n>\n> More.", ["a", "bug", "", "", "It **lies**."]],
    ["```text\n[FINDING id: a type: bug]\nIt lies.\n```\nMore.", ["a", "bug", "", "", "It lies."]],
    [
      "```\n[FINDING id: a type: bug]\nIt throws for {id: null} and {}.\n```",
      ["a", "bug", "", "", "It throws for {id: null} and {}."],
    ],
    [
      "[FINDING id: a]\r\n- type: docs\r\n- what: It lies.\r\n[/FINDING]\r\nMore.",
      ["a", "docs", "", "", "It lies."],
    ],
    ["[FINDING id: a – type: bug]: It lies.", ["a", "bug", "", "", "It lies."]],
    ["\\[FINDING id: a type: bug\\] It lies.", ["a", "bug", "", "", "It lies."]],
    ["**[FINDING]** id: a, type: bug\nIt lies.", ["a", "bug", "", "", "It lies."]],
    ["[FINDING id: a type: bug]\nIt lies.\n## Next\nOther.", ["a", "bug", "", "", "It lies."]],
    ["[FINDING id: a type: bug]\nIt lies.\n---\nOther.", ["a", "bug", "", "", "It lies."]],
    ["<<<<<<< x\n[FINDING id: a type: bug] It lies.\n=======\nOther.", ["a", "bug", "", "", "It lies."]],
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
    expect(read("I write `[FINDING id: a type: bug]` when I find something.")).toEqual([]);
    expect(read(ASK_FOR_FINDINGS)).toEqual([]);
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
