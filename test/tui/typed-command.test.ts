import { describe, expect, it } from "vitest";
import type { TypedWhere } from "../../src/commands/free.ts";
import { readTyped } from "../../src/tui/typed-command.ts";
import { readCases } from "../support/cases.ts";

const HERE: TypedWhere = { isAtWork: false, hasUnit: false, isTalk: false };

describe("what is typed", () => {
  it.each(readCases<[string, string]>("tui/typed-command.is-carried-out-by-the"))(
    "is carried out by the panel: %s",
    (text, command) => {
      expect(readTyped(text, HERE)).toBe(command);
    },
  );

  it.each(readCases<string>("tui/typed-command.is-open-code-s-own"))("is OpenCode's own: %j", (text) => {
    expect(readTyped(text, HERE)).toBeNull();
  });

  it.each<[string, Partial<TypedWhere>, boolean]>([
    ["/autopilot", { isAtWork: true }, false],
    ["/gaia-status", { isAtWork: true }, true],
    ["/gaia-unify", {}, true],
    ["/gaia-unify", { hasUnit: true }, false],
    ["/back", {}, false],
    ["/back", { isTalk: true }, true],
  ])("needs a model by where it is typed: %s, %j", (text, where, isFree) => {
    expect(readTyped(text, { ...HERE, ...where }) !== null).toBe(isFree);
  });
});
