import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRepeats, createRunCount } from "../../../src/delegation/bounds/run-count.ts";
import type { HostEvent } from "../../../src/host/port.ts";
import { keyed } from "../../support/keyed.ts";

const sessionId = "s";
const started = (messageId: string): HostEvent => ({ type: "message.started", sessionId, messageId });
const retry = (nextAt: number): HostEvent => ({
  type: "session.retry",
  sessionId,
  attempt: 1,
  message: "busy",
  nextAt,
});
const ended = (messageId: string, callId: string, trace: string): HostEvent => ({
  type: "tool.activity",
  sessionId,
  messageId,
  partId: callId,
  callId: keyed(callId),
  tool: "read",
  kind: "read",
  status: "completed",
  title: "",
  trace,
});

describe("the count of a run", () => {
  it("tells turns from what the host repeats and asks for itself", () => {
    const count = createRunCount();
    for (const isSide of [false, true, false, false]) count.requested(isSide);
    count.observe(retry(7));
    count.observe(retry(7));
    expect(count.requests()).toBe(4);
    expect(count.announced()).toBe(2);
  });

  it("leaves late events to the run that they belong to", () => {
    const first = createRunCount();
    first.observe(started("a"));
    const second = createRunCount(first.messages);
    second.observe(ended("a", "late", "same"));
    expect(second.isUntouched()).toBe(true);
    expect(second.repeated()).toBeNull();
  });

  it("is the same for events that come twice and in any order, and never too high for lost ones", () => {
    const steps = fc.integer({ min: 0, max: 30 });
    const messages = (most: number): HostEvent[] =>
      Array.from({ length: most }, (_, at) => [
        started(`m${at}`),
        ended(`m${at}`, `c${at}`, `t${at}`),
      ]).flat();
    const scene = steps.chain((most) =>
      fc.record({
        most: fc.constant(most),
        events: fc.shuffledSubarray([...messages(most), ...messages(most)]),
      }),
    );
    fc.assert(
      fc.property(scene, ({ most, events }) => {
        const count = createRunCount();
        for (const event of events) count.observe(event);
        const seen = new Set(events.map((event) => ("messageId" in event ? event.messageId : "")));
        expect(count.begun()).toBe(seen.size);
        expect(count.begun()).toBeLessThanOrEqual(most);
      }),
    );
  });
});

describe("repeated calls", () => {
  /** Each letter is a call with its result, by the message that made it. */
  const most = (...messages: string[]): number => {
    const repeats = createRepeats();
    for (const [at, calls] of messages.entries())
      for (const trace of calls) repeats.add(`m${at}`, "read", trace);
    return repeats.most()?.times ?? 0;
  };

  it.each([
    ["none", [], 0],
    ["the same five times", ["a", "a", "a", "a", "a"], 5],
    ["many at once, of which the model had seen no result", ["aaaaaaaa"], 1],
    ["two in turns", ["a", "b", "a", "b", "a", "b"], 3],
    ["three in each message", ["abc", "abc", "abc"], 3],
    ["something new in between", ["a", "a", "a", "b", "a"], 1],
    ["always something new", ["a", "b", "c", "d", "e"], 1],
    ["nothing new any more after a long work", ["a", "b", "c", "a", "a", "a", "a", "a"], 5],
  ])("%s", (_name, messages, times) => {
    expect(most(...messages)).toBe(times);
  });

  it("end every round of calls without news in time", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 9 }), (round) => {
        const repeats = createRepeats();
        for (let step = 0; step < round.length * 6; step += 1)
          repeats.add(`m${step}`, "read", round[step % round.length] ?? "");
        expect(repeats.most()?.times).toBeGreaterThanOrEqual(5);
      }),
    );
  });
});
