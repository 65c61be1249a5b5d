import { expect, it } from "vitest";
import { createConversations } from "../../src/conversation/conversations.ts";
import type { ConversationCore } from "../../src/conversation/core.ts";
import type { Part } from "../../src/conversation/part.ts";
import { createParts } from "../../src/conversation/parts.ts";
import { createToolCalls } from "../../src/conversation/tool-calls/tool-calls.ts";
import { readTarget, readToolCall } from "../../src/host/opencode/tool-call.ts";
import { examined } from "../support/examination.ts";
import { createTestServices } from "../support/services.ts";
import { keyed } from "../support/keyed.ts";

/** What would stand in a folder of its own: after three commands in a turn, a gate that asks for a pause. */
function createBreather(conversation: Pick<ConversationCore, "rootId">): Part {
  let commands = 0;
  return {
    refuse({ effect }) {
      if (effect.kind !== "command") return null;
      commands += 1;
      return commands > 3 ? `Refused: ${conversation.rootId} takes a breath.` : null;
    },
    userSpoke() {
      commands = 0;
    },
  };
}

it("a new gate is its part and one line of the registry", async () => {
  const services = createTestServices();
  services.sessions.spoke("root", "gaia", null);
  const conversations = createConversations(services, (conversation, shared) => ({
    ...createParts(conversation, shared),
    breather: createBreather(conversation),
  }));
  const calls = createToolCalls({
    ...services,
    place: { directory: "/nowhere", project: "/nowhere" },
    conversations,
    examine: async () => examined("read"),
    isOurs: () => true,
    readers: [],
    wasRejected: () => false,
    decideSandbox: async () => ({ kind: "run", profile: null }),
    allowedBy: async () => null,
    holdUp: () => undefined,
    note: () => undefined,
    isOneShot: false,
  });
  const run = async (tool: string, args: Record<string, unknown>): Promise<string | null> =>
    calls.refuse({
      callId: keyed("c"),
      sessionId: "root",
      tool,
      args,
      effect: readToolCall(tool, args),
      target: readTarget(tool, args),
      moveInto: () => undefined,
      declare: () => undefined,
      setArgument: () => undefined,
      askInstead: () => undefined,
    });
  for (let call = 0; call < 3; call += 1) expect(await run("bash", { command: "ls" })).toBeNull();
  expect(await run("bash", { command: "ls" })).toBe("Refused: root takes a breath.");
  expect(await run("read", { filePath: "a.ts" })).toBeNull();
  (await conversations.of("root"))?.conversation.userSpoke("message");
  expect(await run("bash", { command: "ls" })).toBeNull();
  await conversations.dispose();
});
