import { beforeEach, expect, it } from "vitest";
import type { Part } from "../../../src/conversation/part.ts";
import { createStalledTurn } from "../../../src/conversation/stalled-turn/stalled-turn.ts";
import type { HostEvent } from "../../../src/host/port.ts";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.ts";
import { createFakeHost, type FakeHost } from "../../support/fake-host.ts";
import { createTestServices } from "../../support/services.ts";
import { keyed } from "../../support/keyed.ts";

const MINUTE = 60_000;
const sessionId = "root";
const ids = { sessionId, messageId: "m", partId: "p", title: "" };

let clock: FakeClock;
let host: FakeHost;
let agent: string;
let held: () => string | null;
let part: Part;
const hear = (event: HostEvent): void => part.observe?.(event, true);
const status = (value: "busy" | "idle"): void => hear({ type: "session.status", sessionId, status: value });
const tool = (value: string): void =>
  hear({ type: "tool.activity", ...ids, callId: keyed("c"), tool: "bash", kind: "command", status: value });

beforeEach(() => {
  clock = createFakeClock();
  host = createFakeHost();
  agent = "gaia";
  const services = { ...createTestServices({ host, clock }), orchestrator: "gaia", turnStallMs: 15 * MINUTE };
  held = () => services.bounds.heldBy(sessionId);
  const each = (tell: (one: Part) => void): void => tell(part);
  part = createStalledTurn({ rootId: sessionId, speaker: () => ({ agent, model: null }), each }, services);
});

it("a turn of which nothing is heard is ended, once, and says for how long", async () => {
  status("busy");
  await clock.advance(14 * MINUTE);
  expect(held()).toBeNull();
  await clock.advance(MINUTE);
  expect(held()).toMatch(/^nothing was heard of its model for 15 min/);
  expect(host.aborted).toEqual([sessionId]);
  await clock.advance(60 * MINUTE);
  expect(host.aborted).toHaveLength(1);
});

it.each<[string, () => void]>([
  ["is heard to write", () => hear({ type: "text.activity", sessionId, isStreamed: true })],
  ["is at rest", () => status("idle")],
  ["has a tool at work", () => tool("running")],
  [
    "was told to wait by its provider",
    () =>
      hear({
        type: "session.retry",
        sessionId,
        attempt: 1,
        message: "429",
        nextAt: clock.now() + 10 * MINUTE,
      }),
  ],
  ["is not GAIA's", () => (agent = "build")],
  ["has ended without a word of it", () => host.looks.set(sessionId, { busy: false, requests: [] })],
])("a turn that %s is left alone", async (_name, happens) => {
  status("busy");
  await clock.advance(10 * MINUTE);
  happens();
  await clock.advance(14 * MINUTE);
  expect([held(), host.aborted]).toEqual([null, []]);
});

it("silence counts anew once a tool has ended, and not anew where OpenCode asks again", async () => {
  status("busy");
  tool("running");
  await clock.advance(120 * MINUTE);
  tool("completed");
  status("busy");
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await clock.advance(5 * MINUTE);
    hear({ type: "session.retry", sessionId, attempt, message: "timed out", nextAt: clock.now() + 2_000 });
  }
  await clock.advance(5 * MINUTE);
  expect(held()).toBeNull();
  await clock.advance(4_000);
  expect(held()).toContain("15 min");
});

it("a call that is told only after its turn has ended keeps nothing waiting", async () => {
  status("idle");
  status("busy");
  tool("running");
  host.looks.set(sessionId, { busy: false, requests: [] });
  await clock.advance(15 * MINUTE);
  expect([clock.pending, held(), host.aborted]).toEqual([0, null, []]);
});

it("what ends or speaks while OpenCode is asked counts", async () => {
  const answers: (() => void)[] = [];
  const { sessions } = host;
  sessions.look = async () =>
    new Promise((resolve) => {
      answers.push(() => {
        resolve({ busy: true, requests: [] });
      });
    });
  status("busy");
  await clock.advance(15 * MINUTE);
  status("idle");
  answers.shift()?.();
  await clock.advance(0);
  status("busy");
  await clock.advance(15 * MINUTE);
  hear({ type: "text.activity", sessionId, isStreamed: true });
  answers.shift()?.();
  await clock.advance(14 * MINUTE);
  expect([clock.pending, held(), host.aborted]).toEqual([1, null, []]);
});

it("nothing is left running when the turn or the conversation is over", () => {
  status("busy");
  status("idle");
  expect(clock.pending).toBe(0);
  status("busy");
  part.dispose?.();
  expect(clock.pending).toBe(0);
});
