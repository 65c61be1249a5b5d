import { describe, expect, it } from "vitest";
import type { Role } from "../../../src/config/roles.ts";
import { describeCall, refusedAgents } from "../../../src/conversation/tool-calls/describe-call.ts";
import type { Judged } from "../../../src/policy/load-policy.ts";

const judged = (verdict: Judged["verdict"]): Judged => ({ verdict, reason: "because" });

describe("describeCall", () => {
  it.each([
    ["read_work_unit", "read-only"],
    ["list_work_units", "read-only"],
    ["verify", "read-only"],
    ["create_work_unit", "mutating"],
    ["open_wave", "mutating"],
    [undefined, "mutating"],
  ])("takes plan_gaia %s for %s", (op, verdict) => {
    const call = { tool: "plan_gaia", args: { op }, agent: "gaia" };
    expect(describeCall(call, judged("read-only"), null).verdict).toBe(verdict);
  });

  it("lets a checker run checks, and nobody else", () => {
    const check = { tool: "bash", args: { command: "npm test" }, agent: "someone" };
    const verdict = (role: Role, isCheck = true) =>
      describeCall(check, { ...judged("mutating"), isCheck }, role).verdict;
    expect(verdict("checker")).toBe("read-only");
    expect(verdict("checker", false)).toBe("mutating");
    expect(verdict("implementer")).toBe("mutating");
  });

  it("never makes a dangerous command harmless", () => {
    const call = { tool: "bash", args: { command: "npm test" }, agent: "aether" };
    expect(describeCall(call, { ...judged("dangerous"), isCheck: true }, "checker").verdict).toBe(
      "dangerous",
    );
  });

  it("takes the historian's edits for the record's, but not her commands", () => {
    const edit = describeCall({ tool: "edit", args: {}, agent: "demeter" }, judged("mutating"), "historian");
    const bash = describeCall({ tool: "bash", args: {}, agent: "demeter" }, judged("mutating"), "historian");
    expect([edit.isRecord, bash.isRecord]).toEqual([true, undefined]);
  });
});

describe("refusedAgents", () => {
  it("leaves a tool that the user opened to a reader to OpenCode's permissions", () => {
    expect(refusedAgents("bash", ["minerva"])).toEqual(["minerva"]);
    expect(refusedAgents("context7_docs", ["minerva"])).toEqual([]);
  });
});
