import { describe, expect, it } from "vitest";
import type { Role } from "../../../src/config/roles.ts";
import { isChange } from "../../../src/conversation/collaboration/decide-call.ts";
import { changesByItself, describeCall } from "../../../src/conversation/tool-calls/describe-call.ts";
import { readToolCall } from "../../../src/host/opencode/tool-call.ts";
import { examined } from "../../support/examination.ts";

const call = (tool: string, args: Record<string, unknown> = {}) => ({
  tool,
  args,
  effect: readToolCall(tool, args),
});

describe("describeCall", () => {
  it.each([
    ["read_work_unit", false],
    ["list_work_units", false],
    ["verify", false],
    ["create_work_unit", true],
    ["open_wave", true],
    [undefined, true],
  ])("takes plan_gaia %s for a change of the record: %s", (op, changes) => {
    const described = describeCall(call("plan_gaia", { op }), "gaia", examined("read"), null);
    expect([described.isRecord, isChange(described)]).toEqual([changes, changes]);
  });

  it("lets a checker run checks, and no other role", () => {
    const changes = (role: Role | null, isCheck = true) =>
      isChange(
        describeCall(call("bash", { command: "npm test" }), "x", examined("project", { isCheck }), role),
      );
    expect(changes("checker")).toBe(false);
    expect(changes("checker", false)).toBe(true);
    expect(changes("implementer")).toBe(true);
    expect(changes(null)).toBe(true);
  });

  it("takes the historian's edits for the record's, but not her commands", () => {
    const isRecord = (tool: string) =>
      describeCall(call(tool, { command: "x" }), "x", examined("project"), "historian").isRecord;
    expect([isRecord("edit"), isRecord("write"), isRecord("bash")]).toEqual([true, true, false]);
  });
});

describe("changesByItself", () => {
  it.each([
    ["bash", true],
    ["edit", true],
    ["apply_patch", true],
    ["read", false],
    ["context7_docs", false],
  ])("%s: %s, for a tool that the user opened is OpenCode's to decide", (tool, expected) => {
    expect(changesByItself(call(tool))).toBe(expected);
  });
});
