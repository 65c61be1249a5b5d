import { describe, expect, it } from "vitest";
import { conditionCommand } from "../../../src/checks/evidence/condition-command.ts";
import { examineCommand } from "../../../src/policy/examine-command.ts";

const shownBy = async (text: string) =>
  conditionCommand(text, async (command) => {
    const { effect, isCheck } = examineCommand(command, { folder: "/w/p", project: "/w/p" });
    return { effect, isCheck };
  });

describe("a condition", () => {
  it.each<[text: string, command: string]>([
    ["npm test passes", "npm test"],
    ["All tests pass (`npm test`)", "npm test"],
    ["`src/a.ts` exports `add`, shown by `npm test`", "npm test"],
    ["`npm test` and `npm run lint` pass", "npm test && npm run lint"],
    ["`npm run lint`, `npm run types`, and `npm test` all pass", "npm run lint && npm run types && npm test"],
    ["`npm test` and again `npm test`", "npm test"],
    ["``npm test`` passes", "npm test"],
    ["**npm test** passes", "npm test"],
    ["$ npm test", "npm test"],
    ["grep -q right answer.txt exits with 0", "grep -q right answer.txt"],
    ["npm run logs exits with 0", "npm run logs"],
    ["node cli.js list exits with 0", "node cli.js list"],
    ["Run: npm test", "npm test"],
    ["npx tsc --noEmit reports no errors", "npx tsc --noEmit"],
    ["npm test passes on Node 20 and 22", "npm test"],
    ["`npm test` no longer fails", "npm test"],
    ["`npm test` fails before and passes after", "npm test"],
    ["`curl -f localhost:3000` returns 200", "curl -f localhost:3000"],
    ["No TODO is left: `grep -r TODO src` prints nothing", "! grep -r TODO src"],
    ["`rg TODO src` has no matches", "! rg TODO src"],
  ])("is shown by a command: %s", async (text, command) => {
    expect(await shownBy(text)).toEqual({ command, isWhole: true });
  });

  it.each<[text: string, command: string]>([
    ["`node cli.js add 1 2` prints 3", "node cli.js add 1 2"],
    ["node cli.js add 1 2 prints 3", "node cli.js add 1 2"],
    ["`node cli.js` exits with code 0 and prints 3", "node cli.js"],
    ["node cli.js prints 3 and exits with 0", "node cli.js"],
    ["`node cli.js` prints 3 and exits with 0", "node cli.js"],
    ["`curl -s localhost:3000` returns 200", "curl -s localhost:3000"],
    ["npm test passes and the README is updated", "npm test"],
    ["npm test passes; someone has looked at the page", "npm test"],
    ["`npm test` passes and the README is updated", "npm test"],
    ["The README is updated and `npm test` passes", "npm test"],
  ])("is shown in part: %s", async (text, command) => {
    expect(await shownBy(text)).toEqual({ command, isWhole: false });
  });

  it.each([
    "tests pass",
    "lint is clean",
    "It works",
    "README.md mentions the flag",
    "`npm test` fails",
    "`npm test` does not pass on main",
    "the `Makefile` has a `test` target",
  ])("is shown by none: %s", async (text) => {
    expect(await shownBy(text)).toBeNull();
  });
});
