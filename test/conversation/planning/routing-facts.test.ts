import { describe, expect, it } from "vitest";
import { decideRoute, type RoutingFacts } from "../../../src/conversation/planning/routing-facts.ts";

const EDIT: RoutingFacts = {
  agent: "hephaestus",
  edits: true,
  disabledAgents: [],
  mode: "supervised",
  blockedReason: null,
  createsRevision: false,
  verification: "never",
};
const READ: RoutingFacts = { ...EDIT, agent: "minerva", edits: false };
const REVISION: RoutingFacts = { ...EDIT, createsRevision: true };

describe("decideRoute", () => {
  it.each<[string, RoutingFacts]>([
    ["an edit", EDIT],
    ["reading in locked mode", { ...READ, mode: "locked" }],
    ["reading while blocked", { ...READ, blockedReason: "no access" }],
    ["a revision after checks passed", { ...REVISION, verification: "passed" }],
    ["a revision without a Definition of Done", { ...REVISION, verification: "unconfigured" }],
  ])("allows %s", (_name, facts) => {
    expect(decideRoute(facts)).toEqual({ kind: "allowed" });
  });

  it.each<[string, RoutingFacts, RegExp]>([
    ["a disabled agent", { ...READ, disabledAgents: ["minerva"] }, /minerva is disabled/],
    ["an edit in locked mode", { ...EDIT, mode: "locked" }, /locked/],
    ["an edit while blocked", { ...EDIT, blockedReason: "rejected twice" }, /BLOCKED: rejected twice/],
    ["a revision without checks", { ...REVISION, verification: "never" }, /not verified yet/],
    ["a revision after failed checks", { ...REVISION, verification: "failed" }, /does not pass/],
    ["a revision after later changes", { ...REVISION, verification: "stale" }, /changed after/],
    ["a revision by a reader in locked mode", { ...REVISION, edits: false, mode: "locked" }, /locked/],
  ])("refuses %s and says what to do", (_name, facts, reason) => {
    const decision = decideRoute(facts);
    expect(decision).toMatchObject({ kind: "refused", reason: expect.stringMatching(reason) });
    expect(decision).toHaveProperty("hint", expect.stringMatching(/\w.*\.$/));
  });
});
