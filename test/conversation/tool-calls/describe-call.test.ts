import { describe, expect, it } from "vitest";
import { isChange } from "../../../src/conversation/collaboration/decide-call.ts";
import { describeCall, onlyReads } from "../../../src/conversation/tool-calls/describe-call.ts";
import { examined } from "../../support/examination.ts";

const HISTORIAN = "demeter";

describe("describeCall", () => {
  it("knows whom a delegation goes to", () => {
    const call = { tool: "delegate_gaia", args: { agent: "hades" }, agent: "gaia" };
    const described = describeCall(call, examined("read-only"), HISTORIAN);
    expect(described.delegateTo).toBe("hades");
    expect(isChange(described)).toBe(false);
  });

  it.each([
    ["read_work_unit", false],
    ["list_work_units", false],
    ["verify", false],
    ["create_work_unit", true],
    ["open_wave", true],
    [undefined, true],
  ])("takes plan_gaia %s for a change of the record: %s", (op, changes) => {
    const call = { tool: "plan_gaia", args: { op }, agent: "gaia" };
    const described = describeCall(call, examined("read-only"), HISTORIAN);
    expect([described.isRecord, isChange(described)]).toEqual([changes, changes]);
  });

  it("lets aether run checks, and nobody else", () => {
    const check = { tool: "bash", args: { command: "npm test" } };
    const changes = (agent: string, isCheck = true) =>
      isChange(describeCall({ ...check, agent }, examined("mutating", { isCheck }), HISTORIAN));
    expect(changes("aether")).toBe(false);
    expect(changes("aether", false)).toBe(true);
    expect(changes("hephaestus")).toBe(true);
  });

  it("takes the historian's edits for the record's, but not her commands", () => {
    const [edit, bash] = ["edit", "bash"].map((tool) =>
      describeCall({ tool, args: {}, agent: HISTORIAN }, examined("mutating"), HISTORIAN),
    );
    expect([edit?.isRecord, bash?.isRecord]).toEqual([true, false]);
  });
});

describe("onlyReads", () => {
  it.each([
    ["bash", "minerva", true],
    ["bash", "aether", true],
    ["bash", "hephaestus", false],
    ["context7_docs", "minerva", false],
  ])("%s by %s: %s, for a tool that the user opened is OpenCode's to decide", (tool, agent, expected) => {
    expect(onlyReads({ tool, agent, examination: examined("mutating") }, ["minerva"])).toBe(expected);
  });
});
