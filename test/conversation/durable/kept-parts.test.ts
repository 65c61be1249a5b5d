import { describe, expect, it } from "vitest";
import { createConversations } from "../../../src/conversation/conversations.ts";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import { keepParts, type Part } from "../../../src/conversation/part.ts";
import { silentLogger } from "../../../src/lib/error.ts";
import { createFakeHost, sessionOf, type FakeHost } from "../../support/fake-host.ts";
import { createTestServices } from "../../support/services.ts";

const failing: Part = {
  snapshot() {
    throw new Error("broken");
  },
  restore() {
    throw new Error("broken");
  },
};

describe("what the parts of a conversation keep", () => {
  it("is what each gives, without those that have nothing, fail or give too much", () => {
    const kept = keepParts(
      "root",
      [
        ["a", { snapshot: () => ({ n: 1 }) }],
        ["nothing", {}],
        ["empty", { snapshot: () => undefined }],
        ["failing", failing],
        ["greedy", { snapshot: () => "x".repeat(8_000) }],
        ["b", { snapshot: () => [2] }],
      ],
      silentLogger,
    );
    expect(kept).toEqual({ version: 1, rootSession: "root", parts: { a: { n: 1 }, b: [2] } });
  });
});

describe("after a restart", () => {
  const open = async (host: FakeHost): Promise<{ conversation: Conversation; end(): Promise<void> }> => {
    const services = createTestServices({ host });
    services.sessions.spoke("root", "gaia", null);
    const conversations = createConversations(services);
    const found = await conversations.of("root");
    if (found === null) throw new Error("no conversation");
    const end = async (): Promise<void> => {
      await services.clock.advance(25);
      await conversations.dispose();
    };
    return { conversation: found.conversation, end };
  };

  it("a conversation is held to what it was held to, although it ended a moment after the change", async () => {
    const host = createFakeHost();
    host.stored.set("root", sessionOf("root"));
    const before = await open(host);
    before.conversation.parts.planning.begin("planning");
    before.conversation.parts.planning.countReview();
    before.conversation.parts.questions.restore?.({
      pending: [{ text: "JWT", confidence: 0.8, agent: "minerva" }],
      surfaced: 0,
      tasks: ["t1"],
    });
    await before.end();
    const { parts } = (await open(host)).conversation;
    expect(parts.planning.stage()).toEqual({ kind: "planning", reviews: 1 });
    expect(parts.questions.pending()).toMatchObject([{ text: "JWT", confidence: 0.8, agent: "minerva" }]);
  });
});
