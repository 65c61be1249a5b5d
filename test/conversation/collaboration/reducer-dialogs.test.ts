import { describe, expect, test } from "vitest";
import type { ApprovalRequest } from "../../../src/conversation/collaboration/approval-kinds.ts";
import {
  type Scene,
  approvedWave,
  decisions,
  DEFAULTS,
  edit,
  effectOf,
  play,
  playOn,
  set,
  start,
  ABORTED,
  says,
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
      { type: "wave-opened", workUnit: "unit", wave: "w1", title: "the user approved" },
      {
        type: "tool-finished",
        fact: { sessionId: "root", tool: "plan_gaia", mutating: true, failed: false },
      },
    ]);
    expect(played.state.wave?.approved).toBe(false);
  });
});

describe("approvals", () => {
  test.each<[ApprovalRequest, string, string]>([
    [{ kind: "plan", workUnit: "unit" }, "approval", "Approve the plan?"],
    [{ kind: "revision", workUnit: "unit", title: "fix it" }, "approval", "Approve the revision (fix it)?"],
    [{ kind: "verification", workUnit: "unit" }, "approval", "Approve the verification?"],
    [approval, "wave_approval", "Approve wave w1?"],
  ])("$kind is recorded both ways", (kind, type, question) => {
    const yes = play([asks("a", "approve", kind), replies("a", "once")]);
    expect(decisions(yes)).toMatchObject([{ type, question, answer: "approved" }]);
    const no = play([asks("a", "approve", kind), replies("a", "reject")]);
    expect(decisions(no)).toMatchObject([{ type, question, answer: "rejected" }]);
  });

  test("an approval's rejection ends the running wave's approval too", () => {
    const plan: ApprovalRequest = { kind: "plan", workUnit: "unit" };
    const played = play([...approvedWave(), asks("p", "request_approval", plan), replies("p", "reject")]);
    expect(played.state.wave?.approved).toBe(false);
  });
});

describe("rejections", () => {
  test("prefill the prompt and are recorded at once", () => {
    const played = play([asks("a"), replies("a", "reject")]);
    expect(effectOf(played, "prefill")?.text).toBe("Rejected edit because: ");
    expect(decisions(played)).toMatchObject([{ type: "rejection", key: "rejection:a" }]);
  });

  test.each([
    [{ kind: "plan", workUnit: "unit" }, "the plan"],
    [{ kind: "wave", workUnit: "unit", wave: "w 1" }, "wave w 1"],
    [{ kind: "revision", workUnit: "unit" }, "the revision"],
  ] as [ApprovalRequest, string][])(
    "of an approval prefill what was asked for, not a tool's name: %j",
    (asked, name) => {
      const played = play([asks("p", "plan_gaia", asked), replies("p", "reject")]);
      expect(effectOf(played, "prefill")?.text).toBe(`Rejected ${name} because: `);
      const told = play([
        asks("p", "plan_gaia", asked),
        replies("p", "reject"),
        says(`Rejected ${name} because: too much`),
      ]);
      expect(decisions(told)[1]).toMatchObject({ rationale: "too much" });
    },
  );

  test("the user's reason completes the same row", () => {
    const played = play([
      asks("a"),
      replies("a", "reject"),
      says("Rejected edit because: wrong file\nuse b.ts"),
    ]);
    expect(decisions(played)[1]).toMatchObject({
      type: "rejection",
      key: "rejection:a",
      rationale: "wrong file use b.ts",
    });
  });

  test("a reason that the host tells later goes to the last rejection, and only to that", () => {
    const told: Scene = { type: "rejection-explained", reason: "not now" };
    const played = play([asks("a"), replies("a", "reject"), told, told]);
    expect(decisions(played).map((row) => row.rationale)).toEqual([undefined, "not now"]);
  });

  test("a burst of rejections prefills once", () => {
    const played = play([asks("a"), asks("b", "bash"), replies("a", "reject"), replies("b", "reject")]);
    expect(played.effects.filter((effect) => effect.type === "prefill")).toHaveLength(1);
    expect(decisions(played)).toHaveLength(2);
  });

  test("a message in between makes room for the next prompt", () => {
    const talk: Scene = says("try b.ts");
    const played = play([asks("a"), replies("a", "reject"), talk, asks("b"), replies("b", "reject")]);
    expect(effectOf(played, "prefill")).toBeDefined();
  });

  test("an empty reason is no rationale", () => {
    const played = play([asks("a"), replies("a", "reject"), says("Rejected edit because: ")]);
    expect(decisions(played)[1]).not.toHaveProperty("rationale");
  });

  test("the plugin's own refusals are not the user's decisions", () => {
    expect(play([asks("a"), replies("a", "reject", "plugin")]).effects).toEqual([]);
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

  test("words that are no profile leave everything as it is", () => {
    const played = play([asked, answer("please not full agentic")]);
    expect(played.state.knobs).toEqual(play([]).state.knobs);
    expect(effectOf(played, "toast")?.message).toContain("/profile");
  });

  const dismissed: Scene = { type: "question-dismissed", requestId: "q" };
  test("a dismissed one is not asked again, and holds nothing up", () => {
    expect(play([asked, dismissed]).state).toMatchObject({
      handshake: "settled",
      pending: [],
      knobs: { profile: "standard", mode: "supervised" },
    });
  });

  test("a dismissed one leaves it at the configured profile, unless knobs were turned", () => {
    const defaults = { ...DEFAULTS, startup: { ...DEFAULTS.startup, defaultProfile: "pair_live" as const } };
    expect(play([asked, dismissed], defaults).state.knobs).toMatchObject({ profile: "pair_live" });
    const turned = play([set({ knob: "visibility", value: "quiet" }), asked, dismissed], defaults);
    expect(turned.state.knobs).toMatchObject({ profile: "standard", visibility: "quiet" });
  });

  test("one that an abort closed is due again", () => {
    expect(play([asked, ABORTED]).state.handshake).toBe("due");
  });

  test.each<[string, Scene[]]>([
    ["after it was settled", [set({ knob: "profile", value: "standard" })]],
    ["while one is open", [question("first", "handshake", "How?")]],
  ])("a second handshake of the model's %s is an ordinary question", (_name, before) => {
    const played = play([...before, asked, answer("Full Agentic")]);
    expect(played.state.knobs.mode).toBe("supervised");
    expect(decisions(played).at(-1)).toMatchObject({ type: "question", answer: "Full Agentic" });
  });

  test("a ramp question that is not due is an ordinary question", () => {
    const ramp: Scene = question("q", "ramp", "?");
    expect(play([ramp, answer("Full Agentic")]).state.knobs.mode).toBe("supervised");
  });

  test("an ordinary question records one row per question", () => {
    const played = play([question("q", "other", "jose?", "where?"), answers("q", ["jose", "why not"], [])]);
    expect(decisions(played).map((row) => row.answer)).toEqual(["jose, why not", "(no answer)"]);
  });
});

test("a child that dies takes its open dialogs along", () => {
  const played = play([start(), asks("a"), edit(), { type: "session-ended", sessionId: "child" }]);
  expect(played.state.pending).toEqual([]);
});
