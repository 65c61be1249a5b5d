import { describe, expect, test } from "vitest";
import type { KnobSetting } from "../../../src/config/knobs.ts";
import {
  type Scene,
  approvedWave,
  AUTOPILOT,
  decisions,
  edit,
  effectOf,
  play,
  set,
  start,
  types,
  ABORTED,
} from "./session.ts";

describe("commands", () => {
  test.each<KnobSetting>([
    { knob: "mode", value: "locked" },
    { knob: "visibility", value: "quiet" },
    { knob: "interaction", value: "pair" },
    { knob: "checkinCadence", value: "batch" },
    { knob: "reviewDepth", value: "deep_repo" },
  ])("$knob $value is set, shown and recorded", (setting) => {
    const played = play([set(setting)]);
    expect(played.state.knobs).toEqual({ ...play([]).state.knobs, [setting.knob]: setting.value });
    expect(types(played)).toEqual(["toast", "decision"]);
    expect(decisions(played)).toMatchObject([
      { type: "mode_switch", answer: `${setting.knob}: ${setting.value}` },
    ]);
  });

  test("handing over control warns", () => {
    expect(effectOf(play([AUTOPILOT]), "toast")).toMatchObject({
      variant: "warning",
      message: expect.stringMatching(/^GAIA mode autopilot: .*refused\.$/),
    });
  });

  test("the user is told of a knob by the command that turns it", () => {
    const told = (setting: KnobSetting): unknown => effectOf(play([set(setting)]), "toast")?.message;
    expect(told({ knob: "checkinCadence", value: "batch" })).toMatch(/^GAIA cadence batch: a check-in /);
    expect(told({ knob: "reviewDepth", value: "risk" })).toMatch(/^GAIA review risk: reviews look /);
    expect(told({ knob: "visibility", value: "quiet" })).toMatch(/^GAIA visibility quiet: /);
  });

  test("a profile records each knob that turned", () => {
    const [row] = decisions(play([set({ knob: "profile", value: "agentic_checkpoint" })]));
    expect(row?.answer).toBe("profile: agentic_checkpoint, mode: autopilot, reviewDepth: risk");
  });

  test("naming what is on already records nothing", () => {
    expect(types(play([set({ knob: "visibility", value: "checkpoint" })]))).toEqual(["toast"]);
  });

  test("two switches within a millisecond are two rows", () => {
    const rows = decisions(
      play([
        { ...AUTOPILOT, at: 5 },
        { ...set({ knob: "mode", value: "locked" }), at: 5 },
      ]),
    );
    expect(new Set(rows.map((row) => row.key)).size).toBe(2);
  });

  test("choosing a profile or a mode answers the handshake, turning another knob does not", () => {
    expect(play([set({ knob: "profile", value: "pair_live" })]).state.handshake).toBe("settled");
    expect(play([AUTOPILOT]).state.handshake).toBe("settled");
    expect(play([set({ knob: "visibility", value: "live" })]).state.handshake).toBe("due");
  });
});

describe("commands at a pause", () => {
  const paused: Scene[] = [set({ knob: "profile", value: "pair_live" }), start(), edit()];

  test.each<[string, Scene, boolean]>([
    ["a profile without pauses lifts it", set({ knob: "profile", value: "agentic_full" }), false],
    ["/standard lifts it", { type: "command", change: { preset: "standard" } }, false],
    ["a mode alone keeps it", AUTOPILOT, true],
    ["another pace keeps it", set({ knob: "checkinCadence", value: "batch" }), true],
    ["visibility keeps it", set({ knob: "visibility", value: "quiet" }), true],
  ])("%s", (_name, scene, stays) => {
    expect(play(paused).state.pause?.reason).toBe("step");
    expect(play([...paused, scene]).state.pause !== null).toBe(stays);
  });

  test("no command lifts the pause of an abort", () => {
    const played = play([...approvedWave(), ABORTED, set({ knob: "profile", value: "agentic_full" })]);
    expect(played.state.pause?.reason).toBe("abort");
  });
});
