import { describe, expect, test } from "vitest";
import { budgetUse } from "../../../src/conversation/collaboration/reducer.ts";
import {
  type Scene,
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
  withBudgets,
  NEXT,
  says,
  opened,
  completed,
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
