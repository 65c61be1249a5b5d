import { expect, it } from "vitest";
import { createTurns } from "../../../src/conversation/turns/turns.ts";
import type { HostEvent } from "../../../src/host/port.ts";
import { createTestServices } from "../../support/services.ts";

const sessionId = "root";
const busy: HostEvent = { type: "session.status", sessionId, status: "busy" };
const idle: HostEvent = { type: "session.status", sessionId, status: "idle" };
const error = (name: string): HostEvent => ({
  type: "session.error",
  sessionId,
  failure: { name, message: "", promptSaved: true },
});
const stop = error("MessageAbortedError");

it.each<[string, readonly HostEvent[], boolean, readonly string[]]>([
  ["ends with the loop", [busy, idle], false, ["turn-ended", "flush"]],
  ["goes on behind an error within it", [busy, error("APIError")], true, []],
  ["is over where it could not begin", [error("UnknownError")], false, ["turn-ended", "flush"]],
  // Who stops it may take it back at once, which a note would make final.
  ["is stopped by the user", [busy, stop, idle], false, ["aborted", "turn-ended", "1000 ms", "flush"]],
])("a turn %s", async (_name, events, isBusy, expected) => {
  const seen: string[] = [];
  const outbox = { flush: async () => void seen.push("flush") };
  const conversation = {
    rootId: sessionId,
    busy: true,
    outbox,
    dispatch: ({ type }: { type: string }) => seen.push(type),
  };
  const services = createTestServices();
  const part = createTurns(conversation as never, services);
  for (const event of events) part.observe?.(event, true);
  if (!seen.includes("flush") && services.clock.pending > 0) {
    await services.clock.advance(999);
    seen.push("1000 ms");
    await services.clock.advance(1);
  }
  expect([conversation.busy, seen]).toEqual([isBusy, expected]);
});

it("a turn that the plugin stopped was not stopped by the user", () => {
  const services = createTestServices();
  const seen: string[] = [];
  const conversation = {
    rootId: sessionId,
    busy: true,
    outbox: { flush: async () => undefined },
    dispatch: ({ type }: { type: string }) => seen.push(type),
  };
  services.bounds.stop(sessionId, "it fell silent");
  const part = createTurns(conversation as never, services);
  for (const event of [busy, stop, idle]) part.observe?.(event, true);
  expect(seen).toEqual(["turn-ended"]);
});

it.each([
  ["is asked for where nothing was heard of it", [], false, 1],
  ["is not taken for one while OpenCode is at work", [], true, 0],
  ["is no end where more followed", [{ type: "message.started", sessionId, messageId: "m2" }], false, 0],
  ["is told once", [idle], false, 1],
] satisfies [string, HostEvent[], boolean, number][])(
  "the end of a turn %s",
  async (_name, then, isAtWork, ends) => {
    const services = createTestServices();
    services.host.looks.set(sessionId, { busy: isAtWork, requests: [] });
    const seen: string[] = [];
    const conversation = {
      rootId: sessionId,
      busy: false,
      outbox: { flush: async () => undefined },
      dispatch: ({ type }: { type: string }) => seen.push(type),
      each: (tell: (part: unknown) => void) => {
        tell(part);
      },
    };
    const part = createTurns(conversation as never, services);
    const answer: HostEvent = {
      type: "message.finished",
      sessionId,
      messageId: "m",
      isAnswer: true,
      tokens: { input: 0, output: 0, cached: 0 },
      cost: 0,
    };
    for (const event of [busy, answer, ...then]) part.observe?.(event, true);
    await services.clock.advance(20_000);
    expect(seen.filter((type) => type === "turn-ended")).toHaveLength(ends);
    expect(conversation.busy).toBe(ends === 0);
    expect(services.clock.pending).toBe(0);
  },
);
