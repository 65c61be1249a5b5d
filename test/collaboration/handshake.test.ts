import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  handshakeQuestion,
  parseHandshakeAnswer,
  parseRampAnswer,
  purposeOfQuestion,
  rampQuestion,
  shouldHandshake,
} from "../../src/collaboration/handshake.ts";
import type { Profile } from "../../src/collaboration/knobs.ts";
import { DEFAULTS, play, set } from "./session.ts";

const preferring = (defaultProfile: Profile) => ({
  ...DEFAULTS,
  startup: { ...DEFAULTS.startup, defaultProfile },
});
const labels = (profile: Profile) =>
  handshakeQuestion(preferring(profile)).questions[0]?.options.map((option) => option.label) ?? [];

describe("the question", () => {
  test("offers the five ways of working", () => {
    expect(labels("standard")).toEqual([
      "Pair Live",
      "Pair Batched",
      "Pair Ramp",
      "Agentic + Check-ins",
      "Full Agentic",
    ]);
  });

  test("puts the configured one first and says so", () => {
    expect(labels("pair_ramp")).toEqual([
      "Pair Ramp (your default)",
      "Pair Live",
      "Pair Batched",
      "Agentic + Check-ins",
      "Full Agentic",
    ]);
  });

  test("is known by its header again", () => {
    expect(purposeOfQuestion(handshakeQuestion(DEFAULTS).questions[0]?.header ?? "")).toBe("handshake");
    expect(purposeOfQuestion(rampQuestion().questions[0]?.header ?? "")).toBe("ramp");
    expect(purposeOfQuestion("Library")).toBe("other");
  });
});

describe("the answer", () => {
  test.each<[string, Profile | null]>([
    ["Pair Live", "pair_live"],
    ["Pair Ramp (your default)", "pair_ramp"],
    ["agentic + check-ins", "agentic_checkpoint"],
    ["agentic_full", "agentic_full"],
    ["full agentic!", "agentic_full"],
    ["  pair   batched ", "pair_batched"],
    ["standard", "standard"],
    ["", null],
    ["not full agentic", null],
    ["full agentic but only for tests", null],
    ["autopilot", null],
    ["constructor", null],
  ])("%j is %s", (text, profile) => {
    expect(parseHandshakeAnswer([[text]])).toBe(profile);
  });

  test.each([[[]], [[[]]], [[["Pair Live", "Full Agentic"]]]])("%j is none", (answers) => {
    expect(parseHandshakeAnswer(answers)).toBeNull();
  });

  test("never throws, and every offered label is understood", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.string())), (answers) => {
        parseHandshakeAnswer(answers);
        parseRampAnswer(answers);
      }),
    );
    for (const label of labels("pair_live")) expect(parseHandshakeAnswer([[label]])).not.toBeNull();
    for (const { label } of rampQuestion().questions[0]?.options ?? []) {
      expect(parseRampAnswer([[label]])).not.toBeNull();
    }
  });
});

describe("when it is asked", () => {
  const fresh = play([]).state;
  const open = { canAsk: true, newWork: true };
  test.each([
    ["new work with somebody to ask", fresh, open, DEFAULTS, true],
    ["nobody to ask", fresh, { ...open, canAsk: false }, DEFAULTS, false],
    ["work that goes on", fresh, { ...open, newWork: false }, DEFAULTS, false],
    [
      "switched off",
      fresh,
      open,
      { ...DEFAULTS, startup: { ...DEFAULTS.startup, askAtTaskStart: false } },
      false,
    ],
    [
      "a profile was chosen already",
      play([set({ knob: "profile", value: "pair_live" })]).state,
      open,
      DEFAULTS,
      false,
    ],
    [
      "the session has ended",
      play([{ type: "session-ended", sessionId: "root" }]).state,
      open,
      DEFAULTS,
      false,
    ],
  ])("%s", (_name, state, now, defaults, expected) => {
    expect(shouldHandshake(state, now, defaults)).toBe(expected);
  });
});
