import { expect, it } from "vitest";
import { isChange } from "../../../src/conversation/collaboration/decide-call.ts";
import { describeCall } from "../../../src/conversation/tool-calls/gates.ts";
import { readToolCall } from "../../../src/host/opencode/tool-call.ts";
import type { SandboxRole } from "../../../src/sandbox/decide.ts";
import { examined } from "../../support/examination.ts";

const call = (tool: string, args: Record<string, unknown> = {}) => ({
  tool,
  args,
  effect: readToolCall(tool, args),
});

it.each([
  ["read_work_unit", false],
  ["list_work_units", false],
  ["verify", false],
  ["create_work_unit", true],
  ["open_wave", true],
  [undefined, true],
])("describeCall takes plan_gaia %s for a change of the record: %s", (op, changes) => {
  const described = describeCall(call("plan_gaia", { op }), "gaia", "reader", examined("read"), null);
  expect([described.isRecord, isChange(described)]).toEqual([changes, changes]);
});

it("describeCall takes what a command does for a change by who runs it: in the others' sandboxes nothing stays", () => {
  const changes = (role: SandboxRole, tool = "bash") =>
    isChange(describeCall(call(tool, { command: "npm test" }), "x", role, examined("unknown"), null));
  expect([changes("reader"), changes("checker")]).toEqual([false, false]);
  expect([changes("editor"), changes("guest")]).toEqual([true, true]);
  expect(changes("reader", "context7_docs")).toBe(true);
});

it("describeCall takes the historian's edits for the record's, but not her commands", () => {
  const isRecord = (tool: string) =>
    describeCall(call(tool, { command: "x" }), "x", "reader", examined("project"), "historian").isRecord;
  expect([isRecord("edit"), isRecord("write"), isRecord("bash")]).toEqual([true, true, false]);
});
