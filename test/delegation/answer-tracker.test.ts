import { describe, expect, it } from "vitest";
import { createAnswerTracker } from "../../src/delegation/answer-tracker.ts";
import type { HostEvent } from "../../src/host/port.ts";

const text = (messageId: string, partId: string, said: string): HostEvent => ({
  type: "text.finished",
  sessionId: "s",
  messageId,
  partId,
  text: said,
});
const finished = (messageId: string, isAnswer: boolean, input = 10): HostEvent => ({
  type: "message.finished",
  sessionId: "s",
  messageId,
  isAnswer,
  tokens: { input, output: 1, cached: 0 },
  cost: 0.5,
});

function after(...events: HostEvent[]): ReturnType<typeof createAnswerTracker> {
  const tracker = createAnswerTracker();
  for (const event of events) tracker.observe(event);
  return tracker;
}

describe("an answer put together from events", () => {
  it("is the last message's text, in its final form and in order", () => {
    const tracker = after(
      text("m1", "p1", "I will look"),
      finished("m1", false),
      text("m2", "p2", "fir"),
      text("m2", "p2", "first"),
      text("m2", "p3", "second"),
      finished("m2", true),
    );
    expect(tracker.answer()).toEqual({ text: "first\nsecond", failure: null });
  });

  it.each([
    ["nothing was said", []],
    ["the loop goes on", [text("m1", "p1", "x"), finished("m1", false)]],
    ["a later message failed", [finished("m1", true), finished("m2", false)]],
  ])("is none when %s", (_name, events) => {
    expect(after(...events).answer()).toBeNull();
  });

  it("is none for a new prompt, while the spending of all messages is summed up, each once", () => {
    const tracker = after(finished("m1", false), finished("m1", true));
    tracker.restart();
    expect(tracker.answer()).toBeNull();
    tracker.observe(finished("m2", true, 5));
    expect(tracker.spent()).toEqual({ tokens: { input: 15, output: 2, cached: 0 }, cost: 1 });
  });
});
