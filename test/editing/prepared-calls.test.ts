import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { prepareCall } from "../../src/extras/changes/prepare-call.ts";
import { listBeforeTools } from "../../src/hooks/before-tools.ts";
import { toOpenCodeHooks } from "../../src/host/opencode/hooks.ts";
import { runPrepared } from "../../src/host/opencode/tools.ts";
import type { FinishedCall, IncomingCall } from "../../src/host/hook-events.ts";
import { defineFileTool, type FilePlace, type PreparedCall } from "../../src/host/tool.ts";
import type { ToolEffect } from "../../src/host/tool-call.ts";
import { isRefusal, refuse, type Refusal } from "../../src/lib/error.ts";
import { composeHooks } from "../../src/hooks/compose.ts";
import { fileCall, placeIn } from "./scene.ts";
import { compose, ROOT } from "../support/composition.ts";
import { createCalls, UNSEEN } from "../../src/host/opencode/calls.ts";

const EFFECT = {
  kind: "edit",
  isPatch: false,
  edits: [{ path: "/p/a.ts", before: "old", after: "new" }],
} as const;
const DONE: PreparedCall = {
  effect: EFFECT,
  run: async () => ({ title: "t", text: "done", files: [{ path: "/p/a.ts", added: 1, removed: 1 }] }),
};

const toolThat = (prepare: (place: FilePlace) => PreparedCall | Refusal) =>
  defineFileTool({
    name: "try_gaia",
    description: "Tries.",
    args: { file: z.string() },
    prepare: async (_args, place) => prepare(place),
  });

describe("a prepared call", () => {
  const redact = (text: string): string => text.replaceAll("hunter2", "[hidden]");
  const prepare = async (prepared: PreparedCall | Refusal, args: unknown = { file: "a.ts" }) =>
    prepareCall(
      toolThat(() => prepared),
      args,
      placeIn("/p"),
      redact,
    );

  it("is refused for arguments that do not fit, and shows no secret in what it refuses or throws", async () => {
    expect(await prepare(DONE, { file: "a.ts", odd: null })).toMatchObject({ effect: EFFECT });
    const wrong = await prepare(DONE, { file: { name: 7 } });
    expect(wrong).toMatchObject({ kind: "refused", reason: expect.stringContaining("file: ") });
    const no = await prepare(refuse("It says hunter2.", "Not hunter2."));
    expect(isRefusal(no) && `${no.reason} ${no.hint}`).toBe("It says [hidden]. Not [hidden].");
    const leaks = { effect: EFFECT, run: async () => Promise.reject(new Error("hunter2 changed")) };
    const prepared = (await prepare(leaks)) as PreparedCall;
    await expect(prepared.run(fileCall())).rejects.toThrow("[hidden] changed");
  });

  it("is carried out once, and by no call that a hook was not shown", async () => {
    const { calls, begin, run } = openHost();
    await begin("c1");
    expect(await run("c1")).toMatchObject({ output: "done" });
    await expect(run("c1")).rejects.toThrow(/nothing was prepared/);
    await expect(run("other")).rejects.toThrow(UNSEEN);
    await begin("c2");
    calls.current({ sessionID: "s", callID: "c2" }).denial = "Refused: no.";
    await expect(run("c2")).rejects.toThrow("Refused: no.");
  });
});

/** OpenCode's side of a call of a tool for files, which a hook has prepared. */
function openHost() {
  const calls = createCalls();
  const handlers = { "before-tool": async (call: IncomingCall) => call.carryOut(DONE) };
  const hooks = toOpenCodeHooks(handlers, { calls } as never);
  const ids = (callID: string) => ({ sessionID: "s", callID });
  return {
    calls,
    begin: async (callID: string) =>
      hooks["tool.execute.before"]?.({ tool: "try_gaia", ...ids(callID) }, { args: {} }),
    run: async (callID: string) =>
      runPrepared(
        "try_gaia",
        { ...ids(callID), abort: new AbortController().signal } as never,
        calls.current(ids(callID)),
      ),
  };
}

/** What GAIA itself may do: the gates judge the call by it. */
const LOOK: ToolEffect = { kind: "read", paths: ["a.ts"], patterns: [], addresses: [] };

describe("a call of a tool for files", () => {
  const seen: FinishedCall[] = [];
  const scene = async (prepare: (place: FilePlace) => PreparedCall | Refusal) => {
    const composition = await compose();
    const { runtime, host } = composition;
    const incoming: ToolEffect[] = [];
    seen.length = 0;
    const handlers = composeHooks(
      [
        ...listBeforeTools(runtime, [toolThat(prepare)]),
        {
          id: "look",
          event: "before-tool",
          why: "",
          onFailure: "open",
          run: (payload) => void incoming.push((payload as IncomingCall).effect),
        },
        {
          id: "see",
          event: "after-tool",
          why: "",
          onFailure: "open",
          run: (payload) => void seen.push(payload as FinishedCall),
        },
      ],
      host.logger,
    );
    const calls = createCalls();
    const hooks = toOpenCodeHooks(handlers, { ...host, calls } as never);
    const make = async (sessionID: string, tool = "try_gaia"): Promise<string> => {
      const args = { file: "a.ts" };
      const input = { tool, sessionID, callID: "c1" };
      await hooks["tool.execute.before"]?.(input, { args });
      const context = {
        sessionID,
        messageID: "m",
        callID: "c1",
        agent: "a",
        abort: new AbortController().signal,
      };
      const output = await runPrepared(tool, context as never, calls.current(input));
      await hooks["tool.execute.after"]?.({ ...input, args }, output);
      return output.output;
    };
    return { make, incoming, host };
  };

  it("is, to every hook before and after it, what its tool says that it does", async () => {
    const places: FilePlace[] = [];
    const { make, incoming, host } = await scene((place) => {
      places.push(place);
      return { ...DONE, effect: LOOK };
    });
    expect(await make(ROOT)).toBe("done");
    expect(places).toEqual([
      {
        directory: host.directory,
        project: host.project,
        below: "",
        standsFor: null,
        sessionId: ROOT,
        agent: "gaia",
      },
    ]);
    expect(incoming).toEqual([LOOK]);
    expect(seen[0]?.effect).toBe(LOOK);
    expect(seen[0]?.outcome).toMatchObject({
      text: "done",
      files: [{ path: "/p/a.ts", added: 1, removed: 1 }],
    });
  });

  it("is refused in its tool's words, and when the tool breaks", async () => {
    const refused = await scene(() => refuse("The anchor is old.", "Read again."));
    await expect(refused.make(ROOT)).rejects.toThrow("Refused: The anchor is old. Read again.");
    const broken = await scene(() => {
      throw new Error("bug");
    });
    await expect(broken.make(ROOT)).rejects.toThrow(/file-tool could not decide \(bug\)/);
    expect(refused.incoming.length + broken.incoming.length).toBe(0);
  });
});
