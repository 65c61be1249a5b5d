import { describe, expect, test } from "vitest";
import type { PermissionRequest } from "../../../src/conversation/collaboration/decide-permission.ts";
import { decidePermission } from "../../../src/conversation/collaboration/decide-permission.ts";
import type { ToolCall } from "../../../src/conversation/collaboration/decide-tool-call.ts";
import { decideToolCall } from "../../../src/conversation/collaboration/decide-tool-call.ts";
import type { Scene } from "./session.ts";
import { approvedWave, AUTOPILOT, DEFAULTS, edit, play, set, start, withBudgets } from "./session.ts";

const LOCKED = set({ knob: "mode", value: "locked" });
const PAUSED: Scene[] = [set({ knob: "profile", value: "pair_live" }), start(), edit()];
const WAVE = [...approvedWave(), start()];

describe("decidePermission", () => {
  const request: PermissionRequest = {
    permission: "edit",
    verdict: "mutating",
    sessionId: "child",
    workUnit: "unit",
    wave: "w1",
    isApproval: false,
  };
  const decide = (scenes: Scene[], changes: Partial<PermissionRequest> = {}, defaults = DEFAULTS) =>
    decidePermission(play(scenes).state, { ...request, ...changes }, defaults).action;

  test.each<[string, Scene[], Partial<PermissionRequest>, string]>([
    ["supervised asks", [start()], {}, "leave-to-human"],
    ["autopilot answers", [AUTOPILOT, start()], {}, "answer-once"],
    ["autopilot answers the root", [AUTOPILOT], { sessionId: "root" }, "answer-once"],
    ["locked denies", [LOCKED, start()], {}, "deny"],
    ["a pause denies", PAUSED, {}, "deny"],
    ["an approved wave answers", WAVE, {}, "answer-once"],
    ["not for another wave", WAVE, { wave: "w2" }, "leave-to-human"],
    ["not for another unit", WAVE, { workUnit: "other" }, "leave-to-human"],
    ["not without a wave", WAVE, { wave: null }, "leave-to-human"],
    ["not for a session that is none of its children", WAVE, { sessionId: "x" }, "leave-to-human"],
    [
      "reading outside the project is asked for",
      [start()],
      { permission: "external_directory", verdict: "read-only" },
      "leave-to-human",
    ],
    [
      "and passes in autopilot, even at a pause",
      [AUTOPILOT, start(), { type: "aborted" }],
      { permission: "external_directory", verdict: "read-only" },
      "answer-once",
    ],
    ["autopilot neither", [AUTOPILOT], {}, "leave-to-human"],
    [
      "nor after the session ended",
      [AUTOPILOT, start(), { type: "session-ended", sessionId: "root" }],
      {},
      "leave-to-human",
    ],
    ["a loop brake stays with the human", WAVE, { permission: "doom_loop" }, "leave-to-human"],
    ["in autopilot the loop is broken", [AUTOPILOT, start()], { permission: "doom_loop" }, "deny"],
  ])("%s", (_name, scenes, changes, action) => {
    expect(decide(scenes, changes)).toBe(action);
  });

  test("a request without a wave counts as the current one where the config says so", () => {
    const lenient = { ...DEFAULTS, wavePolicy: { ...DEFAULTS.wavePolicy, enforceWaveId: false } };
    expect(decide(WAVE, { wave: null }, lenient)).toBe("answer-once");
  });

  test.each<[string, Scene[]]>([
    ["supervised", [start()]],
    ["autopilot", [AUTOPILOT, start()]],
    ["locked", [LOCKED, start()]],
    ["an approved wave", WAVE],
    ["a pause", PAUSED],
  ])("in %s: read-only commands pass, dangerous is denied, approvals are the human's", (_name, scenes) => {
    expect(decide(scenes, { permission: "bash", verdict: "read-only" })).toBe("answer-once");
    expect(decide(scenes, { verdict: "dangerous" })).toBe("deny");
    expect(decide(scenes, { isApproval: true })).toBe("leave-to-human");
  });
});

describe("decideToolCall", () => {
  const readers = ["gaia", "minerva", "aether"];
  const decide = (scenes: Scene[], call: Partial<ToolCall>) => {
    const full: ToolCall = { tool: "edit", verdict: "mutating", agent: "hephaestus", ...call };
    const decision = decideToolCall(play(scenes).state, full, readers);
    return decision.allow ? "allowed" : decision.message;
  };

  test.each<[string, Scene[], Partial<ToolCall>]>([
    ["an editor edits", [], {}],
    ["reading in locked mode", [LOCKED], { tool: "read", verdict: "read-only" }],
    ["reading at a pause", PAUSED, { tool: "bash", verdict: "read-only" }],
    ["the record, written by GAIA", [], { tool: "plan_gaia", agent: "gaia", isRecord: true }],
    ["the record at a pause", PAUSED, { tool: "plan_gaia", agent: "gaia", isRecord: true }],
    ["after /next", [...PAUSED, { type: "next" }], {}],
  ])("allows %s", (_name, scenes, call) => {
    expect(decide(scenes, call)).toBe("allowed");
  });

  test.each<[string, Scene[], Partial<ToolCall>, string[]]>([
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
      { tool: "bash", agent: "minerva", reason: "rm is not known to be read-only", part: "rm a" },
      ["Refused bash (`rm a`: rm is not known to be read-only): minerva only reads", "only print", "result"],
    ],
    [
      "a command in locked mode",
      [LOCKED],
      { tool: "bash", reason: "writes to a file", part: "> x" },
      ["Refused bash (`> x`: writes to a file): the session is locked", "read-only commands"],
    ],
    ["a change after an abort", [{ type: "aborted" }], {}, ["the user stopped"]],
    [
      "a sensitive file, even to read",
      [],
      { tool: "read", verdict: "read-only", sensitive: ".env" },
      [".env", "policy.allowSensitive"],
    ],
    ["after the end", [{ type: "session-ended", sessionId: "root" }], {}, ["ended"]],
  ])("refuses %s and says what would be allowed", (_name, scenes, call, words) => {
    const message = decide(scenes, call);
    for (const word of words) expect(message).toContain(word);
  });

  test("names the budget that stopped the work", () => {
    const defaults = withBudgets({ maxToolCallsPerWave: 1 });
    const { state } = play([AUTOPILOT, edit()], defaults);
    const call: ToolCall = { tool: "edit", verdict: "mutating", agent: "hephaestus" };
    expect(decideToolCall(state, call, readers)).toMatchObject({
      allow: false,
      message: expect.stringContaining("1 of 1 tool calls"),
    });
  });

  test.each([[[]], [[AUTOPILOT]], [[LOCKED]], [WAVE], [PAUSED]])("refuses dangerous everywhere", (scenes) => {
    const message = decide(scenes, { tool: "bash", verdict: "dangerous", reason: "force push" });
    expect(message).toContain("every mode");
    expect(message).toContain("force push");
  });
});
