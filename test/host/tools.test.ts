import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { toOpenCodeTool } from "../../src/host/opencode/tools.ts";
import { defineTool, type EndCall, type ToolOutput } from "../../src/host/tool.ts";
import { refuse, renderAsOperation, renderAsTask, type Refusal } from "../../src/lib/refusal.ts";

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
  const run = toOpenCodeTool(tool, silent, lines).execute as (
    args: unknown,
    context: object,
  ) => Promise<{ output: string }>;
  return (await run(args, context)).output;
}

describe("a result", () => {
  it("becomes JSON as it is, with what GAIA has to be told at its end", async () => {
    const done = async () => ({ checkin: "old", ok: true });
    expect(await answer(async () => ({ ok: true, n: 1 }))).toBe('{"ok":true,"n":1}');
    expect(await answer(async () => ({ ok: true }), { lines: async () => ["one", "two"] })).toBe(
      '{"ok":true,"checkin":"one\\ntwo"}',
    );
    expect(await answer(done, { lines: async () => ["new"] })).toBe('{"checkin":"new","ok":true}');
  });

  it("is given for arguments that come as a text, and says so of what is no object", async () => {
    const done = async () => ({ ok: true });
    expect(await answer(done, { args: '{"name":"a"}' })).toBe('{"ok":true}');
    for (const args of ['{"name":', "a", 7, null, ["a"]]) {
      const { ok, error } = JSON.parse(await answer(done, { args })) as Record<string, unknown>;
      expect(ok).toBe(false);
      expect(error).toMatch(/^Wrong arguments: .*one JSON object/);
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
  });

  it.each([
    ["has no room for lines", { aborted: false }, "x".repeat(46_000)],
    ["nobody reads", { aborted: true }, "x"],
  ])("that %s leaves them where they are", async (_name, given, text) => {
    let asked = 0;
    const lines: EndCall = async () => {
      asked += 1;
      return ["a line"];
    };
    expect(await answer(async () => ({ text }), { lines, ...given })).toBe(JSON.stringify({ text }));
    expect(asked).toBe(0);
  });

  it("is not lost when the lines cannot be had", async () => {
    const lines: EndCall = async () => Promise.reject(new Error("broken"));
    expect(await answer(async () => ({ ok: true }), { lines })).toBe('{"ok":true}');
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

  it("says which arguments are wrong, or what broke, and tells the lines all the same", async () => {
    const lines: EndCall = async () => ["a line"];
    const wrong = JSON.parse(await answer(async () => ({}), { lines, args: {} })) as object;
    expect(wrong).toMatchObject({ status: "failed", ok: false, checkin: "a line" });
    expect(wrong).toHaveProperty("error", expect.stringMatching(/^Wrong arguments\. name: .*corrected\.$/));
    const broken = async () => Promise.reject(new Error("boom"));
    expect(JSON.parse(await answer(broken))).toMatchObject({
      ok: false,
      message: expect.stringContaining("tool_gaia failed inside the plugin: boom"),
    });
  });
});
