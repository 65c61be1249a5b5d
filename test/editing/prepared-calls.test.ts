import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { createPreparedCalls } from "../../src/extras/changes/prepared-calls.ts";
import { listBeforeTools } from "../../src/hooks/before-tools.ts";
import { toOpenCodeHooks } from "../../src/host/opencode/hooks.ts";
import { toOpenCodeFileTool } from "../../src/host/opencode/tools.ts";
import type { FinishedCall, IncomingCall } from "../../src/host/hook-events.ts";
import { defineFileTool, type FilePlace, type PreparedCall } from "../../src/host/tool.ts";
import type { ToolEffect } from "../../src/host/tool-call.ts";
import { isRefusal, refuse, type Refusal } from "../../src/lib/error.ts";
import { composeHooks } from "../../src/hooks/compose.ts";
import type { FileToolCall } from "../../src/host/port.ts";
import { fileCall, placeIn } from "./scene.ts";
import { compose, ROOT } from "../support/composition.ts";
import { createCalls } from "../../src/host/opencode/calls.ts";
import { keyed } from "../support/keyed.ts";

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
  const open = () => {
    const calls = createPreparedCalls(redact);
    return {
      prepare: async (prepared: PreparedCall | Refusal = DONE, args: unknown = { file: "a.ts" }) =>
        calls.prepare(
          toolThat(() => prepared),
          keyed("c"),
          args,
          placeIn("/p"),
        ),
      run: async (given: Partial<FileToolCall> = {}, name = "try_gaia") =>
        calls.serve({ ...toolThat(() => DONE), name }).run(fileCall(given)),
    };
  };

  it("is carried out once, and only as the tool's that it was prepared for", async () => {
    const { prepare, run } = open();
    expect(await prepare(DONE, { file: "a.ts", odd: null })).toBe(EFFECT);
    await expect(run({ callId: keyed("other") })).rejects.toThrow(/nothing was prepared/);
    expect(await run()).toMatchObject({ text: "done" });
    await expect(run()).rejects.toThrow(/nothing was prepared/);
    await prepare();
    await expect(run({}, "else_gaia")).rejects.toThrow(/nothing was prepared/);
  });

  it("is refused for arguments that do not fit, and shows no secret in what it refuses or throws", async () => {
    const { prepare, run } = open();
    const wrong = await prepare(DONE, { file: { name: 7 } });
    expect(wrong).toMatchObject({ kind: "refused", reason: expect.stringContaining("file: ") });
    const no = await prepare(refuse("It says hunter2.", "Not hunter2."));
    expect(isRefusal(no) && `${no.reason} ${no.hint}`).toBe("It says [hidden]. Not [hidden].");
    await prepare({ effect: EFFECT, run: async () => Promise.reject(new Error("hunter2 changed")) });
    await expect(run()).rejects.toThrow("[hidden] changed");
  });
});

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
    const hooks = toOpenCodeHooks(handlers, host as never, calls);
    const make = async (sessionID: string, tool = "try_gaia"): Promise<string> => {
      const args = { file: "a.ts" };
      const input = { tool, sessionID, callID: "c1" };
      await hooks["tool.execute.before"]?.(input, { args });
      const own = toOpenCodeFileTool(runtime.prepared.serve(toolThat(prepare)), calls);
      const context = {
        sessionID,
        messageID: "m",
        callID: "c1",
        agent: "a",
        abort: new AbortController().signal,
      };
      const output = (await own.execute(args, context as never)) as {
        title: string;
        output: string;
        metadata: object;
      };
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
