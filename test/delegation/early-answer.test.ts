import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { defineContract } from "../../src/contracts/contract.ts";
import type { Delegation } from "../../src/delegation/child-session.ts";
import { createDelegationEngine, type DelegationEngine } from "../../src/delegation/engine.ts";
import type { Task } from "../../src/delegation/task.ts";
import type { HostTurn } from "../../src/host/port.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { createFakeHost, turn } from "../support/fake-host.ts";
import { keyed } from "../support/keyed.ts";

const contract = defineContract({}, () => ({ found: z.string() }));
const FITTING = JSON.stringify({ ok: true, data: { found: "it" }, errors: [] });
const spent = { tokens: { input: 7, output: 1, cached: 0 }, cost: 0.5 };

const host = createFakeHost();
const clock = createFakeClock();
let engine: DelegationEngine;

afterEach(async () => {
  engine.dispose();
  await clock.advance(0);
  expect(clock.pending, "timers that outlive the engine").toBe(0);
  host.prompts.length = 0;
  host.aborted.length = 0;
});

function start(): void {
  engine = createDelegationEngine(host, clock, {
    queue: { background: 1, perProvider: {}, perModel: {} },
    watchdog: { stallMs: 60_000, toolStallMs: 60_000, totalMs: 600_000 },
  });
}

async function delegate(rest: Partial<Delegation> = {}): Promise<string> {
  await engine.delegate({
    specialist: { name: "minerva", role: null, contract, models: ["a/one"], mutates: false },
    prompt: "TASK: look",
    title: "look",
    parentId: "ses_root",
    callId: keyed("call_1"),
    sessionModel: null,
    background: true,
    resume: null,
    workUnit: null,
    waveId: null,
    vcs: "git",
    abort: new AbortController().signal,
    ...rest,
  });
  await clock.advance(0);
  return engine.tasks.all().at(-1)?.sessionId ?? "";
}

/** The model's last word in a child, while OpenCode has not ended its loop. */
async function say(sessionId: string, text: string, messageId = "msg_1"): Promise<void> {
  engine.observe({ type: "text.finished", sessionId, messageId, partId: `prt_${messageId}`, text });
  engine.observe({ type: "message.answered", sessionId, messageId, ...spent });
  await clock.advance(0);
}

const loop = (): { turn: Promise<HostTurn>; end: (turn: HostTurn) => void } => {
  let end: (turn: HostTurn) => void = () => undefined;
  const promise = new Promise<HostTurn>((resolve) => {
    end = resolve;
  });
  return { turn: promise, end: (value) => end(value) };
};
const last = (): Task | undefined => engine.tasks.all().at(-1);

describe("an answer taken before OpenCode has ended the loop", () => {
  it("ends the task with all it cost; its place in the queue is free only after the loop", async () => {
    start();
    const first = loop();
    host.script(() => first.turn, turn(FITTING));
    const sessionId = await delegate();
    await say(sessionId, FITTING);
    expect(last()).toMatchObject({ status: "completed", tokens: { input: 7, output: 1 } });
    await delegate();
    expect(last()).toMatchObject({ status: "queued" });
    first.end(turn(FITTING));
    await clock.advance(0);
    expect(host.prompts).toHaveLength(2);
  });

  it.each([
    ["its answer has to be repaired", async (): Promise<void> => undefined],
    [
      "it is resumed",
      async (sessionId: string): Promise<void> => {
        await delegate({ resume: sessionId, background: false });
      },
    ],
  ])("is not prompted again before the loop is over when %s", async (why, next) => {
    start();
    const first = loop();
    host.script(() => first.turn, turn(FITTING));
    const sessionId = await delegate();
    await say(sessionId, why.includes("repaired") ? "found it" : FITTING);
    const following = next(sessionId);
    await clock.advance(0);
    expect(host.prompts).toHaveLength(1);
    engine.observe({ type: "session.status", sessionId, status: "idle" });
    await clock.advance(0);
    await following;
    expect(host.prompts).toHaveLength(2);
    expect(last()).toMatchObject({ status: "completed" });
  });
});
