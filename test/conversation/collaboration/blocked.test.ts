import { describe, expect, it } from "vitest";
import {
  renderPacketForModel,
  renderPacketForUser,
} from "../../../src/conversation/collaboration/checkin-packet.ts";
import {
  decisions,
  effectOf,
  play,
  types,
  type Scene,
  NEXT,
  ABORTED,
  TURN_ENDED,
  says,
  inUnit,
  opened,
  answers,
} from "./session.ts";

const BLOCKED: Scene = { type: "blocked", reason: "No access.", nextStep: "Ask for a key." };
const UNIT: Scene = inUnit("unit");
const DETAIL = "No access. Next: Ask for a key.";
const asked = (requestId: string): Scene => ({
  type: "question-asked",
  requestId,
  purpose: "other",
  questions: ["How?"],
});

describe("blocked work", () => {
  it("is told once: a toast, the log, a check-in, and what the model is to do", () => {
    const played = play([UNIT, BLOCKED]);
    expect(types(play([UNIT, BLOCKED, BLOCKED]))).toEqual([]);
    expect(played.state.pause).toEqual({
      reason: "blocked",
      detail: DETAIL,
      sessionId: null,
      checkinDue: false,
    });
    expect(played.effects.map(({ type }) => type)).toEqual(["toast", "log", "checkin"]);
    expect(effectOf(played, "toast")).toMatchObject({ variant: "error", message: `BLOCKED: ${DETAIL}` });
    expect(effectOf(played, "log")).toMatchObject({
      workUnit: "unit",
      title: "BLOCKED",
      markdown: expect.stringContaining("- Reason: No access.\n- Next: Ask for a key."),
    });
    const packet = effectOf(played, "checkin")?.packet;
    if (packet === undefined) throw new Error("no packet");
    expect(renderPacketForUser(packet)).toContain(`Check-in (blocked): ${DETAIL} · 0 files`);
    expect(renderPacketForModel(packet)).toMatch(/^BLOCKED: No access\..*until the user answers\./);
  });

  it.each<[string, Scene[]]>([
    ["the user's words", [says("Use the other key")]],
    ["/next", [NEXT]],
    ["the answer to a question", [asked("q"), answers("q", ["Use the other key"])]],
  ])("goes on with %s, which stand in the record", (_name, scenes) => {
    const played = play([UNIT, BLOCKED, ...scenes]);
    expect(played.state.pause).toBeNull();
    expect(decisions(played)).toHaveLength(1);
  });

  it.each<[string, Scene[]]>([
    ["a turn that ends", [TURN_ENDED]],
    ["a command", [{ type: "command", change: { knob: "mode", value: "autopilot" } }]],
    ["a new wave", [opened("w2")]],
    ["an answer to a question nobody asked", [answers("x", ["Go"])]],
    ["a question that is dismissed", [asked("q"), { type: "question-dismissed", requestId: "q" }]],
  ])("does not go on with %s", (_name, scenes) => {
    expect(play([UNIT, BLOCKED, ...scenes]).state.pause?.reason).toBe("blocked");
  });

  it("takes the place of a check-in, but not of the user's stop", () => {
    const fact = {
      sessionId: "child",
      tool: "write",
      mutating: true,
      failed: false,
      files: [{ path: "a", added: 1, removed: 0 }],
    };
    const paired: Scene[] = [
      { type: "command", change: { knob: "profile", value: "pair_live" } },
      { type: "tool-finished", fact },
    ];
    expect(play(paired).state.pause?.reason).toBe("step");
    expect(play([...paired, BLOCKED]).state.pause?.reason).toBe("blocked");
    const stopped = play([ABORTED, BLOCKED]);
    expect(stopped.state.pause?.reason).toBe("abort");
    expect(types(stopped)).toEqual([]);
  });
});
