import { describe, expect, test } from "vitest";
import {
  type CallDecision,
  decideCall,
  type ExaminedCall,
  type GuardQuestion,
  type PermissionQuestion,
  refusalText,
} from "../../../src/conversation/collaboration/decide-call.ts";
import { recordingOf } from "../../../src/policy/history/history.ts";
import type { Effect, Examination } from "../../../src/policy/examination.ts";
import { examined } from "../../support/examination.ts";
import type { Scene } from "./session.ts";
import { approvedWave, AUTOPILOT, DEFAULTS, edit, play, set, start, withBudgets } from "./session.ts";

const LOCKED = set({ knob: "mode", value: "locked" });
const PAUSED: Scene[] = [set({ knob: "profile", value: "pair_live" }), start(), edit()];
const WAVE = [...approvedWave(), start()];

/** A call of which only this is worth saying. */
type Asked = Partial<Omit<ExaminedCall, "examination">> &
  Partial<Omit<Examination, "part">> & { part?: string };
const callOf = (asked: Asked): ExaminedCall => {
  const {
    effect = "project",
    reason = "",
    part,
    secret = null,
    history = null,
    isCheck = false,
    noCheck = null,
    ...call
  } = asked;
  const span = part === undefined ? null : { start: 0, end: part.length, text: part };
  const examination = examined(effect, { reason, part: span, secret, history, isCheck, noCheck });
  return { tool: "edit", agent: "hephaestus", ...call, examination };
};

describe("a dialog", () => {
  const question: PermissionQuestion = {
    by: "host",
    permission: "edit",
    sessionId: "child",
    workUnit: "unit",
    wave: "w1",
    enforceWaveId: DEFAULTS.wavePolicy.enforceWaveId,
    isApproval: false,
    isContained: false,
  };
  type Changes = Partial<PermissionQuestion> & { readonly effect?: Effect } & Pick<
      Asked,
      "history" | "isApproved"
    >;
  const decide = (
    scenes: Scene[],
    { effect = "project", history = null, isApproved = false, ...changes }: Changes = {},
  ) => decideCall(play(scenes).state, callOf({ effect, history, isApproved }), { ...question, ...changes });
  const commit: Changes = {
    permission: "bash",
    effect: "history",
    history: recordingOf("commit", "git commit"),
  };

  test.each<[string, Scene[], Changes, CallDecision["kind"]]>([
    ["supervised asks", [start()], {}, "ask"],
    ["autopilot answers", [AUTOPILOT, start()], {}, "allow"],
    ["autopilot answers the root", [AUTOPILOT], { sessionId: "root" }, "allow"],
    ["locked denies", [LOCKED, start()], {}, "refuse"],
    ["a pause denies", PAUSED, {}, "refuse"],
    ["an approved wave answers", WAVE, {}, "allow"],
    ["autopilot commits", [AUTOPILOT, start()], { permission: "bash", effect: "history" }, "allow"],
    ["and so it does past its gate", [AUTOPILOT, start()], commit, "allow"],
    ["a wave is no word about a commit", WAVE, commit, "ask"],
    ["nor about a tag that a build tool makes", WAVE, { ...commit, effect: "project" }, "ask"],
    ["it is about a branch to work on", WAVE, { permission: "bash", effect: "history" }, "allow"],
    ["an approved revision is committed", [start()], { ...commit, isApproved: true }, "allow"],
    ["and not pushed", [start()], { ...commit, isApproved: true, effect: "outside" }, "ask"],
    ["autopilot throws nothing away", [AUTOPILOT, start()], { permission: "bash", effect: "lossy" }, "ask"],
    [
      "autopilot stays in the project",
      [AUTOPILOT, start()],
      { permission: "bash", effect: "outside" },
      "ask",
    ],
    [
      "autopilot runs nothing unknown",
      [AUTOPILOT, start()],
      { permission: "bash", effect: "unknown" },
      "ask",
    ],
    [
      "autopilot runs what is unknown when it is contained",
      [AUTOPILOT, start()],
      { permission: "bash", effect: "unknown", isContained: true },
      "allow",
    ],
    ["a wave as well", WAVE, { permission: "bash", effect: "unknown", isContained: true }, "allow"],
    [
      "but nothing that is no command",
      [AUTOPILOT, start()],
      { permission: "external_directory", effect: "unknown", isContained: true },
      "ask",
    ],
    [
      "nor what reaches outside",
      [AUTOPILOT, start()],
      { permission: "bash", effect: "outside", isContained: true },
      "ask",
    ],
    [
      "nor in supervised mode",
      [start()],
      { permission: "bash", effect: "unknown", isContained: true },
      "ask",
    ],
    ["a wave throws nothing away", WAVE, { permission: "bash", effect: "lossy" }, "ask"],
    ["a wave stays in the project", WAVE, { permission: "edit", effect: "outside" }, "ask"],
    ["a wave does what is dangerous for nobody", WAVE, { permission: "bash", effect: "forbidden" }, "refuse"],
    ["not for another wave", WAVE, { wave: "w2" }, "ask"],
    ["not for another unit", WAVE, { workUnit: "other" }, "ask"],
    ["not without a wave", WAVE, { wave: null }, "ask"],
    ["not for a session that is none of its children", WAVE, { sessionId: "x" }, "ask"],
    [
      "reading outside the project is asked for",
      [start()],
      { permission: "external_directory", effect: "read" },
      "ask",
    ],
    [
      "and passes in autopilot, even at a pause",
      [AUTOPILOT, start(), { type: "aborted" }],
      { permission: "external_directory", effect: "read" },
      "allow",
    ],
    ["autopilot neither", [AUTOPILOT], {}, "ask"],
    [
      "nor after the session ended",
      [AUTOPILOT, start(), { type: "session-ended", sessionId: "root" }],
      {},
      "ask",
    ],
    ["a loop brake stays with the human", WAVE, { permission: "doom_loop" }, "ask"],
    ["in autopilot the loop is broken", [AUTOPILOT, start()], { permission: "doom_loop" }, "refuse"],
  ])("%s", (_name, scenes, changes, action) => {
    expect(decide(scenes, changes).kind).toBe(action);
  });

  test("a request without a wave counts as the current one where the config says so", () => {
    expect(decide(WAVE, { wave: null, enforceWaveId: false }).kind).toBe("allow");
  });

  test.each<[string, Scene[], Changes, string]>([
    [
      "in locked mode",
      [LOCKED, start()],
      {},
      "Refused: locked mode is read-only. The user unlocks with /supervised or /autopilot.",
    ],
    [
      "at a pause",
      PAUSED,
      {},
      "Refused: check-in due: return your contract now. Reading still works; changes are allowed again once the user answers.",
    ],
    [
      "in a loop",
      [AUTOPILOT, start()],
      { permission: "doom_loop" },
      "Refused: the same call for the third time. Change the approach or return your contract.",
    ],
  ])("says why it is refused %s", (_name, scenes, changes, text) => {
    const decision = decide(scenes, changes);
    expect(decision.kind === "refuse" && refusalText(decision)).toBe(text);
  });

  test.each<[string, Scene[]]>([
    ["supervised", [start()]],
    ["autopilot", [AUTOPILOT, start()]],
    ["locked", [LOCKED, start()]],
    ["an approved wave", WAVE],
    ["a pause", PAUSED],
  ])("in %s: read-only commands pass, dangerous is denied, approvals are the human's", (_name, scenes) => {
    expect(decide(scenes, { permission: "bash", effect: "read" }).kind).toBe("allow");
    expect(decide(scenes, { effect: "forbidden" }).kind).toBe("refuse");
    expect(decide(scenes, { isApproval: true }).kind).toBe("ask");
  });
});

describe("the guard", () => {
  const readers = new Set(["gaia", "minerva", "aether"]);
  const decide = (scenes: Scene[], asked: Asked, rest: Partial<GuardQuestion> = {}, defaults = DEFAULTS) => {
    const call = callOf(asked);
    const onlyReads = readers.has(call.agent);
    const question: GuardQuestion = { by: "guard", onlyReads, ...rest };
    const decision = decideCall(play(scenes, defaults).state, call, question);
    return decision.kind === "refuse" ? refusalText(decision, call.tool) : "allowed";
  };

  test.each<[string, Scene[], Asked]>([
    ["an editor edits", [], {}],
    ["reading in locked mode", [LOCKED], { tool: "read", effect: "read" }],
    ["reading at a pause", PAUSED, { tool: "bash", effect: "read" }],
    ["the record, written by GAIA", [], { tool: "plan_gaia", agent: "gaia", isRecord: true }],
    ["the record at a pause", PAUSED, { tool: "plan_gaia", agent: "gaia", isRecord: true }],
    ["after /next", [...PAUSED, { type: "next" }], {}],
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
      { tool: "read", effect: "read", secret: ".env" },
      [".env", "policy.allowSensitive"],
    ],
    ["after the end", [{ type: "session-ended", sessionId: "root" }], {}, ["ended"]],
  ])("refuses %s and says what would be allowed", (_name, scenes, call, words) => {
    const message = decide(scenes, call);
    for (const word of words) expect(message).toContain(word);
  });

  test("names the budget that stopped the work", () => {
    const message = decide([AUTOPILOT, edit()], {}, {}, withBudgets({ maxToolCallsPerWave: 1 }));
    expect(message).toContain("1 of 1 tool calls");
  });

  test("lets an agent run checks whose job they are, and no danger beside them", () => {
    const check = { tool: "bash", agent: "aether", isCheck: true, mayCheck: true };
    expect(decide([LOCKED], check)).toBe("allowed");
    expect(decide([LOCKED], { ...check, isCheck: false })).toContain("locked");
    expect(decide([LOCKED], { ...check, mayCheck: false })).toContain("locked");
    expect(decide([], { ...check, effect: "forbidden" })).toContain("every mode");
  });

  test("tells one who may run checks what makes a command none", () => {
    const script = { tool: "bash", agent: "aether", noCheck: "`npm run lint` writes", reason: "unknown" };
    const refused = decide([LOCKED], { ...script, mayCheck: true });
    expect(refused).toContain("Refused bash (`npm run lint` writes)");
    expect(refused).toContain("Checks that change no files run.");
    expect(decide([LOCKED], script)).toContain("Refused bash (unknown)");
    expect(decide([], { ...script, mayCheck: true }, { onlyReads: true })).toContain(
      "(`npm run lint` writes)",
    );
  });

  test.each([[[]], [[AUTOPILOT]], [[LOCKED]], [WAVE], [PAUSED]])("refuses dangerous everywhere", (scenes) => {
    const message = decide(scenes, { tool: "bash", effect: "forbidden", reason: "force push" });
    expect(message).toContain("every mode");
    expect(message).toContain("force push");
  });
});
