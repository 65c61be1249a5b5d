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
  ["is stopped by the user", [busy, stop, idle], false, ["aborted", "turn-ended", "flush"]],
])("a turn %s", (_name, events, isBusy, expected) => {
  const seen: string[] = [];
  const outbox = { flush: async () => void seen.push("flush") };
  const conversation = {
    rootId: sessionId,
    busy: true,
    outbox,
    dispatch: ({ type }: { type: string }) => seen.push(type),
  };
  const part = createTurns(conversation as never, createTestServices());
  for (const event of events) part.observe?.(event, true);
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
