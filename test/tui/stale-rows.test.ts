import type { TuiPluginApi } from "@opencode-ai/plugin/tui";
import { describe, expect, it } from "vitest";
import { initialState, snapshotState } from "../../src/conversation/collaboration/state.ts";
import { SNAPSHOT_KEY } from "../../src/conversation/display/metadata-keys.ts";
import { settleRows, staleMessages } from "../../src/tui/stale-rows.ts";
import { DEFAULTS } from "../conversation/collaboration/session.ts";

const snapshot: object = { [SNAPSHOT_KEY]: snapshotState(initialState("root", DEFAULTS, 0)) };
const row = (id: string, input: object, tool = "delegate_gaia", status = "running") => ({
  type: "tool",
  id,
  tool,
  state: { status, input },
});
const PARTS: Record<string, object[]> = {
  m1: [{ type: "text", text: "Hm." }, row("p1", { agent: "minerva", progress: "minerva · 36s" })],
  m2: [row("p2", { agent: "apollo" }), row("p3", { progress: "theirs" }, "other_tool")],
};

/** As much of the TUI's API as is read here, and what was written. */
function screen({ shown = "idle", real = "idle", metadata = snapshot } = {}) {
  const written: unknown[] = [];
  const answer = (data: unknown) => Promise.resolve({ data });
  const api = {
    state: {
      session: {
        get: () => ({ metadata }),
        status: () => (shown === "idle" ? undefined : { type: shown }),
        messages: () => [{ id: "m1" }, { id: "m2" }],
      },
      part: (id: string) => PARTS[id] ?? [],
    },
    client: {
      session: {
        status: () => answer(real === "idle" ? {} : { root: { type: real } }),
        message: ({ messageID }: { messageID: string }) => answer({ parts: PARTS[messageID] }),
      },
      part: {
        update: (input: unknown) => {
          written.push(input);
          return answer(input);
        },
      },
    },
  } as unknown as TuiPluginApi;
  return { api, written };
}

describe("rows that a killed OpenCode has left", () => {
  it("are those of GAIA's own calls with progress, in a conversation that rests", () => {
    expect(staleMessages(screen().api, "root")).toEqual(["m1"]);
    expect(staleMessages(screen({ shown: "busy" }).api, "root")).toEqual([]);
    expect(staleMessages(screen({ metadata: {} }).api, "root")).toEqual([]);
  });

  it("lose their progress and nothing else", async () => {
    const { api, written } = screen();
    await settleRows(api, "root", ["m1", "m2"]);
    const part = row("p1", { agent: "minerva" });
    expect(written).toEqual([{ sessionID: "root", messageID: "m1", partID: "p1", part }]);
  });

  it("are left alone where OpenCode is at work after all", async () => {
    const { api, written } = screen({ real: "busy" });
    await settleRows(api, "root", ["m1"]);
    expect(written).toEqual([]);
  });
});
