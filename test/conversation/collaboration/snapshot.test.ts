import { describe, expect, test } from "vitest";
import {
  type CollaborationState,
  initialState,
  restoreState,
  sealState,
  snapshotState,
} from "../../../src/conversation/collaboration/state.ts";
import { createSeal } from "../../../src/lib/seal.ts";
import { bash, DEFAULTS, edit, finish, NEXT, play, playOn, scenesOf, start } from "./session.ts";

const paused = play(scenesOf(["/profile pair_live", "approved wave", "start", "edit"])).state;

const seal = createSeal();
const restore = (json: unknown, session = "root") => restoreState(json, session, DEFAULTS, 99_000, seal);
const kept = (state: CollaborationState): unknown => JSON.parse(JSON.stringify(sealState(state, seal)));

function restored(state: CollaborationState) {
  const result = restore(kept(state));
  if (result === null) throw new Error("its seal is broken");
  return result;
}

describe("after a restart", () => {
  test("the pause still holds, and its packet is still to come", () => {
    const state = restored(paused);
    expect(state.pause?.reason).toBe("step");
    expect(playOn(state, [NEXT]).last.map((effect) => effect.type)).toContain("checkin");
  });

  test("the time the process was away is no work", () => {
    expect(playOn(restored(paused), [{ type: "tick", at: 99_500 }]).state.spent.activeMs).toBe(
      paused.spent.activeMs,
    );
  });
});

test("a fork goes on with the settings and the work unit, and with nothing that was allowed, open or spent", () => {
  const fork = restore(kept(paused), "fork");
  expect(fork).toEqual({
    ...initialState("fork", DEFAULTS, 99_000),
    knobs: paused.knobs,
    handshake: "settled",
    rampBatches: paused.rampBatches,
    workUnit: "unit",
    idle: true,
  });
});

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["text", "{}"],
  ["another version", { ...sealState(paused, seal), version: 1 }],
  ["what was changed since", { ...sealState(paused, seal), workUnit: "other" }],
  [
    "what another user's plugin has written",
    sealState(
      paused,
      createSeal(() => "another key"),
    ),
  ],
  ["what nobody has sealed", snapshotState(paused)],
])("is refused: %s", (_name, json) => {
  expect(restore(json)).toBeNull();
});

test("a long session's snapshot stays small", () => {
  const long = Array.from({ length: 400 }, (_, index) => [
    edit(`src/${"deep/".repeat(60)}${index}.ts`),
    bash(`node ${"x".repeat(5_000)}${index}`, 0, {
      command: { command: "c".repeat(5_000), exitCode: 0, output: "o".repeat(50_000) },
    }),
  ]).flat();
  const state = play([start(), ...long, finish()]).state;
  expect(JSON.stringify(snapshotState(state)).length).toBeLessThan(24_000);
  expect(state.batch).toMatchObject({ added: 1_200, removed: 400 });
  expect(restored(state).batch).toEqual(state.batch);
});
