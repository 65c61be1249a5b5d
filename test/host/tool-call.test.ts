import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOutcome, readTarget, readToolCall } from "../../src/host/opencode/tool-call.ts";
import type { ToolEffect } from "../../src/host/tool-call.ts";
import { readCases } from "../support/cases.ts";

const edits = (...list: { path: string; before: string | null; after: string }[]): ToolEffect => ({
  kind: "edit",
  isPatch: false,
  edits: list,
});

describe("readToolCall", () => {
  it.each<[string, unknown, ToolEffect]>([
    ["bash", { command: "ls", workdir: "/tmp" }, { kind: "command", command: "ls", workdir: "/tmp" }],
    ["bash", null, { kind: "command", command: "", workdir: null }],
    ["read", { filePath: "a.ts" }, { kind: "read", paths: ["a.ts"], patterns: [], addresses: [] }],
    [
      "grep",
      { pattern: "x", path: "src", include: "*.ts" },
      { kind: "read", paths: ["src"], patterns: ["*.ts"], addresses: [], searches: true },
    ],
    ["glob", { pattern: "**/*.ts" }, { kind: "read", paths: [], patterns: ["**/*.ts"], addresses: [] }],
    [
      "edit",
      { filePath: "a", oldString: "x", newString: "y" },
      edits({ path: "a", before: "x", after: "y" }),
    ],
    ["write", { filePath: "a", content: "y" }, edits({ path: "a", before: null, after: "y" })],
    ["write", { content: "y" }, edits()],
    ...readCases<[string, unknown, ToolEffect]>("host/tool-call.read-tool-call"),
  ])("%s %j", (tool, args, effect) => {
    expect(readToolCall(tool, args)).toEqual(effect);
  });

  it("takes whatever a model may have written", () => {
    const tools = fc.constantFrom("bash", "read", "edit", "write", "apply_patch", "question");
    fc.assert(
      fc.property(tools, fc.object(), fc.anything(), (tool, args, result) => {
        expect(() => [
          readToolCall(tool, args),
          readTarget(tool, args),
          readOutcome(tool, args, result),
        ]).not.toThrow();
      }),
    );
  });
});

describe("readOutcome", () => {
  it("keeps the chosen labels of a question, and nothing of another shape", () => {
    const metadata = { answers: [["Yes", 1], "No", ["Later"]] };
    expect(readOutcome("question", {}, { output: "ok", metadata }).answers).toEqual([["Yes"], [], ["Later"]]);
    expect(readOutcome("bash", {}, { output: "ok", metadata }).answers).toEqual([]);
  });

  it("has no text where an MCP tool gives back something else", () => {
    expect(readOutcome("mcp_tool", {}, { output: [{ type: "text" }] }).text).toBeNull();
  });
});
