import { describe, expect, test } from "vitest";
import { budgetUse } from "../../../src/conversation/collaboration/reducer.ts";
import {
  type Scene,
  approvedWave,
  AUTOPILOT,
  bash,
  decisions,
  DEFAULTS,
  edit,
  effectOf,
  finish,
  play,
  read,
  set,
  start,
  withBudgets,
  NEXT,
  TICK,
  TURN_ENDED,
  says,
  opened,
  completed,
  question,
  answers,
} from "./session.ts";

const MINUTE = 60_000;
const wave: Scene = opened("w1");
const failedEdit = edit("a", { failed: true });

describe("what stops autopilot", () => {
  const tight = withBudgets({ maxToolCallsPerWave: 4, maxWaveMinutes: 10, consecutiveFailureLimit: 2 });
  test.each<[string, Scene[], string | null]>([
    ["tool calls of a wave, reading too", [wave, read(), read(), edit(), bash("ls")], "tool calls"],
    ["changes outside a wave", [edit(), edit(), edit(), edit()], "tool calls"],
    ["reading outside a wave is free", [read(), read(), read(), read(), read()], null],
    ["one call less", [wave, read(), read(), edit()], null],
    ["failed changes in a row", [failedEdit, failedEdit], "consecutive failures"],
    ["failed delegations in a row", [finish("a", false), finish("b", false)], "consecutive failures"],
    ["a success in between", [failedEdit, edit(), failedEdit], null],
    ["failed reads", [read(), read(), read()].map(failed), null],
    ["red tests", [bash("npm test", 1), bash("npm test", 1), bash("npm test", 1)], null],
    ["opening wave after wave", [finish("a", false), wave, finish("b", false)], "consecutive failures"],
    ["minutes of work", [{ type: "tick", at: 11 * MINUTE }], "minutes"],
    ["just under", [{ type: "tick", at: 9 * MINUTE }], null],
  ])("%s", (_name, scenes, which) => {
    const played = play([AUTOPILOT, ...scenes], tight);
    expect(played.state.pause?.detail.replace(/^\d+ of \d+ /u, "") ?? null).toBe(which);
    expect(played.state.pause?.reason ?? null).toBe(which === null ? null : "budget");
  });

  function failed(scene: Scene): Scene {
    return scene.type === "tool-finished" ? { ...scene, fact: { ...scene.fact, failed: true } } : scene;
  }

  test("supervised work outside an approved wave has no budget", () => {
    expect(play([edit(), edit(), edit(), edit(), edit()], tight).state.pause).toBeNull();
  });

  test("an approved wave has", () => {
    const played = play([...approvedWave(), edit(), edit(), edit(), edit()], tight);
    expect(played.state.pause?.detail).toBe("4 of 4 tool calls");
    expect(played.state.wave).toBeNull();
  });
});

describe("time counts only while somebody works", () => {
  const minutes = (scenes: Scene[]) =>
    Math.round(budgetUse(play([AUTOPILOT, wave, ...scenes]).state, DEFAULTS)[2]?.value ?? -1);
  const later = (scene: Scene, at: number): Scene => ({ ...scene, at: at * MINUTE });

  test.each<[string, Scene[], number]>([
    ["work", [later(read(), 5)], 5],
    ["a night between two messages", [TURN_ENDED, later(says("go"), 600)], 0],
    ["an open question", [question("q", "other", "?"), later(answers("q", ["x"]), 60)], 0],
    ["a background child at work while the user is away", [TURN_ENDED, later(read(), 7)], 7],
    ["a turn that began without the user", [TURN_ENDED, later(read("root"), 1), later(TICK, 5)], 5],
    ["a specialist that was started in one", [TURN_ENDED, start(), later(TICK, 5)], 5],
    ["a clock that goes back", [later(read(), 3), later(read(), 1)], 3],
  ])("%s", (_name, scenes, expected) => {
    expect(minutes(scenes)).toBe(expected);
  });
});

describe("falling back", () => {
  const stop: Scene[] = [AUTOPILOT, wave, edit(), edit()];
  const checkpoint = withBudgets({ maxToolCallsPerWave: 2 });
  const pause = withBudgets({ maxToolCallsPerWave: 2, onFailureLimit: "supervised_pause" });

  test("checkpoint keeps autopilot and waits with a packet", () => {
    const played = play(stop, checkpoint);
    expect(played.state.knobs.mode).toBe("autopilot");
    expect(effectOf(played, "checkin")?.packet).toMatchObject({
      reason: "budget",
      detail: "2 of 2 tool calls",
      pausing: true,
    });
  });

  test("with a specialist at work the packet waits for its words", () => {
    const played = play([AUTOPILOT, wave, start(), edit(), edit()], checkpoint);
    expect(effectOf(played, "checkin")).toBeUndefined();
    expect(
      effectOf(play([AUTOPILOT, wave, start(), edit(), edit(), finish()], checkpoint), "checkin"),
    ).toBeDefined();
  });

  test("supervised_pause goes back to supervised and records it", () => {
    const played = play(stop, pause);
    expect(played.state.knobs.mode).toBe("supervised");
    expect(decisions(played).at(-1)).toMatchObject({ type: "mode_switch", answer: "mode: supervised" });
  });

  test.each<Scene>([NEXT, says("carry on")])(
    "$type grants the budget once more, which is recorded",
    (scene) => {
      const played = play([...stop, scene], checkpoint);
      expect(played.state.pause).toBeNull();
      expect(budgetUse(played.state, checkpoint)[1]?.value).toBe(0);
      expect(decisions(played).at(-1)).toMatchObject({
        type: "approval",
        question: expect.stringContaining("2 of 2"),
      });
    },
  );

  test("no event of the model's lifts it", () => {
    const more: Scene[] = [wave, opened("w2"), start(), finish(), TURN_ENDED];
    expect(play([...stop, ...more], checkpoint).state.pause?.reason).toBe("budget");
  });
});

describe("what starts a budget again", () => {
  const used = (scenes: Scene[]) => budgetUse(play([AUTOPILOT, ...scenes]).state, DEFAULTS)[1]?.value;
  test.each<[string, Scene[], number]>([
    ["a new wave", [edit(), wave, edit()], 1],
    ["the same wave named again", [wave, edit(), wave, edit()], 2],
    ["a wave's end", [wave, edit(), completed("w1")], 0],
    ["a message outside a wave", [edit(), says("and now")], 0],
    ["a message inside a wave", [wave, edit(), says("and now")], 1],
    ["the mode", [edit(), set({ knob: "mode", value: "autopilot" })], 0],
  ])("%s", (_name, scenes, expected) => {
    expect(used(scenes)).toBe(expected);
  });
});
