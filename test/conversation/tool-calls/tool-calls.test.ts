import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import { createToolCalls, type ToolCalls } from "../../../src/conversation/tool-calls/tool-calls.ts";
import { NO_OUTCOME } from "../../../src/host/tool-call.ts";
import { examined } from "../../support/examination.ts";
import { callOf, NO_FILE_CALLS } from "../../support/incoming-call.ts";
import { createTestServices, openConversation } from "../../support/services.ts";
import { keyed } from "../../support/keyed.ts";

let calls: ToolCalls;
let conversation: Conversation;
let services: ReturnType<typeof createTestServices>;

const PLACE = { directory: "/nowhere", project: "/nowhere", worktree: "/nowhere" };
type Input = Parameters<typeof createToolCalls>[0];

/** Calls that only read and run unasked, but for what is given. */
const toolCalls = (
  own: Omit<Input, "conversations" | keyof typeof PLAIN>,
  conversations: Input["conversations"],
  given: Partial<Input> = {},
): ToolCalls => createToolCalls({ ...PLAIN, ...own, conversations, ...given });
const PLAIN = {
  place: PLACE,
  examine: async () => examined("read"),
  isOurs: () => true,
  readers: [],
  deniedBy: () => null,
  decideSandbox: async () => ({ kind: "run", profile: null }) as const,
  allowedBy: async () => null,
  holdUp: () => undefined,
  note: () => undefined,
  isOneShot: false,
};

beforeEach(async () => {
  services = createTestServices();
  const { conversations, conversation: opened } = await openConversation(services);
  conversation = opened;
  calls = toolCalls(services, conversations, { readers: ["gaia"] });
  conversation.dispatch({ type: "wave-opened", workUnit: "unit", wave: "w1" });
});

const begin = async (callId: string): Promise<string | null> => {
  const call = callOf("root", { kind: "command", command: "", workdir: null });
  const own = { callId: keyed(callId), tool: "delegate_gaia", args: { agent: "hephaestus" } };
  return calls.refuse(
    { ...call, ...own, effect: { kind: "other", paths: [], addresses: [] } },
    NO_FILE_CALLS,
  );
};

describe("a call of the plugin's own tools", () => {
  it("that its tool refuses does not run any more, counts in no budget, and is credited nothing", async () => {
    const forget = vi.spyOn(conversation.parts.ownWork, "forget");
    await begin("c1");
    calls.refused("c1");
    expect(forget).toHaveBeenCalledWith("c1");
    expect(calls.get("c1")).toBeUndefined();
    await calls.finished("c1", NO_OUTCOME);
    expect(conversation.state.spent.toolCalls).toBe(0);
  });
});

describe("a command that a person has to read first", () => {
  it("counts as theirs only where they were to be asked and said yes", async () => {
    const approved: unknown[] = [];
    const own = createTestServices();
    const { conversations, conversation: opened } = await openConversation(own);
    const { ends } = opened.parts.ownWork;
    vi.spyOn(opened.parts.ownWork, "ends").mockImplementation(async (call) => {
      approved.push(call.isApproved);
      return ends(call);
    });
    for (const kind of ["ask", "run"] as const) {
      const there = toolCalls(own, conversations, {
        examine: async () => examined("unknown"),
        decideSandbox: async () => (kind === "ask" ? { kind } : { kind, profile: null }),
        // As of what a person once let pass for good.
        allowedBy: async () => "human",
      });
      const call = callOf("root", { kind: "command", command: "npm test", workdir: null });
      expect(await there.refuse(call, NO_FILE_CALLS)).toBeNull();
      await there.finished(call.callId, NO_OUTCOME);
    }
    expect(approved).toEqual([true, false]);
  });
});

describe("a call in a worktree, which has one history with the user's tree", () => {
  it.each<[string, (there: ToolCalls) => unknown]>([
    ["has ended", async (there) => there.finished("c1", NO_OUTCOME)],
    ["was refused", (there) => there.refused("c1")],
    ["is let go with its session", (there) => there.forget("root")],
    ["was left behind when its turn ended", (there) => there.settle("root")],
  ])("runs, for what comes into the history meanwhile, until it %s", async (_end, end) => {
    let running = 0;
    const begins = (): (() => Promise<void>) => {
      running += 1;
      return async () => void (running -= 1);
    };
    const own = createTestServices();
    const { conversations, conversation: opened } = await openConversation(own);
    opened.dispatch({ type: "command", change: { knob: "mode", value: "autopilot" } });
    const place = { directory: "/apart", project: "/apart" };
    vi.spyOn(opened.parts.worktrees, "of").mockReturnValue({
      place,
      to: "/apart",
      examine: async () => examined("project"),
    } as never);
    const there = toolCalls({ ...own, knowledge: { ...own.knowledge, begins } }, conversations, {
      examine: async () => examined("project"),
    });
    const call = {
      ...callOf("root", { kind: "command", command: "touch a", workdir: null }),
      callId: keyed("c1"),
    };
    expect(await there.refuse(call, NO_FILE_CALLS)).toBeNull();
    expect(await there.refuse(call, NO_FILE_CALLS)).toBeNull();
    expect(running).toBe(1);
    await end(there);
    expect(running).toBe(0);
  });
});
