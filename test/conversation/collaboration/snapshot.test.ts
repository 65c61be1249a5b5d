import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { initialState, restoreState, snapshotState } from "../../../src/conversation/collaboration/state.ts";
import { bash, DEFAULTS, edit, finish, NEXT, play, playOn, scenesOf, start } from "./session.ts";

const paused = play(scenesOf(["/profile pair_live", "approved wave", "start", "edit"])).state;

const restore = (json: unknown, session = "root") => restoreState(json, session, DEFAULTS, 99_000);

function restored(json: unknown) {
  const result = restore(json);
  if (!result.ok) throw new Error(result.reason);
  return result.state;
}

describe("after a restart", () => {
  test("the pause still holds, and its packet is still to come", () => {
    const state = restored(snapshotState(paused));
    expect(state.pause?.reason).toBe("step");
    expect(playOn(state, [NEXT]).last.map((effect) => effect.type)).toContain("checkin");
  });

  test("the time the process was away is no work", () => {
    expect(playOn(restored(snapshotState(paused)), [{ type: "tick", at: 99_500 }]).state.spent.activeMs).toBe(
      paused.spent.activeMs,
    );
  });
});

test("a fork goes on with the settings and the work unit, and with nothing that was allowed, open or spent", () => {
  const fork = restore(snapshotState(paused), "fork");
  expect(fork).toMatchObject({ ok: true, from: "root" });
  expect(fork.ok && fork.state).toEqual({
    ...initialState("fork", DEFAULTS, 99_000),
    knobs: paused.knobs,
    handshake: "settled",
    rampBatches: paused.rampBatches,
    workUnit: "unit",
    idle: true,
  });
});

describe("what is refused", () => {
  const snapshot = snapshotState(paused);
  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["text", "{}"],
    ["another version", { ...snapshot, version: 2 }],
    ["a knob out of range", { ...snapshot, knobs: { ...snapshot.knobs, mode: "yolo" } }],
    ["a negative budget", { ...snapshot, spent: { ...snapshot.spent, toolCalls: -100 } }],
    ["missing parts", { version: 1, rootSession: "root" }],
  ])("%s", (_name, json) => {
    expect(restore(json)).toMatchObject({ ok: false, reason: expect.stringMatching(/./) });
  });

  test("anything at all without a throw", () => {
    fc.assert(
      fc.property(fc.anything(), (json) => {
        expect(restore(json).ok).toBe(false);
      }),
    );
  });
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
  expect(restored(snapshotState(state)).batch).toEqual(state.batch);
});
