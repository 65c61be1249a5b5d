import { describe, expect, test } from "vitest";
import {
  type Scene,
  bash,
  decisions,
  edit,
  effectOf,
  finish,
  play,
  read,
  set,
  start,
  types,
  NEXT,
  TICK,
  TURN_ENDED,
  says,
  opened,
  answers,
  question,
} from "./session.ts";

const STEP = set({ knob: "profile", value: "pair_live" });
const BATCH = set({ knob: "profile", value: "pair_batched" });
const RAMP = set({ knob: "profile", value: "pair_ramp" });
const report = { rationale: "renames the flag", risk: "callers outside", nextStep: "update the docs" };

describe("when the gate closes", () => {
  test.each<[string, Scene[], string | null]>([
    ["step: an edit", [STEP, start(), edit()], "step"],
    ["step: a mutating command", [STEP, start(), bash("npm i")], "step"],
    ["step: reading", [STEP, start(), read()], null],
    ["step: an edit that failed", [STEP, start(), edit("a", { failed: true })], null],
    ["step: the record below .gaia/", [STEP, start(), edit(".gaia/unit/log.md")], null],
    ["batch: an edit, still inside", [BATCH, start(), edit(), edit()], null],
    ["batch: the delegation returns", [BATCH, start(), edit(), finish()], "batch"],
    ["batch: a delegation that only read", [BATCH, start(), read(), finish()], null],
    ["batch: another delegation changed something", [BATCH, start("b"), start(), edit(), finish("b")], null],
    ["standard: an edit and its delegation", [start(), edit(), finish()], null],
  ])("%s", (_name, scenes, reason) => {
    expect(play(scenes).state.pause?.reason ?? null).toBe(reason);
  });
});

describe("the packet", () => {
  test("of a step waits for the specialist's words", () => {
    const closed = [STEP, start(), edit()];
    expect(types(play(closed))).toEqual([]);
    const played = play([...closed, finish("child", true, report)]);
    expect(effectOf(played, "checkin")?.packet).toMatchObject({
      reason: "step",
      pausing: true,
      reviewDepth: "inline",
      batch: { files: [{ path: "src/a.ts", added: 3, removed: 1 }], report },
    });
  });

  test("holds what has happened since the one before", () => {
    const played = play([
      BATCH,
      start(),
      edit("src/a.ts"),
      finish(),
      NEXT,
      start(),
      edit("src/b.ts"),
      edit("src/b.ts"),
      bash("npm test", 1),
      finish(),
    ]);
    expect(effectOf(played, "checkin")?.packet.batch).toMatchObject({
      files: [{ path: "src/b.ts", added: 6, removed: 2 }],
      commands: [{ command: "npm test", exitCode: 1, output: "12 passed" }],
    });
  });
});

describe("how it opens again", () => {
  const paused = [BATCH, start(), edit(), finish()];

  test("any other message is feedback, recorded with what it is about", () => {
    const played = play([...paused, says("rename it to count")]);
    expect(played.state.pause).toBeNull();
    expect(decisions(played)[1]).toMatchObject({
      type: "pair_feedback",
      question: "Check-in (batch): src/a.ts (+3 −1)",
      answer: "rename it to count",
    });
  });

  test("the reason for a rejection opens it without counting as feedback", () => {
    const text = "Rejected edit because: no";
    const played = play([...paused, { type: "user-message", text }]);
    expect(played.state.pause).toBeNull();
    expect(decisions(played).map((row) => row.type)).toEqual(["mode_switch", "rejection"]);
  });

  test.each<[string, Scene[]]>([
    ["a delegation", [start("x"), finish("x")]],
    ["a new wave", [opened("w", "u")]],
    ["time", [TICK]],
    ["a turn's end", [TURN_ENDED]],
  ])("%s does not open it", (_name, scenes) => {
    expect(play([...paused, ...scenes]).state.pause?.reason).toBe("batch");
  });
});

describe("pair_ramp", () => {
  const round: Scene[] = [start(), edit(), finish(), NEXT];
  const ramp: Scene = question("q", "ramp", "let go?");
  const answer = (text: string): Scene => answers("q", [text]);
  const warm = [RAMP, ...round, start(), edit(), finish()];
  const asks = (scenes: Scene[]) =>
    play(scenes).effects.filter((effect) => effect.type === "steer" && effect.text.includes("Pair ramp"))
      .length;

  test("asks after the warm-up, once", () => {
    expect(asks([RAMP, ...round])).toBe(0);
    expect(types(play(warm))).toEqual(["checkin", "steer"]);
    expect(asks([...warm, NEXT, ...round, ...round])).toBe(1);
  });

  test("the answer switches the profile and lets work go on", () => {
    const played = play([...warm, ramp, answer("Agentic + Check-ins")]);
    expect(played.state.knobs.profile).toBe("agentic_checkpoint");
    expect(played.state.pause).toBeNull();
  });
});
