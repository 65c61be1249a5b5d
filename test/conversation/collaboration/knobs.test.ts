import { describe, expect, test } from "vitest";
import {
  initialKnobs,
  KNOB_COMMANDS,
  type KnobChange,
  applyChange,
  applyProfile,
  paceOf,
} from "../../../src/conversation/collaboration/knobs.ts";
import { knobEntry, KNOB_NAMES, valuesOf, type Knobs } from "../../../src/config/knobs.ts";
import { DEFAULTS } from "./session.ts";

const line = (knobs: Knobs) => Object.values(knobs).join(" ");

describe("profiles", () => {
  test.each([
    ["pair_live", "supervised live pair step inline", "step"],
    ["pair_batched", "supervised live standard batch diff", "batch"],
    ["pair_ramp", "supervised live standard batch diff", "batch"],
    ["agentic_checkpoint", "autopilot checkpoint standard wave risk", null],
    ["agentic_full", "autopilot quiet standard milestone diff", null],
    ["standard", "supervised checkpoint standard wave diff", null],
  ] as const)("%s is %s", (profile, expected, pace) => {
    expect(line(applyProfile(profile))).toBe(`${profile} ${expected}`);
    expect(paceOf(applyProfile(profile))).toBe(pace);
  });

  test.each<[string, Knobs, KnobChange, string]>([
    [
      "/pair keeps name and depth",
      applyProfile("agentic_checkpoint"),
      { preset: "pair" },
      "agentic_checkpoint supervised live pair step risk",
    ],
    [
      "/standard undoes only the pacing",
      applyProfile("pair_live"),
      { preset: "standard" },
      "pair_live supervised live standard wave inline",
    ],
    [
      "/profile standard turns everything",
      applyProfile("pair_live"),
      { knob: "profile", value: "standard" },
      "standard supervised checkpoint standard wave diff",
    ],
    [
      "one knob turns nothing else",
      applyProfile("pair_live"),
      { knob: "mode", value: "autopilot" },
      "pair_live autopilot live pair step inline",
    ],
  ])("%s", (_name, before, change, expected) => {
    expect(line(applyChange(before, change))).toBe(expected);
  });

  test("a wave's end stops the work only in pair interaction, a milestone never", () => {
    const knobs = applyProfile("standard");
    expect(paceOf({ ...knobs, interaction: "pair" })).toBe("wave");
    expect(paceOf({ ...knobs, interaction: "pair", checkinCadence: "milestone" })).toBeNull();
  });
});

describe("the knobs at start", () => {
  const unasked = (defaultProfile: Knobs["profile"]) => ({
    ...DEFAULTS,
    startup: { ...DEFAULTS.startup, askAtTaskStart: false, defaultProfile },
  });

  test.each([
    ["nothing configured", DEFAULTS, "standard supervised checkpoint standard wave diff"],
    [
      "a default profile is only proposed while the handshake is on",
      { ...DEFAULTS, startup: { ...DEFAULTS.startup, defaultProfile: "agentic_full" as const } },
      "standard supervised checkpoint standard wave diff",
    ],
    [
      "without the handshake it applies",
      unasked("agentic_checkpoint"),
      "agentic_checkpoint autopilot checkpoint standard wave risk",
    ],
    [
      "a knob that was configured wins over it",
      { ...unasked("agentic_full"), mode: "locked" as const },
      "agentic_full locked quiet standard milestone diff",
    ],
    [
      "pair alone pauses per batch",
      { ...DEFAULTS, interaction: "pair" as const },
      "standard supervised checkpoint pair batch diff",
    ],
  ])("%s", (_name, defaults, expected) => {
    expect(line(initialKnobs(defaults))).toBe(expected);
  });
});

describe("values", () => {
  test.each(KNOB_NAMES)("of %s: the default is one of them, and each has a meaning and a command", (knob) => {
    const { command, default: preset, values } = knobEntry(knob);
    expect(valuesOf(knob)).toContain(preset);
    for (const [value, entry] of Object.entries(values)) {
      expect(entry.meaning).toMatch(/^\S/);
      expect(entry.command === undefined).toBe(command !== undefined);
      expect(KNOB_COMMANDS).toHaveProperty(command?.name ?? value);
    }
  });
});
