import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  handshakeQuestion,
  parseHandshakeAnswer,
  parseRampAnswer,
  purposeOfQuestion,
  rampQuestion,
  isHandshakeDue,
} from "../../../src/conversation/questions/questions.ts";
import type { CollaborationDefaults } from "../../../src/conversation/collaboration/knobs.ts";
import type { Profile } from "../../../src/config/knobs.ts";
import type { CollaborationState } from "../../../src/conversation/collaboration/state.ts";
import { DEFAULTS, play, set, ROOT_ENDED } from "./session.ts";

const preferring = (defaultProfile: Profile) => ({
  ...DEFAULTS,
  startup: { ...DEFAULTS.startup, defaultProfile },
});
const SWITCHED_OFF = { ...DEFAULTS, startup: { ...DEFAULTS.startup, askAtTaskStart: false } };
const labels = (profile: Profile) =>
  handshakeQuestion(preferring(profile)).questions[0]?.options.map((option) => option.label) ?? [];

describe("the question", () => {
  test("offers the six ways of working, what holds without an answer first", () => {
    expect(labels("standard")).toEqual([
      "Standard (your default)",
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
      "Standard",
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

describe("is due", () => {
  test.each<[string, CollaborationState, CollaborationDefaults, boolean]>([
    ["at the beginning", play([]).state, DEFAULTS, true],
    ["when it is switched off", play([]).state, SWITCHED_OFF, false],
    ["when the configuration names a mode", play([]).state, { ...DEFAULTS, mode: "autopilot" }, false],
    [
      "when a profile was chosen",
      play([set({ knob: "profile", value: "pair_live" })]).state,
      DEFAULTS,
      false,
    ],
    ["when a mode was set", play([set({ knob: "mode", value: "autopilot" })]).state, DEFAULTS, false],
    ["when a mere view was set", play([set({ knob: "visibility", value: "live" })]).state, DEFAULTS, true],
    ["after the end", play([ROOT_ENDED]).state, DEFAULTS, false],
  ])("%s", (_name, state, defaults, expected) => {
    expect(isHandshakeDue(state, defaults)).toBe(expected);
  });
});
