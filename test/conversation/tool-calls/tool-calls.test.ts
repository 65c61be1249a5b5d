import { beforeEach, describe, expect, it } from "vitest";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import { createConversations } from "../../../src/conversation/conversations.ts";
import { createToolCalls, type ToolCalls } from "../../../src/conversation/tool-calls/tool-calls.ts";
import { createGaiaSessions } from "../../../src/delegation/gaia-sessions.ts";
import { silentLogger } from "../../../src/lib/logger.ts";
import { createWorkspace } from "../../../src/workspace/workspace.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { createFakeHost } from "../../support/fake-host.ts";
import { DEFAULTS } from "../collaboration/session.ts";

const NOTHING = { output: null, metadata: null };
let calls: ToolCalls;
let conversation: Conversation;
let stopped: string[];

beforeEach(async () => {
  const host = createFakeHost();
  const clock = createFakeClock();
  const sessions = createGaiaSessions(host, "gaia");
  sessions.spoke("root", "gaia", null);
  const conversations = createConversations({
    host,
    clock,
    sessions,
    workspace: createWorkspace({ directory: "/nowhere", clock, logger: silentLogger }),
    defaults: DEFAULTS,
    orchestrator: "gaia",
    tasksOf: () => [],
  });
  stopped = [];
  calls = createToolCalls({
    clock,
    directory: "/nowhere",
    conversations,
    sessions,
    judge: async () => ({ verdict: "read-only", reason: "" }),
    redact: (text) => text,
    orchestrator: "gaia",
    historian: "demeter",
    readers: ["gaia"],
    isListed: () => false,
    wasRejected: () => false,
    stop: (rootId) => stopped.push(rootId),
  });
  const found = await conversations.of("root");
  if (found === null) throw new Error("the root is no GAIA session");
  conversation = found.conversation;
  conversation.dispatch({ type: "wave-opened", workUnit: "unit", wave: "w1" });
});

const begin = async (callId: string): Promise<string | null> =>
  calls.refuse({ callId, sessionId: "root", tool: "delegate_gaia", args: { agent: "hephaestus" } });

describe("a call of the plugin's own tools", () => {
  it("runs until it has ended, and counts once, however often its end is told", async () => {
    expect(await begin("c1")).toBeNull();
    expect(calls.get("c1")).toMatchObject({ tool: "delegate_gaia", mutating: false });
    await calls.finished("c1", NOTHING);
    await calls.finished("c1", NOTHING);
    expect(conversation.state.spent.toolCalls).toBe(1);
  });

  it("that its tool refuses does not run any more, and counts in no budget", async () => {
    await begin("c1");
    calls.refused("c1");
    expect(calls.get("c1")).toBeUndefined();
    await calls.finished("c1", NOTHING);
    expect(conversation.state.spent.toolCalls).toBe(0);
  });

  it("counts against a turn that goes on while the work is BLOCKED, refused by its tool or not", async () => {
    conversation.dispatch({ type: "blocked", reason: "no access.", nextStep: "Ask." });
    const answers: (string | null)[] = [];
    for (let call = 1; call <= 9; call += 1) {
      answers.push(await begin(`c${call}`));
      calls.refused(`c${call}`);
    }
    expect(answers.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => null));
    expect(answers[8]).toContain("this turn went on all the same");
    expect(stopped).toEqual(["root"]);
  });
});
