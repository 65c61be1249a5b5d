import { describe, expect, it } from "vitest";
import { initialState } from "../../../src/conversation/collaboration/state.ts";
import {
  type FindingFacts,
  findingStanding,
  mayStartAlone,
  type StartFacts,
} from "../../../src/conversation/findings/findings.ts";
import { DEFAULTS } from "../collaboration/session.ts";

const state = initialState("root", DEFAULTS, 0);
const autopilot = { ...state, knobs: { ...state.knobs, mode: "autopilot" as const } };
const paused = (reason: "abort" | "budget") => ({
  ...autopilot,
  pause: { reason, detail: "", sessionId: null, checkinDue: false },
});

describe("autopilot", () => {
  const free: StartFacts = {
    state: autopilot,
    isBusy: false,
    bound: null,
    hasOpenTasks: false,
  };
  it("begins a finding where nobody is asked and nothing else is open", () => {
    expect(mayStartAlone(free)).toBe(true);
  });
  it.each<[string, Partial<StartFacts>]>([
    ["supervised", { state }],
    ["locked", { state: { ...state, knobs: { ...state.knobs, mode: "locked" } } }],
    ["pair", { state: { ...autopilot, knobs: { ...autopilot.knobs, interaction: "pair" } } }],
    ["stopped", { state: paused("abort") }],
    ["at a budget", { state: paused("budget") }],
    ["at work", { isBusy: true }],
    ["with a plan", { hasOpenTasks: true }],
    ["at a bound", { bound: "12 turns in a row" }],
  ])("begins none while %s", (_what, facts) => {
    expect(mayStartAlone({ ...free, ...facts })).toBe(false);
  });
});

describe("what came of a finding", () => {
  const over: FindingFacts = {
    blocked: "",
    isAtWork: false,
    state: autopilot,
    standing: null,
    unit: null,
  };
  const proven = { kind: "proven", by: "`npm test`" } as const;
  const claimed = { kind: "claimed", why: "`npm test` fails" } as const;
  it.each<[string | null, Partial<FindingFacts>]>([
    ["done: proven by `npm test`", { standing: proven }],
    ["claimed: `npm test` fails", { standing: claimed }],
    ["claimed: nothing was changed", {}],
    ["claimed: you stopped it", { state: paused("abort"), standing: proven }],
    ["blocked: No way. Ask.", { blocked: "No way. Ask.", isAtWork: true }],
    [null, { standing: proven, isAtWork: true }],
    [null, { standing: proven, state: paused("budget") }],
    [null, { standing: proven, unit: "" }],
    ["claimed: you stopped it", { unit: "", state: paused("abort") }],
    ["blocked: No way. Ask.", { unit: "", blocked: "No way. Ask." }],
    ["done: one is complete", { unit: "done: one is complete", blocked: "No way. Ask.", isAtWork: true }],
  ])("is %j", (words, facts) => {
    expect(findingStanding({ ...over, ...facts })).toBe(words);
  });
});
