import { describe, expect, test } from "vitest";
import {
  type CallDecision,
  decideCall,
  type ExaminedCall,
  type GuardQuestion,
  type PermissionQuestion,
  refusalText,
} from "../../../src/conversation/collaboration/decide-call.ts";
import type { Effect, Examination } from "../../../src/policy/examination.ts";
import type { SandboxDecision } from "../../../src/sandbox/decide.ts";
import { examined } from "../../support/examination.ts";
import {
  type Scene,
  approvedWave,
  AUTOPILOT,
  DEFAULTS,
  edit,
  play,
  set,
  start,
  NEXT,
  ABORTED,
  ROOT_ENDED,
} from "./session.ts";

const LOCKED = set({ knob: "mode", value: "locked" });
const PAUSED: Scene[] = [set({ knob: "profile", value: "pair_live" }), start(), edit()];
const WAVE = [...approvedWave(), start()];

const READ_ONLY: SandboxDecision = {
  kind: "run",
  profile: { project: "read", network: false, caches: false },
};
const AS_IT_IS: SandboxDecision = { kind: "run", profile: null };
const ASK: SandboxDecision = { kind: "ask" };

/** A call of which only this is worth saying. */
type Asked = Partial<Omit<ExaminedCall, "examination">> & Partial<Examination>;
const callOf = (asked: Asked): ExaminedCall => {
  const { tool = "edit", agent = "hephaestus", role = "editor", isCommand = tool === "bash" } = asked;
  const { isRecord = false, effect = "project", reason = "", ...examination } = asked;
  return {
    tool,
    agent,
    role,
    isCommand,
    isRecord,
    examination: examined(effect, { ...examination, reason }),
  };
};

describe("a dialog", () => {
  const question: PermissionQuestion = {
    by: "host",
    kind: "other",
    sessionId: "child",
    workUnit: "unit",
    waveId: "w1",
    enforceWaveId: DEFAULTS.wavePolicy.enforceWaveId,
    isApproval: false,
    sandbox: null,
  };
  type Changes = Partial<PermissionQuestion> & { readonly effect?: Effect };
  const decide = (scenes: Scene[], { effect = "project", ...changes }: Changes = {}) => {
    const tool = changes.kind === "command" ? "bash" : "edit";
    return decideCall(play(scenes).state, callOf({ effect, tool }), { ...question, ...changes });
  };
  const bash = (sandbox: SandboxDecision): Changes => ({ kind: "command", effect: "unknown", sandbox });

  test.each<[string, Scene[], Changes, CallDecision["kind"]]>([
    ["supervised asks", [start()], {}, "ask"],
    ["autopilot answers", [AUTOPILOT, start()], {}, "allow"],
    ["autopilot answers the root", [AUTOPILOT], { sessionId: "root" }, "allow"],
    ["locked denies", [LOCKED, start()], {}, "refuse"],
    ["a pause denies", PAUSED, {}, "refuse"],
    ["an approved wave answers", WAVE, {}, "allow"],
    ["a command runs unasked in its sandbox", [start()], bash(READ_ONLY), "allow"],
    ["and as it is where the sandbox says so", [start()], bash(AS_IT_IS), "allow"],
    ["what the sandbox asks about is asked, in autopilot too", [AUTOPILOT, start()], bash(ASK), "ask"],
    ["and in an approved wave", WAVE, bash(ASK), "ask"],
    ["what it refuses is refused", [start()], bash({ kind: "refuse", why: "no sandbox" }), "refuse"],
    ["a command at a pause is refused", PAUSED, bash(READ_ONLY), "refuse"],
    ["a command in locked mode runs read-only", [LOCKED, start()], bash(READ_ONLY), "allow"],
    ["autopilot stays in the project", [AUTOPILOT, start()], { effect: "outside" }, "ask"],
    ["autopilot runs no unknown tool", [AUTOPILOT, start()], { effect: "unknown" }, "ask"],
    ["a wave stays in the project", WAVE, { effect: "outside" }, "ask"],
    [
      "a wave does what is dangerous for nobody",
      WAVE,
      { kind: "command", effect: "forbidden", sandbox: READ_ONLY },
      "refuse",
    ],
    ["not for another wave", WAVE, { waveId: "w2" }, "ask"],
    ["not for another unit", WAVE, { workUnit: "other" }, "ask"],
    ["not without a wave", WAVE, { waveId: null }, "ask"],
    ["not for a session that is none of its children", WAVE, { sessionId: "x" }, "ask"],
    ["reading outside the project is asked for", [start()], { effect: "read" }, "ask"],
    ["and passes in autopilot, even at a pause", [AUTOPILOT, start(), ABORTED], { effect: "read" }, "allow"],
    ["autopilot neither", [AUTOPILOT], {}, "ask"],
    ["nor after the session ended", [AUTOPILOT, start(), ROOT_ENDED], {}, "ask"],
    ["a loop brake stays with the human", WAVE, { kind: "repetition" }, "ask"],
    ["in autopilot the loop is broken", [AUTOPILOT, start()], { kind: "repetition" }, "refuse"],
  ])("%s", (_name, scenes, changes, action) => {
    expect(decide(scenes, changes).kind).toBe(action);
  });

  test("a request without a wave counts as the current one where the config says so", () => {
    expect(decide(WAVE, { waveId: null, enforceWaveId: false }).kind).toBe("allow");
  });
});

describe("the guard", () => {
  const decide = (scenes: Scene[], asked: Asked, rest: Partial<GuardQuestion> = {}) => {
    const call = callOf(asked);
    const question: GuardQuestion = {
      by: "guard",
      onlyReads: !call.isCommand && call.role !== "editor",
      sandbox: call.isCommand ? READ_ONLY : null,
      ...rest,
    };
    const decision = decideCall(play(scenes).state, call, question);
    return decision.kind === "refuse" ? refusalText(decision, call.tool) : "allowed";
  };
  const READER: Asked = { agent: "minerva", role: "reader" };

  test.each<[string, Scene[], Asked]>([
    ["an editor edits", [], {}],
    ["reading in locked mode", [LOCKED], { tool: "read", effect: "read" }],
    ["a command in locked mode, which is read-only", [LOCKED], { tool: "bash", effect: "unknown" }],
    ["reading at a pause", PAUSED, { tool: "bash", effect: "read" }],
    ["a reader's command, also at a pause", PAUSED, { ...READER, tool: "bash", effect: "unknown" }],
    ["a check at a pause", PAUSED, { agent: "aether", role: "checker", tool: "bash", effect: "unknown" }],
    ["the record, written by GAIA", [], { ...READER, tool: "plan_gaia", agent: "gaia", isRecord: true }],
    ["the record at a pause", PAUSED, { ...READER, tool: "plan_gaia", agent: "gaia", isRecord: true }],
    ["after /next", [...PAUSED, NEXT], {}],
    ["a secret in a sandbox, which hides it", [], { tool: "bash", effect: "read", secret: ".env" }],
  ])("allows %s", (_name, scenes, call) => {
    expect(decide(scenes, call)).toBe("allowed");
  });

  test.each<[string, Scene[], Asked, string[]]>([
    ["a change in locked mode", [LOCKED], {}, ["Refused edit", "locked", "Reading", "/supervised"]],
    ["the record in locked mode", [LOCKED], { isRecord: true }, ["locked"]],
    [
      "a change at a pause",
      PAUSED,
      {},
      ["Refused edit", "check-in due: return your contract now", "Reading"],
    ],
    [
      "a change of a reader",
      [],
      { ...READER, tool: "write", reason: "write changes files" },
      ["Refused write (write changes files): minerva only reads", "editing specialist"],
    ],
    ["a change after an abort", [ABORTED], {}, ["the user stopped"]],
    [
      "a sensitive file, even to read",
      [],
      { tool: "read", effect: "read", secret: ".env" },
      [".env", "policy.allowSensitive"],
    ],
    [
      "what people have not decided on",
      [],
      { tool: "read", effect: "read", secret: ".gaia/knowledge/a.md" },
      ["recall_gaia"],
    ],
    [
      "settings",
      [],
      { protectedTarget: { kind: "path", text: "opencode.json" } },
      ["`opencode.json`", "only the user"],
    ],
    [
      "OpenCode's own server",
      [],
      { tool: "webfetch", effect: "read", protectedTarget: { kind: "address", text: "localhost:4096" } },
      ["OpenCode's own server"],
    ],
    ["after the end", [ROOT_ENDED], {}, ["ended"]],
  ])("refuses %s and says what would be allowed", (_name, scenes, call, words) => {
    const message = decide(scenes, call);
    for (const word of words) expect(message).toContain(word);
  });

  test.each<[string, Scene[], Asked, SandboxDecision, string]>([
    ["in locked mode without one", [LOCKED], {}, { kind: "refuse", why: "locked" }, "nothing may be changed"],
    [
      "that asks for more in locked mode",
      [LOCKED],
      { asks: "off" },
      { kind: "refuse", why: "locked" },
      "without GAIA_SANDBOX",
    ],
    ["where one is to be", [], {}, { kind: "refuse", why: "no sandbox" }, "none works here"],
    ["that is to leave it", [], { asks: "off" }, { kind: "refuse", why: "always sandboxed" }, "sandbox: on"],
    ["that shows a secret without one", [], { secret: ".env" }, AS_IT_IS, "may hold secrets"],
    [
      "that changes settings without one",
      [],
      { protectedTarget: { kind: "path", text: "opencode.json" } },
      ASK,
      "only the user",
    ],
  ])("refuses a command %s", (_name, scenes, call, sandbox, words) => {
    expect(decide(scenes, { tool: "bash", effect: "unknown", ...call }, { sandbox })).toContain(words);
  });

  test("leaves a command that a person has to read to OpenCode's dialog", () => {
    expect(decide([], { tool: "bash", effect: "unknown" }, { sandbox: ASK })).toBe("allowed");
    expect(decide([], { protectedTarget: { kind: "hook", text: ".husky/a" }, effect: "outside" })).toBe(
      "allowed",
    );
  });

  test.each([[[]], [[AUTOPILOT]], [[LOCKED]], [WAVE], [PAUSED]])("refuses dangerous everywhere", (scenes) => {
    const message = decide(scenes, { tool: "bash", effect: "forbidden", reason: "force push" });
    expect(message).toContain("every mode");
    expect(message).toContain("force push");
  });
});
