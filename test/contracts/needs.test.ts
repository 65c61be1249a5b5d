import { describe, expect, it } from "vitest";
import { readNeeds } from "../../src/contracts/needs.ts";

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
    expect(readNeeds(prose, false)).toBe(prose.replaceAll("’", "'"));
    expect(readNeeds(`${prose}\n${CONTRACT}`, false)).toBe(prose.replaceAll("’", "'"));
  });

  it.each([
    "Done. All tests pass.",
    "",
    CONTRACT,
    "I asked myself: is it safe? It is.\nIt is\nall\nvery\nsafe.",
  ])("is nothing in %j", (prose) => {
    expect(readNeeds(prose, false)).toBeNull();
  });

  it("beside a contract is asked for in the last line only, and a reason to stop stands in the contract", () => {
    expect(readNeeds(`Is it safe?\nIt is.\n${CONTRACT}`, true)).toBeNull();
    expect(readNeeds(`I could not find a fault.\n${CONTRACT}`, true)).toBeNull();
    expect(readNeeds(`It is ambiguous.\nShall both be kept?\n${CONTRACT}`, true)).toContain("both be kept?");
  });
});
