import { describe, expect, test } from "vitest";
import { hasApprovedWave } from "../../../src/conversation/collaboration/state.ts";
import {
  type Scene,
  approvedWave,
  AUTOPILOT,
  bash,
  decisions,
  effectOf,
  play,
  set,
  start,
  withBudgets,
  NEXT,
  ABORTED,
  TICK,
  TURN_ENDED,
  ROOT_ENDED,
  inUnit,
  opened,
  completed,
  asks,
  replies,
  says,
} from "./session.ts";

const askWave = (requestId: string, wave = "w1", workUnit = "unit"): Scene =>
  asks(requestId, "open_wave", { kind: "wave", workUnit, wave, title: "core" });
const askEdit = asks("edit-1");
const rejectEdit = replies("edit-1", "reject");

test("a human's yes approves the wave and is recorded", () => {
  const played = play(approvedWave());
  expect(played.state.wave).toMatchObject({ id: "w1", workUnit: "unit", approved: true });
  expect(hasApprovedWave(played.state)).toBe(true);
  expect(decisions(played)).toMatchObject([
    { type: "wave_approval", answer: "approved", key: "wave:ask-unit-w1", workUnit: "unit" },
  ]);
});

test("a wave that just opens is not approved", () => {
  const played = play([opened("w1")]);
  expect(played.state.wave).toMatchObject({ id: "w1", approved: false });
});

describe("a yes to a plan", () => {
  const opens = { wave: "1", plan: "digest" };
  const agreed: Scene[] = [
    asks("plan", "plan_gaia", { kind: "plan", workUnit: "unit", opens }),
    replies("plan"),
  ];
  const first = opened("w1", "unit", opens);

  test("opens the wave with which it begins, once", () => {
    const played = play([...agreed, inUnit("unit"), first]);
    expect(hasApprovedWave(played.state)).toBe(true);
    expect(decisions(played)).toMatchObject([
      { type: "approval", impact: "Requests of its wave 1 are answered without asking." },
    ]);
    const again: Scene[] = [completed("w1"), first];
    expect(hasApprovedWave(play([...agreed, first, ...again]).state)).toBe(false);
  });

  test.each<[string, Scene[], Scene]>([
    ["another wave of it", [], opened("w1", "unit", { ...opens, wave: "2" })],
    ["another text of it", [], opened("w1", "unit", { ...opens, plan: "other" })],
    ["a wave of no plan", [], opened("1")],
    ["another unit", [], opened("w1", "other", opens)],
    ["one after another wave", [opened("w0")], first],
    ["one after a rejection", [askEdit, rejectEdit], first],
    ["one after the mode was set", [AUTOPILOT, set({ knob: "mode", value: "supervised" })], first],
    ["one after a stop", [ABORTED], first],
    ["one after /undo", [{ type: "taken-back" }], first],
  ])("does not open %s", (_name, scenes, last) => {
    expect(hasApprovedWave(play([...agreed, ...scenes, last]).state)).toBe(false);
  });

  test("opens nothing in autopilot, nor where no human said it", () => {
    expect(play([AUTOPILOT, ...agreed]).state.opens).toBe(null);
    const forged = agreed.map((each) =>
      each.type === "permission-replied" ? { ...each, by: "plugin" as const } : each,
    );
    expect(play(forged).state.opens).toBe(null);
  });
});

describe("every way in which an approval ends", () => {
  test.each<[string, Scene[]]>([
    ["the human rejects a request", [askEdit, rejectEdit]],
    ["a rejection of a request that nobody registered", [rejectEdit]],
    ["another wave opens", [opened("w2")]],
    ["the mode changes", [AUTOPILOT]],
    ["the mode changes and changes back", [AUTOPILOT, set({ knob: "mode", value: "supervised" })]],
    ["the same mode is named", [set({ knob: "mode", value: "supervised" })]],
    ["a profile is applied", [set({ knob: "profile", value: "pair_batched" })]],
    ["/pair", [set({ knob: "interaction", value: "pair" })]],
    ["the work unit changes", [inUnit("other")]],
    ["the work unit is closed", [inUnit(null)]],
    ["the work unit changes and changes back", [inUnit("other"), inUnit("unit")]],
    ["a budget is used up", [bash("a"), bash("b"), bash("c")]],
    ["the user aborts", [ABORTED]],
    ["the session ends", [ROOT_ENDED]],
  ])("%s", (_name, scenes) => {
    const defaults = withBudgets({ maxToolCallsPerWave: 3 });
    expect(hasApprovedWave(play(approvedWave(), defaults).state)).toBe(true);
    const played = play([...approvedWave(), ...scenes], defaults);
    expect(hasApprovedWave(played.state)).toBe(false);
    expect(played.effects.some((effect) => effect.type === "note" && effect.text.includes("ended"))).toBe(
      true,
    );
  });

  test.each<[string, Scene[]]>([
    ["another wave completes", [completed("w0")]],
    ["the same id of another unit completes", [completed("w1", "x")]],
    ["the unit is named again", [inUnit("unit")]],
    ["the wave is opened again", [opened("w1")]],
    ["the plugin refuses a request", [askEdit, replies("edit-1", "reject", "plugin")]],
    ["a child's session ends", [start(), { type: "session-ended", sessionId: "child" }]],
    ["visibility changes", [set({ knob: "visibility", value: "live" })]],
    ["the user talks", [says("how is it going?")]],
    ["the turn ends", [TURN_ENDED]],
    ["time passes", [TICK]],
  ])("it stays when %s", (_name, scenes) => {
    expect(hasApprovedWave(play([...approvedWave(), ...scenes]).state)).toBe(true);
  });
});

describe("a yes that comes too late does not count", () => {
  test.each<[string, Scene]>([
    ["the unit changed", inUnit("other")],
    ["the wave was completed", completed("w1")],
    ["the mode was set", set({ knob: "mode", value: "supervised" })],
  ])("%s", (_name, scene) => {
    const played = play([askWave("a"), scene, replies("a")]);
    expect(hasApprovedWave(played.state)).toBe(false);
    expect(effectOf(played, "toast")?.message).toContain("does not count");
    expect(decisions(played).filter((row) => row.type === "wave_approval")).toEqual([]);
  });

  test("in autopilot a yes opens the wave but leaves no approval behind", () => {
    const played = play([AUTOPILOT, askWave("a"), replies("a")]);
    expect(played.state.wave).toMatchObject({ id: "w1", approved: false });
  });
});

describe("after the approval ended", () => {
  test("nothing happens any more once the session has ended", () => {
    const played = play([...approvedWave(), ROOT_ENDED, AUTOPILOT, NEXT]);
    expect(played.last).toEqual([]);
    expect(played.state.knobs.mode).toBe("supervised");
  });
});
