import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Profile } from "../../../src/config/knobs.ts";
import {
  ownQuestion,
  parseHandshakeAnswer,
  parseRampAnswer,
} from "../../../src/conversation/questions/handshake.ts";
import { DEFAULTS, play, set } from "../collaboration/session.ts";
const RAMPED = {
  ...play([set({ knob: "profile", value: "pair_ramp" })]).state,
  rampBatches: DEFAULTS.startup.rampWarmupBatches,
};
const labels = (defaultProfile: Profile, of: "handshake" | "ramp" = "handshake") =>
  ownQuestion(of === "ramp" ? RAMPED : play([]).state, of, {
    ...DEFAULTS,
    startup: { ...DEFAULTS.startup, defaultProfile },
  })?.options.map(({ label }) => label) ?? [];

describe("the answer", () => {
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
