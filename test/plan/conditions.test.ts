import { describe, expect, it } from "vitest";
import { parsePlan } from "../../src/plan/grammar.ts";

const conditionCommand = (text: string) => {
  const { conditions, errors } = parsePlan(`## Done When\n\n- ${text}\n`);
  expect(errors).toEqual([]);
  return conditions[0]?.command;
};

describe("the command of a condition", () => {
  it.each([
    ["`npm test`", "npm test"],
    ["`npm test`: the tests pass", "npm test"],
    ["`npm test`:", "npm test"],
    ["`npm test` - the tests pass", "npm test"],
    ["` npm test `", "npm test"],
  ])("is what stands in backticks, with a text behind it: %s", (text, command) => {
    expect(conditionCommand(text)).toBe(command);
  });

  it.each([
    "npm test",
    "npm test passes",
    "`npm test` passes",
    "`npm test` exits 0",
    "`npm test` and `npm run lint`",
    "Run `npm test`",
    "`npm test`is green",
    "`npm test`:it passes",
    "the page looks good",
    "``",
  ])("is none in anything else: %s", (text) => {
    expect(conditionCommand(text)).toBeNull();
  });
});
