import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { Denial } from "../../src/host/hook.ts";
import { announceToOpenCode } from "../../src/host/opencode/announced-tool.ts";
import { createDeniedCalls } from "../../src/host/opencode/denied-calls.ts";
import { toOpenCodeHooks } from "../../src/host/opencode/hooks.ts";
import { defineTool, type ToolOutput } from "../../src/host/tool.ts";
import { renderAsOperation } from "../../src/lib/refusal.ts";

const logger = { log: () => undefined };

/** A tool of the plugin behind a gate that refuses each call whose `op` is `no`, as OpenCode meets both. */
function openScene() {
  const execute = vi.fn<() => Promise<ToolOutput>>(async () => ({ title: "done", result: { ok: true } }));
  const after = vi.fn<() => Promise<void>>(async () => undefined);
  const args = { op: z.string() };
  const announced = { name: "own_gaia", description: "", args };
  const tool = defineTool({ ...announced, renderRefusal: renderAsOperation, execute });
  const denied = createDeniedCalls(["own_gaia"]);
  const served = { tools: [tool], endCall: async () => [], fileTools: [] };
  const shown = { logger, showArguments: async () => true };
  const tools = announceToOpenCode([announced], shown, async () => served, denied);
  const hooks = toOpenCodeHooks(
    {
      "before-tool": async ({ args: given }) => {
        if (given["op"] === "no") throw new Denial("Refused: not now.");
      },
      "after-tool": after,
    },
    {} as never,
    denied,
  );
  /** As OpenCode makes a call; what a tool of its own does is not looked at. */
  const call = async (callID: string, op: string, name = "own_gaia", known = true): Promise<string> => {
    const input = { tool: name, sessionID: "s", callID };
    await hooks["tool.execute.before"]?.(input, { args: { op } });
    const context = { sessionID: "s", ...(known && { callID }), abort: new AbortController().signal };
    const output = (await tools["own_gaia"]?.execute({ op }, context as never)) as { output: string };
    await hooks["tool.execute.after"]?.({ ...input, args: { op } }, output as never);
    return output.output;
  };
  return { call, execute, after };
}

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

  it("does nothing either where OpenCode does not say which call it is", async () => {
    const { call, execute } = openScene();
    expect(await call("1", "no", "own_gaia", false)).toContain("not now");
    expect(execute).not.toHaveBeenCalled();
  });

  it("fails at once where the tool is another's", async () => {
    await expect(openScene().call("1", "no", "bash")).rejects.toThrow("Refused: not now.");
  });
});
