import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { announceToOpenCode } from "../../src/host/opencode/announced-tool.ts";
import { createCalls, UNSEEN } from "../../src/host/opencode/calls.ts";
import { toOpenCodeHooks } from "../../src/host/opencode/hooks.ts";
import { defineTool, type ToolOutput } from "../../src/host/tool.ts";
import { renderAsOperation } from "../../src/lib/error.ts";
import { callKey } from "../../src/host/port.ts";
import { Denial } from "../../src/host/hook-events.ts";

const logger = { log: () => undefined };

describe("a call's key", () => {
  const inHook = { sessionID: "s", callID: "call_0" };
  const inMessage = (messageID: string) => ({ ...inHook, messageID });

  it("is the same for the hooks, the events and the tool of one call", () => {
    const calls = createCalls();
    calls.messageBegan("s", "m1");
    const key = calls.begin(inHook);
    expect(key.key).toBe(callKey("s", "m1", "call_0"));
    expect(calls.of(inMessage("m1"))).toBe(key);
    expect(calls.ofContext(inMessage("m1"))).toBe(key);
    expect(calls.current(inHook)).toBe(key);
  });

  it("is another in every message and session, though the provider uses its id again", () => {
    const calls = createCalls();
    calls.messageBegan("s", "m1");
    const first = calls.begin(inHook);
    first.isOver = true;
    calls.messageBegan("s", "m2");
    calls.messageBegan("child", "m3");
    const second = calls.begin(inHook);
    const keys = [first, second, calls.begin({ ...inHook, sessionID: "child" })].map(({ key }) => key);
    expect(new Set(keys).size).toBe(3);
    // What is still told of the first names the first.
    expect(calls.of(inMessage("m1")).key).toBe(first.key);
    expect(calls.of(inMessage("m2"))).toBe(second);
  });
});

/** A tool of the plugin behind a gate that refuses each call whose `op` is `no`, as OpenCode meets both. */
function openScene() {
  const execute = vi.fn<() => Promise<ToolOutput>>(async () => ({ title: "done", result: { ok: true } }));
  const after = vi.fn<() => Promise<void>>(async () => undefined);
  const args = { op: z.string() };
  const announced = { name: "own_gaia", description: "", args };
  const tool = defineTool({ ...announced, renderRefusal: renderAsOperation, execute });
  const calls = createCalls();
  const served = { tools: [tool], endCall: async () => [] };
  const toasts: string[] = [];
  const toast = async (_variant: string, message: string): Promise<void> => void toasts.push(message);
  const shown = { logger, toast, calls };
  const tools = announceToOpenCode([announced], shown, async () => served);
  const hooks = toOpenCodeHooks(
    {
      "before-tool": async ({ args: given }) => {
        if (given["op"] === "no") throw new Denial("Refused: not now.");
      },
      "after-tool": after,
    },
    { calls } as never,
  );
  /** As OpenCode makes a call; what a tool of its own does is not looked at. */
  const call = async (callID: string, op: string, name = "own_gaia", isShown = true): Promise<string> => {
    const input = { tool: name, sessionID: "s", callID };
    if (isShown) await hooks["tool.execute.before"]?.(input, { args: { op } });
    const context = { sessionID: "s", messageID: "m", callID, abort: new AbortController().signal };
    const output = (await tools["own_gaia"]?.execute({ op }, context as never)) as { output: string };
    await hooks["tool.execute.after"]?.({ ...input, args: { op } }, output as never);
    return output.output;
  };
  return { call, execute, after, toasts };
}

it("a call that the hook before it was not shown does nothing, and the user is told in one sentence", async () => {
  const { call, execute, toasts } = openScene();
  await call("1", "yes");
  expect(JSON.parse(await call("2", "yes", "own_gaia", false))).toEqual({ ok: false, error: UNSEEN });
  expect(execute).toHaveBeenCalledTimes(1);
  expect(toasts).toEqual([UNSEEN]);
  // The provider's id of a call that was shown, in a later message.
  expect(JSON.parse(await call("1", "yes", "own_gaia", false))).toEqual({ ok: false, error: UNSEEN });
});

describe("a call of an own tool that a gate refuses", () => {
  it("ends with the refusal, does nothing, and is told to nothing that watches", async () => {
    const { call, execute, after } = openScene();
    expect(await call("1", "no")).toBe('{"ok":false,"error":"Refused: not now."}');
    expect(execute).not.toHaveBeenCalled();
    expect(after).not.toHaveBeenCalled();
    // Once over, its name is free again.
    expect(await call("1", "yes")).toBe('{"ok":true}');
    expect(after).toHaveBeenCalledTimes(1);
  });

  it("fails at once where the tool is another's", async () => {
    await expect(openScene().call("1", "no", "bash")).rejects.toThrow("Refused: not now.");
  });
});
