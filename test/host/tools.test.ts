import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { createCalls } from "../../src/host/opencode/calls.ts";
import { runTool } from "../../src/host/opencode/tools.ts";
import { defineTool, type EndCall, type ToolOutput } from "../../src/host/tool.ts";
import { refuse, renderAsOperation, renderAsTask, type Refusal } from "../../src/lib/error.ts";

type Renderer = (refusal: Refusal) => object;

const silent = { log: () => undefined };

/** Calls a tool as OpenCode does, and gives back the very text that the model reads. */
async function answer(
  result: () => Promise<ToolOutput["result"]>,
  given: { lines?: EndCall; args?: unknown; renderRefusal?: Renderer; aborted?: boolean } = {},
): Promise<string> {
  const { lines = async () => [], args = { name: "a" }, renderRefusal = renderAsTask } = given;
  const tool = defineTool({
    name: "tool_gaia",
    description: "",
    args: { name: z.string(), more: z.optional(z.string()) },
    renderRefusal,
    execute: async () => ({ title: "done", result: await result() }),
  });
  const context = {
    sessionID: "root",
    messageID: "message",
    callID: "call",
    agent: "gaia",
    abort: given.aborted === true ? AbortSignal.abort() : new AbortController().signal,
  };
  const calls = createCalls();
  calls.messageBegan("root", "message");
  const execution = { raw: args, context: context as never, call: calls.begin(context) };
  return (await runTool(tool, execution, lines, silent)).output;
}

describe("a result", () => {
  it("is given for arguments that come as a text, and says so of what is no object", async () => {
    const done = async () => ({ ok: true });
    expect(await answer(done, { args: '{"name":"a"}' })).toBe('{"ok":true}');
    for (const args of ['{"name":', "a", 7, null, ["a"]]) {
      const told = JSON.parse(await answer(done, { args })) as Record<string, unknown>;
      expect(told["status"]).toBe("failed");
      expect(told["message"]).toMatch(/^Wrong arguments: .*one JSON object/);
    }
    expect(await answer(done, { args: { name: {} } })).toContain("name: Invalid input: expected string");
  });

  it("ends the call once, with its arguments, after the tool has run", async () => {
    const seen: unknown[] = [];
    const lines: EndCall = async (tool, args, { callId, sessionId }) => {
      seen.push([tool, args, callId, sessionId]);
      return [];
    };
    const run = async () => {
      seen.push("ran");
      return {};
    };
    await answer(run, { lines, args: { name: "a", more: null } });
    expect(seen).toEqual(["ran", ["tool_gaia", { name: "a" }, "root/message/call", "root"]]);
    const ends: EndCall = async (_tool, _args, _call, result) => (seen.push(result), []);
    await answer(run, { lines: ends, args: { nam: "a" } });
    expect(seen.slice(2)).toMatchObject([{ kind: "refused", isSlip: true }]);
  });
});

describe("a call that comes to nothing", () => {
  const refusal = refuse("No.", "Ask.", { report: 1 });

  it.each<[string, Renderer, Refusal, string]>([
    ["a task", renderAsTask, refuse("No.", "Ask."), '{"status":"failed","message":"No. Ask."}'],
    ["a task without a hint", renderAsTask, refuse("No."), '{"status":"failed","message":"No."}'],
    ["an operation", renderAsOperation, refusal, '{"ok":false,"error":"No.","hint":"Ask.","report":1}'],
    ["an operation without a hint", renderAsOperation, refuse("No."), '{"ok":false,"error":"No."}'],
  ])("is refused as %s", async (_name, renderRefusal, result, expected) => {
    expect(await answer(async () => result, { renderRefusal })).toBe(expected);
  });
});
