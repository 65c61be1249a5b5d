import { describe, expect, it } from "vitest";
import { readTyped } from "../../src/tui/typed-command.ts";

describe("what is typed", () => {
  it.each([
    ["/gaia-status", "gaia-status"],
    [" /gaia-checkin ", "gaia-checkin"],
    ["/gaia-status --help", "gaia-status"],
    ["/gaia-checkin x", "gaia-checkin"],
    ["/gaia", "gaia"],
    ["/gaia pair", "gaia"],
    ["/locked", "locked"],
    ["/profile  Pair Live", "profile pair_live"],
    ["/review deep-repo", "review deep_repo"],
    ["Rejected bash because: /gaia-status", "gaia-status"],
    ["Rejected the plan because: /locked", "locked"],
  ])("is carried out by the panel: %s", (text, command) => {
    expect(readTyped(text, false)).toEqual({ command, isMistaken: false });
  });

  it.each(["/cadence weekly", "/cadence", "/locked and now fix it"])("is a mistake: %s", (text) => {
    expect(readTyped(text, false)).toMatchObject({ isMistaken: true });
  });

  it.each([
    "",
    "/",
    "locked",
    "say /locked",
    "Rejected bash because: use /locked",
    "/gaia-plan x",
    "/lockedx",
    "/review the last commit",
    "/gaia-status and say why",
    "/gaia build a form",
  ])("is OpenCode's own: %j", (text) => {
    expect(readTyped(text, false)).toBeNull();
  });

  it("turns no knob while specialists work: a typed command alone may loosen what holds them", () => {
    expect(readTyped("/autopilot", true)).toBeNull();
    expect(readTyped("/gaia-status", true)).toEqual({ command: "gaia-status", isMistaken: false });
  });
});
