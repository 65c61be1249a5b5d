import { describe, expect, test } from "vitest";
import type { ApprovalRequest } from "../../../src/conversation/collaboration/events.ts";
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
  types,
} from "./session.ts";

const ask = (requestId: string, tool = "edit", approval?: ApprovalRequest): Scene => ({
  type: "permission-asked",
  requestId,
  sessionId: approval === undefined ? "child" : "root",
  tool,
  ...(approval === undefined ? {} : { approval }),
});
const reply = (
  requestId: string,
  answer: "once" | "always" | "reject",
  by: "human" | "plugin" = "human",
  reason?: string,
): Scene => ({
  type: "permission-replied",
  requestId,
  reply: answer,
  by,
  ...(reason === undefined ? {} : { reason }),
});
const approval: ApprovalRequest = { kind: "wave", workUnit: "unit", wave: "w1" };

describe("approvals nobody gave", () => {
  test.each<[string, Scene[], Scene]>([
    ["an unknown request", [], reply("nope", "once")],
    ["an answered request", [ask("a", "open_wave", approval), reply("a", "reject")], reply("a", "once")],
    [
      "a second yes to an approved wave, after it ended",
      [
        ask("a", "open_wave", approval),
        reply("a", "once"),
        { type: "wave-completed", workUnit: "unit", wave: "w1" },
      ],
      reply("a", "once"),
    ],
    [
      "a dialog that an abort closed",
      [ask("a", "open_wave", approval), { type: "aborted" }],
      reply("a", "once"),
    ],
    [
      "the plugin answering its own approval request",
      [ask("a", "open_wave", approval)],
      reply("a", "once", "plugin"),
    ],
    ["an always for an unknown request", [], reply("__proto__", "always")],
    [
      "an answer to no question",
      [],
      { type: "question-answered", requestId: "q", answers: [["Full Agentic"]] },
    ],
    [
      "a second answer to the handshake",
      [
        { type: "question-asked", requestId: "q", purpose: "handshake", questions: ["How?"] },
        { type: "question-answered", requestId: "q", answers: [["Pair Live"]] },
      ],
      { type: "question-answered", requestId: "q", answers: [["Full Agentic"]] },
    ],
  ])("%s changes nothing and is reported", (_name, before, forged) => {
    const { state } = play(before);
    const after = playOn(state, [{ ...forged, at: state.at }]);
    expect(after.state).toEqual(state);
    expect(types(after)).toEqual(["forged-approval"]);
  });

  test("words and tool calls of a model open nothing", () => {
    const played = play([
      ask("a", "open_wave", approval),
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
    const yes = play([ask("a", "approve", kind), reply("a", "once")]);
    expect(decisions(yes)).toMatchObject([{ type, question, answer: "approved" }]);
    const no = play([ask("a", "approve", kind), reply("a", "reject")]);
    expect(decisions(no)).toMatchObject([{ type, question, answer: "rejected" }]);
  });

  test("an approval's rejection ends the running wave's approval too", () => {
    const plan: ApprovalRequest = { kind: "plan", workUnit: "unit" };
    const played = play([...approvedWave(), ask("p", "request_approval", plan), reply("p", "reject")]);
    expect(played.state.wave?.approved).toBe(false);
  });
});

describe("rejections", () => {
  test("prefill the prompt and are recorded at once", () => {
    const played = play([ask("a"), reply("a", "reject")]);
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
      const played = play([ask("p", "plan_gaia", asked), reply("p", "reject")]);
      expect(effectOf(played, "prefill")?.text).toBe(`Rejected ${name} because: `);
      const told = play([
        ask("p", "plan_gaia", asked),
        reply("p", "reject"),
        { type: "user-message", text: `Rejected ${name} because: too much` },
      ]);
      expect(decisions(told)[1]).toMatchObject({ rationale: "too much" });
    },
  );

  test("the user's reason completes the same row", () => {
    const played = play([
      ask("a"),
      reply("a", "reject"),
      { type: "user-message", text: "Rejected edit because: wrong file\nuse b.ts" },
    ]);
    expect(decisions(played)[1]).toMatchObject({
      type: "rejection",
      key: "rejection:a",
      rationale: "wrong file use b.ts",
    });
  });

  test("a reason that the dialog brought needs no prompt", () => {
    const played = play([ask("a"), reply("a", "reject", "human", "too broad")]);
    expect(types(played)).toEqual(["decision"]);
    expect(decisions(played)[0]).toMatchObject({ rationale: "too broad" });
  });

  test("a reason that the host tells later goes to the last rejection, and only to that", () => {
    const told: Scene = { type: "rejection-explained", reason: "not now" };
    const played = play([ask("a"), reply("a", "reject"), told, told]);
    expect(decisions(played).map((row) => row.rationale)).toEqual([undefined, "not now"]);
  });

  test("a burst of rejections prefills once", () => {
    const played = play([ask("a"), ask("b", "bash"), reply("a", "reject"), reply("b", "reject")]);
    expect(played.effects.filter((effect) => effect.type === "prefill")).toHaveLength(1);
    expect(decisions(played)).toHaveLength(2);
  });

  test("a message in between makes room for the next prompt", () => {
    const talk: Scene = { type: "user-message", text: "try b.ts" };
    const played = play([ask("a"), reply("a", "reject"), talk, ask("b"), reply("b", "reject")]);
    expect(effectOf(played, "prefill")).toBeDefined();
  });

  test("an empty reason is no rationale", () => {
    const played = play([
      ask("a"),
      reply("a", "reject"),
      { type: "user-message", text: "Rejected edit because: " },
    ]);
    expect(decisions(played)[1]).not.toHaveProperty("rationale");
  });

  test("the plugin's own refusals are not the user's decisions", () => {
    expect(play([ask("a"), reply("a", "reject", "plugin")]).effects).toEqual([]);
  });
});

describe("handshake", () => {
  const asked: Scene = {
    type: "question-asked",
    requestId: "q",
    purpose: "handshake",
    questions: ["How do you want to work?"],
  };
  const answer = (text: string): Scene => ({ type: "question-answered", requestId: "q", answers: [[text]] });

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
    expect(play([asked, { type: "aborted" }]).state.handshake).toBe("due");
  });

  test.each<[string, Scene[]]>([
    ["after it was settled", [set({ knob: "profile", value: "standard" })]],
    ["while one is open", [{ ...asked, requestId: "first" }]],
  ])("a second handshake of the model's %s is an ordinary question", (_name, before) => {
    const played = play([...before, asked, answer("Full Agentic")]);
    expect(played.state.knobs.mode).toBe("supervised");
    expect(decisions(played).at(-1)).toMatchObject({ type: "question", answer: "Full Agentic" });
  });

  test("a ramp question that is not due is an ordinary question", () => {
    const ramp: Scene = { type: "question-asked", requestId: "q", purpose: "ramp", questions: ["?"] };
    expect(play([ramp, answer("Full Agentic")]).state.knobs.mode).toBe("supervised");
  });

  test("an ordinary question records one row per question", () => {
    const played = play([
      { type: "question-asked", requestId: "q", purpose: "other", questions: ["jose?", "where?"] },
      { type: "question-answered", requestId: "q", answers: [["jose", "why not"], []] },
    ]);
    expect(decisions(played).map((row) => row.answer)).toEqual(["jose, why not", "(no answer)"]);
  });
});

test("a child that dies takes its open dialogs along", () => {
  const played = play([start(), ask("a"), edit(), { type: "session-ended", sessionId: "child" }]);
  expect(played.state.pending).toEqual([]);
});
