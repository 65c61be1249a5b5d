import { describe, expect, test } from "vitest";
import { hasApprovedWave } from "../../../src/conversation/collaboration/state.ts";
import {
  type Scene,
  approvedWave,
  AUTOPILOT,
  bash,
  decisions,
  edit,
  effectOf,
  finish,
  play,
  set,
  start,
  types,
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
    ["/pair", [{ type: "command", change: { preset: "pair" } }]],
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

  test("a budget was used up", () => {
    const defaults = withBudgets({ maxToolCallsPerWave: 1 });
    const played = play([...approvedWave(), askWave("a", "w2"), bash("x"), replies("a")], defaults);
    expect(effectOf(played, "toast")?.message).toContain("does not count");
  });

  test("completing the wave before does not outdate the next one's dialog", () => {
    const played = play([...approvedWave("w1"), askWave("b", "w2"), completed("w1"), replies("b")]);
    expect(played.state.wave).toMatchObject({ id: "w2", approved: true });
  });

  test("in autopilot a yes opens the wave but leaves no approval behind", () => {
    const played = play([AUTOPILOT, askWave("a"), replies("a")]);
    expect(played.state.wave).toMatchObject({ id: "w1", approved: false });
  });
});

describe("after the approval ended", () => {
  test("the same wave can be approved again", () => {
    const played = play([...approvedWave(), askEdit, rejectEdit, askWave("again"), replies("again")]);
    expect(hasApprovedWave(played.state)).toBe(true);
  });

  const unit = (workUnit: string | null): Scene => ({ type: "work-unit-changed", workUnit });
  const says = (text: string): Scene => ({ type: "user-message", text });
  const wants = says("Now build a login page");
  const paused: Scene[] = [AUTOPILOT, start(), { type: "blocked", reason: "x", nextStep: "y" }];

  test.each<[string, Scene[], boolean]>([
    ["a further unit of the same request", [unit("two"), unit("three")], false],
    ["one after the first was closed", [unit(null), unit("two")], false],
    ["a unit of another request", [TURN_ENDED, wants, unit("two")], true],
    ["another request after the unit was closed", [unit(null), TURN_ENDED, wants], true],
    ["more of the same unit", [TURN_ENDED, wants], false],
    ["the next unit, whatever the words for it", [TURN_ENDED, says("OK, go on"), unit("two")], true],
    ["the next unit after /next", [...paused, says("/next"), unit("two")], false],
    ["words while she works", [wants, unit("two")], false],
    [
      "the answer to what holds the work up",
      [...paused, TURN_ENDED, says("Use the other one"), unit("two")],
      false,
    ],
  ])("%s: the handshake is due again: %s", (_name, scenes, isDue) => {
    const settled = [set({ knob: "profile", value: "standard" }), ...approvedWave()];
    expect(play(settled).state.handshake).toBe("settled");
    expect(play([...settled, ...scenes]).state.handshake === "due").toBe(isDue);
  });

  test("nothing happens any more once the session has ended", () => {
    const played = play([...approvedWave(), ROOT_ENDED, AUTOPILOT, NEXT]);
    expect(played.last).toEqual([]);
    expect(played.state.knobs.mode).toBe("supervised");
  });
});

describe("reports of a wave", () => {
  const wave: Scene[] = [...approvedWave(), start(), edit(), finish()];
  const done: Scene = completed("w1");

  test("at cadence wave its end shows the packet and work goes on", () => {
    const played = play([...wave, done]);
    expect(effectOf(played, "checkin")?.packet).toMatchObject({ reason: "wave", pausing: false });
    expect(played.state.pause).toBeNull();
  });

  test("in pair interaction the work stops there", () => {
    const pair = [set({ knob: "interaction", value: "pair" }), ...wave, done];
    expect(play(pair).state.pause?.reason).toBe("wave");
  });

  test("at cadence milestone it waits for the next approval", () => {
    const milestone = [set({ knob: "checkinCadence", value: "milestone" }), ...wave, done];
    expect(effectOf(play(milestone), "checkin")).toBeUndefined();
    const asked = play([...milestone, asks("r", "request_approval", { kind: "revision", workUnit: "unit" })]);
    expect(effectOf(asked, "checkin")?.packet).toMatchObject({
      reason: "milestone",
      batch: { files: [{ path: "src/a.ts", added: 3, removed: 1 }] },
    });
  });

  test("a wave in which nothing happened has nothing to report", () => {
    expect(types(play([...approvedWave(), done]))).toEqual([]);
  });
});
