import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { moveCall, readOutcome, readTarget, readToolCall } from "../../src/host/opencode/tool-call.ts";
import type { ToolEffect } from "../../src/host/tool-call.ts";
import type { JsonRecord } from "../../src/lib/json.ts";
import { readCases } from "../support/cases.ts";

describe("a tool call", () => {
  it.each(readCases<[string, unknown, ToolEffect]>("host/tool-call.effects"))(
    "is read by what it does: %s %j",
    (tool, args, effect) => {
      expect(readToolCall(tool, args)).toEqual(effect);
    },
  );

  it.each(readCases<[string, JsonRecord, JsonRecord]>("host/tool-call.moved"))(
    "is moved with what it names of the project but the record: %s %j",
    (tool, args, moved) => {
      moveCall(tool, args, { at: "/home/a/project/packages/one", from: "/home/a/project", to: "/data/lane" });
      expect(args).toEqual(moved);
    },
  );

  it("may hold whatever a model has written", () => {
    const tools = fc.constantFrom("bash", "read", "edit", "write", "apply_patch", "question");
    fc.assert(
      fc.property(tools, fc.object(), fc.anything(), (tool, args, result) => {
        const readAll = (): unknown[] => [
          readToolCall(tool, args),
          readTarget(tool, args),
          readOutcome(tool, args, result),
        ];
        expect(readAll).not.toThrow();
      }),
    );
  });
});

describe("the outcome of a call", () => {
  it("keeps the chosen labels of a question, and nothing of another shape", () => {
    const metadata = { answers: [["Yes", 1], "No", ["Later"]] };
    expect(readOutcome("question", {}, { output: "ok", metadata }).answers).toEqual([["Yes"], [], ["Later"]]);
    expect(readOutcome("bash", {}, { output: "ok", metadata }).answers).toEqual([]);
  });

  it("has no text where an MCP tool gives back something else", () => {
    expect(readOutcome("mcp_tool", {}, { output: [{ type: "text" }] }).text).toBeNull();
  });
});
