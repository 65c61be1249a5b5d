import { describe, expect, it } from "vitest";
import { createConversations } from "../../../src/conversation/conversations.ts";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import { PARTS_KEY } from "../../../src/conversation/display/metadata-keys.ts";
import { keepParts, restoreParts, type Part } from "../../../src/conversation/part.ts";
import { ROOT_MARK } from "../../../src/delegation/gaia-sessions.ts";
import { silentLogger } from "../../../src/lib/logger.ts";
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

  it.each([
    ["the conversation's own", { rootSession: "root", parts: { a: 1, failing: 2, b: 3 } }, [1, 3]],
    ["another conversation's, as in a fork", { rootSession: "original", parts: { a: 1, b: 3 } }, []],
    ["of a part that there is no more", { rootSession: "root", parts: { gone: 1 } }, []],
    ["damaged", { rootSession: "root", parts: "a" }, []],
    ["absent", undefined, []],
  ])("is given back to the part that kept it: %s", (_what, saved, expected) => {
    const got: unknown[] = [];
    const part: Part = { restore: (value) => void got.push(value) };
    restoreParts(
      saved,
      "root",
      [
        ["a", part],
        ["failing", failing],
        ["b", part],
      ],
      silentLogger,
    );
    expect(got).toEqual(expected);
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

  it("damaged marks begin anew instead of breaking the conversation", async () => {
    const host = createFakeHost();
    const parts = {
      planning: { kind: "nonsense" },
      assumptions: { pending: "x", surfaced: -3, tasks: [{}] },
    };
    const metadata = { ...ROOT_MARK, [PARTS_KEY]: { rootSession: "root", parts } };
    host.stored.set("root", sessionOf("root", { metadata }));
    const { conversation } = await open(host);
    expect(conversation.parts.planning.stage()).toBeNull();
    expect(conversation.parts.questions.pending()).toEqual([]);
  });
});
