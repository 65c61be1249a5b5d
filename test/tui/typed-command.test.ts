import { describe, expect, it } from "vitest";
import { readTyped } from "../../src/tui/typed-command.ts";
import { readCases } from "../support/cases.ts";

describe("what is typed", () => {
  it.each(readCases<[string, string]>("tui/typed-command.is-carried-out-by-the"))(
    "is carried out by the panel: %s",
    (text, command) => {
      expect(readTyped(text, false)).toEqual({ command, isMistaken: false });
    },
  );

  it.each(["/cadence weekly", "/cadence", "/locked and now fix it"])("is a mistake: %s", (text) => {
    expect(readTyped(text, false)).toMatchObject({ isMistaken: true });
  });

  it.each(readCases<string>("tui/typed-command.is-open-code-s-own"))("is OpenCode's own: %j", (text) => {
    expect(readTyped(text, false)).toBeNull();
  });

  it("turns no knob while specialists work: a typed command alone may loosen what holds them", () => {
    expect(readTyped("/autopilot", true)).toBeNull();
    expect(readTyped("/gaia-status", true)).toEqual({ command: "gaia-status", isMistaken: false });
  });
});
