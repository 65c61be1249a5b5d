import { describe, expect, it } from "vitest";
import { createGoesOn } from "../../../src/conversation/questions/goes-on.ts";
import type { ConversationCore, ConversationEvent } from "../../../src/conversation/core.ts";

const asked = (purpose: "handshake" | "other"): ConversationEvent => ({
  type: "question-asked",
  requestId: "q",
  purpose,
  questions: [],
});
const dismissed: ConversationEvent = { type: "question-dismissed", requestId: "q" };
const idle = { type: "session.status", sessionId: "root", status: "idle" } as const;

/** @param isFree whether GAIA can be sent on */
function setUp(isFree = true) {
  const words: string[] = [];
  const state = { knobs: { profile: "standard", mode: "supervised" } } as ConversationCore["state"];
  const open = { isFree };
  const part = createGoesOn(
    { state },
    {
      nudge(text) {
        if (open.isFree) words.push(text);
        return open.isFree;
      },
    },
  );
  return { part, words, open };
}

describe("a closed question", () => {
  it("of how to work together goes on with the default, once, as soon as the turn is over", () => {
    const { part, words, open } = setUp(false);
    part.heard?.(asked("handshake"));
    part.heard?.(dismissed);
    expect(words).toEqual([]);
    open.isFree = true;
    part.observe?.(idle, true);
    part.observe?.(idle, true);
    expect(words).toEqual([expect.stringContaining("profile standard, mode supervised")]);
  });

  it.each(["stopped", "spoken", "of a child"])("stays where it is once the user has %s", (how) => {
    const { part, words, open } = setUp(false);
    part.heard?.(asked("handshake"));
    part.heard?.(dismissed);
    const failure = { name: "MessageAbortedError", message: "", promptSaved: true };
    if (how === "stopped") part.observe?.({ type: "session.error", sessionId: "root", failure }, true);
    if (how === "spoken") part.userSpoke?.("message");
    open.isFree = true;
    part.observe?.(idle, how !== "of a child");
    expect(words).toEqual([]);
  });

  it("about anything else ends the turn", () => {
    const { part, words } = setUp();
    part.heard?.(asked("other"));
    part.heard?.(dismissed);
    part.observe?.(idle, true);
    expect(words).toEqual([]);
  });
});
