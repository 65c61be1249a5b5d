import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import { createToolCalls, type ToolCalls } from "../../../src/conversation/tool-calls/tool-calls.ts";
import type { Deed, DeniedBy } from "../../../src/delegation/deeds.ts";
import { NO_OUTCOME } from "../../../src/host/tool-call.ts";
import { examined } from "../../support/examination.ts";
import { callOf, NO_FILE_CALLS } from "../../support/incoming-call.ts";
import { createTestServices, openConversation } from "../../support/services.ts";
import { keyed } from "../../support/fake-host.ts";

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

let conversations: Input["conversations"];
beforeEach(async () => {
  services = createTestServices();
  ({ conversations, conversation } = await openConversation(services));
  calls = toolCalls(services, conversations, { readers: ["gaia"] });
  conversation.dispatch({ type: "wave-opened", workUnit: "unit", wave: "w1" });
});
const toAutopilot = (there = conversation): void =>
  there.dispatch({ type: "command", change: { knob: "mode", value: "autopilot" } });
const NPM_I = { kind: "command", command: "npm i", workdir: null } as const;

const begin = async (callId: string): Promise<string | null> => {
  const call = callOf("root", { kind: "command", command: "", workdir: null });
  const own = { callId: keyed(callId), tool: "delegate_gaia", args: { agent: "hephaestus" } };
  return calls.refuse(
    { ...call, ...own, effect: { kind: "other", paths: [], addresses: [] } },
    NO_FILE_CALLS,
  );
};

describe("a call of the plugin's own tools", () => {
  it("runs until it has ended, and counts once, however often its end is told", async () => {
    expect(await begin("c1")).toBeNull();
    expect(calls.get("c1")).toMatchObject({ tool: "delegate_gaia", mutating: false });
    await calls.finished("c1", NO_OUTCOME);
    await calls.finished("c1", NO_OUTCOME);
    expect(conversation.state.spent.toolCalls).toBe(1);
  });

  it("that its tool refuses does not run any more, counts in no budget, and is credited nothing", async () => {
    const forget = vi.spyOn(conversation.parts.ownWork, "forget");
    await begin("c1");
    calls.refused("c1");
    expect(forget).toHaveBeenCalledWith("c1");
    expect(calls.get("c1")).toBeUndefined();
    await calls.finished("c1", NO_OUTCOME);
    expect(conversation.state.spent.toolCalls).toBe(0);
  });

  it("is let go with its session, which it would outlive with the texts of files", async () => {
    await begin("c1");
    calls.forget("other");
    expect(calls.get("c1")).toBeDefined();
    calls.forget("root");
    expect(calls.get("c1")).toBeUndefined();
  });
});

it("a command that a person has to read first counts as theirs only where they were to be asked and said yes", async () => {
  const approved: unknown[] = [];
  const { ends } = conversation.parts.ownWork;
  vi.spyOn(conversation.parts.ownWork, "ends").mockImplementation(async (call) => {
    approved.push(call.isApproved);
    return ends(call);
  });
  for (const kind of ["ask", "run"] as const) {
    const there = toolCalls(services, conversations, {
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

describe("a session that works in the user's tree while the unit's work stands on a branch", () => {
  const changes = async (unit: string | null, effect: "project" | "read"): Promise<string | null> => {
    const services = createTestServices();
    const place = { ...services.place, worktree: "/elsewhere", project: "/elsewhere", unit };
    const { conversations, conversation: opened } = await openConversation({
      ...services,
      treeOf: () => ({ ...services, place }),
    });
    toAutopilot(opened);
    const there = toolCalls(services, conversations, { examine: async () => examined(effect) });
    return there.refuse(
      callOf("root", { kind: "command", command: "touch a", workdir: null }),
      NO_FILE_CALLS,
    );
  };

  it("changes nothing, and reads", async () => {
    expect(await changes("unit", "project")).toContain("the work of unit stands on the branch gaia/unit");
    expect(await changes("unit", "read")).toBeNull();
    expect(await changes(null, "project")).toBeNull();
  });
});

it.each([
  ["another plugin's tool", "unknown", 1],
  ["a tool that only reads", "read", 0],
] as const)(
  "runs outside of the sandbox when it is %s, so that what is known is in doubt",
  async (_what, effect, doubts) => {
    let doubted = 0;
    toAutopilot();
    const doubt = (): void => void (doubted += 1);
    const knowledge = { ...services.knowledge, doubt };
    const there = toolCalls({ ...services, knowledge }, conversations, {
      examine: async () => examined(effect),
    });
    const call = {
      ...callOf("root", { kind: "command", command: "", workdir: null }),
      effect: { kind: "other", paths: [], addresses: [] } as const,
    };
    expect(await there.refuse(call, NO_FILE_CALLS)).toBeNull();
    expect(doubted).toBe(doubts);
  },
);

const REJECTED = "The user rejected permission to use this specific tool call.";

it.each<[error: string, answered: DeniedBy | null, isOneShot: boolean, by: DeniedBy | undefined]>([
  [REJECTED, null, false, "user"],
  [REJECTED, null, true, "nobody"],
  [REJECTED, "plugin", false, "plugin"],
  ["The user has specified a rule which prevents this call.", null, false, "rule"],
  ["something else", "user", false, "user"],
  ["oldString not found", null, false, undefined],
])("tells who denied a call: %s %s %s", async (error, answered, isOneShot, by) => {
  const noted: Deed[] = [];
  toAutopilot();
  const there = toolCalls(services, conversations, {
    examine: async () => examined("project"),
    deniedBy: () => answered,
    isOneShot,
    note: (_session, deed) => void (deed.kind !== "passed" && noted.push(deed)),
  });
  const call = callOf("root", NPM_I);
  expect(await there.refuse(call, NO_FILE_CALLS)).toBeNull();
  const { callId } = call;
  there.observe({ type: "tool.activity", sessionId: "root", status: "error", error, callId } as never);
  expect(noted).toEqual(by === undefined ? [] : [expect.objectContaining({ by })]);
});

it.each([
  ["user", { words: "Use d.txt" }],
  ["plugin", { words: "" }],
] as const)("notes the words of a no that is the %s's", async (by, words) => {
  const noted: Deed[] = [];
  toAutopilot();
  const there = toolCalls(services, conversations, {
    examine: async () => examined("project"),
    deniedBy: () => by,
    note: (_session, deed) => void (deed.kind === "denied" && noted.push(deed)),
  });
  const call = callOf("root", NPM_I);
  expect(await there.refuse(call, NO_FILE_CALLS)).toBeNull();
  const error = `The user rejected permission to use this specific tool call with the following feedback: Use d.txt`;
  const { callId } = call;
  there.observe({ type: "tool.activity", sessionId: "root", status: "error", error, callId } as never);
  expect(noted).toEqual([{ kind: "denied", what: expect.any(String), by, ...words }]);
});

it("notes what became of a call that would have changed something, by its beginning", async () => {
  const noted: unknown[] = [];
  toAutopilot();
  for (const effect of ["project", "read"] as const) {
    const note = (_session: string, deed: Deed) => void (deed.kind !== "passed" && noted.push(deed));
    const there = toolCalls(services, conversations, { examine: async () => examined(effect), note });
    const command = `npm i ${"x ".repeat(90)}`;
    const call = {
      ...callOf("root", { kind: "command", command, workdir: null }),
      target: { text: command },
    };
    for (const end of ["done", "denied"]) {
      expect(await there.refuse(call, NO_FILE_CALLS)).toBeNull();
      const failed = { type: "tool.activity", sessionId: "root", status: "error", error: REJECTED } as const;
      if (end === "done") await there.finished(call.callId, NO_OUTCOME);
      else there.observe({ ...failed, callId: call.callId } as never);
    }
  }
  const what = expect.stringMatching(/^`npm i [x …]{54}`$/);
  expect(noted).toEqual([{ kind: "done" }, { kind: "denied", what, by: "user", words: "" }]);
});
