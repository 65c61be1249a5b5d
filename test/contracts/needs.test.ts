import { describe, expect, it } from "vitest";
import { readNeeds } from "../../src/contracts/needs.ts";

const EMPTY = { ok: true, data: { notes: [], summary: "" }, errors: [] };
const ANSWER = { ok: true, data: { notes: ["It was slow"], summary: "Done" }, errors: [] };
const block = (value: object) => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;
const CONTRACT = '```json\n{"ok": true, "data": {}}\n```';

describe("what a specialist needs", () => {
  it.each([
    "Which database should I use, Postgres or SQLite?",
    "I looked at the schema.\n\nPlease confirm that the old column may go.",
    "I cannot continue: the migration tool is not installed.",
    "I can’t do this without write access.",
    "There is no token, so I am blocked on the staging server.",
    "The task is not clear. Let me know whether both forms are to be kept.",
    "I need more information about the format.",
  ])("is read in %j", (prose) => {
    expect(readNeeds(prose, null)).toBe(prose.replaceAll("’", "'"));
    expect(readNeeds(`${prose}\n${CONTRACT}`, null)).toBe(prose.replaceAll("’", "'"));
  });

  it.each([
    "Done. All tests pass.",
    "",
    CONTRACT,
    "I asked myself: is it safe? It is.\nIt is\nall\nvery\nsafe.",
  ])("is nothing in %j", (prose) => {
    expect(readNeeds(prose, null)).toBeNull();
  });

  it("beside a contract is asked for in the last line only, and a reason to stop stands in the contract", () => {
    expect(readNeeds(`Is it safe?\nIt is.\n${CONTRACT}`, ANSWER)).toBeNull();
    expect(readNeeds(`I could not find a fault.\n${CONTRACT}`, ANSWER)).toBeNull();
    expect(readNeeds(`It is ambiguous.\nShall both be kept?\n${CONTRACT}`, ANSWER)).toContain(
      "both be kept?",
    );
  });

  it("is not lost behind a contract that holds nothing", () => {
    const text = `Which database should I use?\n\nHere is my result:\n${block(EMPTY)}`;
    expect(readNeeds(text, EMPTY)).toContain("Which database should I use?");
    expect(readNeeds(text, ANSWER)).toBeNull();
  });

  it("is read above a long list as well", () => {
    const text = "Which database should I use, a or b?\n- a\n- is fast\n- b\n- is small\n- and has no server";
    expect(readNeeds(text, null)).toContain("Which database should I use");
  });

  it.each([
    { ...ANSWER, questions: ["a or b?"] },
    { ...ANSWER, data: { ...ANSWER.data, open_questions: "a or b?" } },
    { ...ANSWER, needs_clarification: ["a or b?"] },
    { ...ANSWER, Questions_for_user: [{ question: "a or b?" }] },
  ])("is read where the contract has no place for it: %j", (said) => {
    expect(readNeeds(block(said), ANSWER)).toContain("a or b?");
  });

  it.each([
    { ...ANSWER, questions: [] },
    { ...ANSWER, open_questions: ["none"] },
    { ...ANSWER, needs: null },
  ])("is nothing in %j", (said) => {
    expect(readNeeds(block(said), ANSWER)).toBeNull();
  });

  it("stands in the contract where that has a place for it", () => {
    const said = { ...ANSWER, data: { questions: ["a or b?"] } };
    expect(readNeeds(block(said), said)).toBeNull();
  });
});
