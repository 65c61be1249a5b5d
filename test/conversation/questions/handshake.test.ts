import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Profile } from "../../../src/config/knobs.ts";
import {
  isHandshakeDue,
  ownQuestion,
  parseHandshakeAnswer,
  parseRampAnswer,
} from "../../../src/conversation/questions/handshake.ts";
import { DEFAULTS, play, ROOT_ENDED, set } from "../collaboration/session.ts";

const SWITCHED_OFF = { ...DEFAULTS, startup: { ...DEFAULTS.startup, askAtTaskStart: false } };
const RAMPED = {
  ...play([set({ knob: "profile", value: "pair_ramp" })]).state,
  ramp: { batches: 2, asked: true },
};
const labels = (defaultProfile: Profile, of: "handshake" | "ramp" = "handshake") =>
  ownQuestion(of === "ramp" ? RAMPED : play([]).state, of, {
    ...DEFAULTS,
    startup: { ...DEFAULTS.startup, defaultProfile },
  })?.options.map(({ label }) => label) ?? [];

test("the handshake offers the six ways of working, the configured one first", () => {
  const six = ["Standard", "Pair Live", "Pair Batched", "Pair Ramp", "Agentic + Check-ins", "Full Agentic"];
  expect(labels("standard")).toEqual(["Standard (your default)", ...six.slice(1)]);
  expect(labels("pair_ramp")).toEqual([
    "Pair Ramp (your default)",
    ...six.filter((each) => each !== "Pair Ramp"),
  ]);
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
    expect(labels("standard", "ramp")).toHaveLength(3);
    for (const label of labels("standard", "ramp")) expect(parseRampAnswer([[label]])).not.toBeNull();
  });
});

test.each([
  ["at the beginning", [], DEFAULTS, true],
  ["when it is switched off", [], SWITCHED_OFF, false],
  ["when the configuration names a mode", [], { ...DEFAULTS, mode: "autopilot" as const }, false],
  ["when a profile was chosen", [set({ knob: "profile", value: "pair_live" })], DEFAULTS, false],
  ["when a mode was set", [set({ knob: "mode", value: "autopilot" })], DEFAULTS, false],
  ["when a mere view was set", [set({ knob: "visibility", value: "live" })], DEFAULTS, true],
  ["after the end", [ROOT_ENDED], DEFAULTS, false],
])("the handshake is due %s", (_name, scenes, defaults, expected) => {
  expect(isHandshakeDue(play(scenes).state, defaults)).toBe(expected);
});
