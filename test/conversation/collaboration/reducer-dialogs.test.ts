import { describe, expect, test } from "vitest";
import type { ApprovalRequest } from "../../../src/conversation/collaboration/approval-kinds.ts";
import {
  type Scene,
  approvedWave,
  decisions,
  edit,
  play,
  playOn,
  start,
  ABORTED,
  completed,
  asks,
  replies,
  question,
  answers,
} from "./session.ts";

const approval: ApprovalRequest = { kind: "wave", workUnit: "unit", wave: "w1" };

describe("approvals nobody gave", () => {
  test.each<[string, Scene[], Scene]>([
    ["an unknown request", [], replies("nope", "once")],
    ["an answered request", [asks("a", "open_wave", approval), replies("a", "reject")], replies("a", "once")],
    [
      "a second yes to an approved wave, after it ended",
      [asks("a", "open_wave", approval), replies("a", "once"), completed("w1")],
      replies("a", "once"),
    ],
    ["a dialog that an abort closed", [asks("a", "open_wave", approval), ABORTED], replies("a", "once")],
    [
      "the plugin answering its own approval request",
      [asks("a", "open_wave", approval)],
      replies("a", "once", "plugin"),
    ],
    ["an always for an unknown request", [], replies("__proto__", "always")],
    ["an answer to no question", [], answers("q", ["Full Agentic"])],
    [
      "a second answer to the handshake",
      [question("q", "handshake", "How?"), answers("q", ["Pair Live"])],
      answers("q", ["Full Agentic"]),
    ],
  ])("%s changes nothing", (_name, before, forged) => {
    const { state } = play(before);
    const after = playOn(state, [{ ...forged, at: state.at }]);
    expect(after.state).toEqual(state);
    expect(after.last).toEqual([]);
  });

  test("words and tool calls of a model open nothing", () => {
    const played = play([
      asks("a", "open_wave", approval),
      { type: "wave-opened", workUnit: "unit", wave: "w1" },
      {
        type: "tool-finished",
        fact: { sessionId: "root", tool: "plan_gaia", mutating: true, failed: false },
      },
    ]);
    expect(played.state.wave?.approved).toBe(false);
  });
});

describe("approvals", () => {
  test("an approval's rejection ends the running wave's approval too", () => {
    const plan: ApprovalRequest = { kind: "plan", workUnit: "unit" };
    const played = play([...approvedWave(), asks("p", "request_approval", plan), replies("p", "reject")]);
    expect(played.state.wave?.approved).toBe(false);
  });
});

describe("handshake", () => {
  const asked: Scene = question("q", "handshake", "How do you want to work?");
  const answer = (text: string): Scene => answers("q", [text]);

  test("the answer applies the profile and is recorded", () => {
    const played = play([asked, answer("Agentic + Check-ins")]);
    expect(played.state.knobs).toMatchObject({ profile: "agentic_checkpoint", mode: "autopilot" });
    expect(played.state.handshake).toBe("settled");
    expect(decisions(played)).toMatchObject([
      { type: "question", question: "How do you want to work?", answer: "Agentic + Check-ins" },
    ]);
  });

  const dismissed: Scene = { type: "question-dismissed", requestId: "q" };
  test("a dismissed one is not asked again, and holds nothing up", () => {
    expect(play([asked, dismissed]).state).toMatchObject({
      handshake: "settled",
      pending: [],
      knobs: { profile: "standard", mode: "supervised" },
    });
  });

  test("one that an abort closed is due again", () => {
    expect(play([asked, ABORTED]).state.handshake).toBe("due");
  });
});

test("a child that dies takes its open dialogs along", () => {
  const played = play([start(), asks("a"), edit(), { type: "session-ended", sessionId: "child" }]);
  expect(played.state.pending).toEqual([]);
});
