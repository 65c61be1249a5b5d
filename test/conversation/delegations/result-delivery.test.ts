import { describe, expect, it, vi } from "vitest";
import { decideHandover, type Handover } from "../../../src/conversation/delegations/result-delivery.ts";
import { countFitting } from "../../../src/delegation/result.ts";
import type { HostEvent, HostTurn, ToolCall } from "../../../src/host/port.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { createCollectTool } from "../../../src/tools/collect.ts";
import { readCases } from "../../support/cases.ts";
import { createTestServices, openConversation } from "../../support/services.ts";
import { turn } from "../../support/fake-host.ts";
import { collected } from "../../support/collected.ts";

const ROOT = "root";
const STOPPED: HostEvent = {
  type: "session.error",
  sessionId: ROOT,
  failure: { reason: "aborted", message: "aborted", promptSaved: true },
};

/** A conversation whose GAIA has just begun, over a host that a test steers. */
async function setUp() {
  const services = createTestServices();
  const { host, clock, engine, bounds } = services;
  /** What the parent was sent, and what was noted in its transcript. */
  const [sent, notes]: [string[], string[]] = [[], []];
  const scene = { isFailing: false, held: Promise.resolve() };
  host.sessions.wake = async (_id, _to, text) => {
    if (scene.isFailing) {
      scene.isFailing = false;
      throw new Error("busy");
    }
    sent.push(text);
  };
  host.sessions.note = async (_id, _to, text) => {
    await scene.held;
    notes.push(text);
  };
  const { conversation, conversations } = await openConversation(services, ROOT);
  const { delegations, turns } = conversation.parts;
  const hear = (event: HostEvent): void => conversation.each((part) => part.observe?.(event, true));
  return Object.assign(scene, {
    clock,
    engine,
    delegations,
    turns,
    outbox: conversation.outbox,
    bounds,
    sent,
    notes,
    conversation,
    hear,
    /** Starts a background task; the returned function ends it. */
    async start(text = "done"): Promise<() => Promise<void>> {
      let finish: (turn: HostTurn) => void = () => undefined;
      host.script(
        async () =>
          new Promise((resolve) => {
            finish = resolve;
          }),
      );
      const specialist = { name: "scout", role: null, contract: null, models: ["a/one"], mutates: false };
      const started = engine.delegate({
        specialist,
        prompt: "x",
        title: "x",
        parentId: ROOT,
        callId: "call",
        sessionModel: null,
        background: true,
        resume: null,
        workUnit: null,
        waveId: null,
        abort: new AbortController().signal,
      });
      await clock.advance(0);
      // Its model has begun to answer, so nobody waits for that.
      const sessionId = engine.tasks.all().at(-1)?.sessionId ?? "";
      engine.observe({ type: "text.activity", sessionId, isStreamed: true });
      await started;
      return async () => {
        finish(turn(text));
        await clock.advance(0);
      };
    },
    async status(status: "busy" | "idle"): Promise<void> {
      hear({ type: "session.status", sessionId: ROOT, status });
      await clock.advance(0);
    },
    /** OpenCode has stored what became of the call that collects. */
    answered: (status: "completed" | "error") => hear(collected(ROOT, "call", status)),
    /** A check-in waits for the user. */
    pause(isDue: boolean): void {
      if (isDue) conversation.dispatch({ type: "blocked", reason: "no access.", nextStep: "Ask." });
      else conversation.dispatch({ type: "next" });
    },
    close: async () => conversations.dispose(),
  });
}

describe("the delivery of results", () => {
  it("wakes an idle parent at once when its last background task has ended", async () => {
    const scene = await setUp();
    const finish = await scene.start();
    await scene.status("idle");
    await finish();
    expect(scene.sent).toHaveLength(1);
    // OpenCode has answered, and may be killed before it has stored the message.
    const { id = "" } = scene.engine.tasks.all().at(-1) ?? {};
    expect(scene.delegations.isGiven(id)).toBe(false);
    await scene.status("busy");
    expect(scene.delegations.isGiven(id)).toBe(true);
  });

  it("waits a moment for siblings, and hands over each result once", async () => {
    const scene = await setUp();
    const [first, second, third] = [await scene.start("A"), await scene.start("B"), await scene.start("C")];
    await scene.status("idle");
    await first();
    await second();
    expect(scene.sent).toHaveLength(0);
    await scene.clock.advance(150);
    expect(scene.sent).toHaveLength(1);
    expect(scene.sent[0]).toMatch(/"raw_text":"A".*"raw_text":"B"/);
    await third();
    expect(scene.sent).toHaveLength(1); // The parent has not been idle since.
    await scene.status("idle");
    expect(scene.sent).toHaveLength(2);
    expect(scene.sent[1]).not.toContain('"raw_text":"A"');
    await scene.status("idle");
    expect(scene.sent).toHaveLength(2);
  });

  it("keeps what the orchestrator was about to be given when the user stopped her", async () => {
    const scene = await setUp();
    const finish = await scene.start();
    await finish();
    const stop = new AbortController();
    const { delegations, engine, clock, conversation } = scene;
    vi.spyOn(conversation.parts.questions, "withResult").mockImplementation(async (result) => {
      // The user presses Esc while the results are put together.
      stop.abort();
      return result;
    });
    const conversations = { of: async () => ({ conversation }) };
    const tool = createCollectTool({ conversations, engine, clock } as unknown as Runtime);
    const call = { sessionId: ROOT, callId: "call", abort: stop.signal } as unknown as ToolCall;
    const task = engine.tasks.all()[0]?.id ?? "";
    expect(await tool.execute({}, call)).toMatchObject({ title: "1 of 1 finished" });
    expect(delegations.wasCollected(task)).toBe(false);
    const again = { ...call, abort: new AbortController().signal };
    expect(await tool.execute({}, again)).toMatchObject({ title: "1 of 1 finished" });
    expect(delegations.wasCollected(task)).toBe(true);
    // Esc came behind that, and OpenCode threw the answer away.
    scene.answered("error");
    expect(delegations.wasCollected(task)).toBe(false);
    await tool.execute({}, again);
    scene.answered("completed");
    scene.answered("error");
    expect(delegations.wasCollected(task)).toBe(true);
  });

  it("holds back while a check-in waits for the user", async () => {
    const scene = await setUp();
    scene.pause(true);
    const finish = await scene.start();
    await scene.status("idle");
    await finish();
    expect(scene.sent).toHaveLength(0);
    scene.pause(false);
    await scene.status("idle");
    expect(scene.sent).toHaveLength(1);
  });

  it("takes a stop by the user as final until they speak again, and says what still runs", async () => {
    const scene = await setUp();
    const finish = await scene.start();
    scene.hear(STOPPED);
    await scene.status("idle");
    await scene.outbox.flush();
    expect(scene.notes).toEqual([expect.stringContaining("Still running in the background: scout")]);
    await finish();
    await scene.status("idle");
    await scene.clock.advance(60_000);
    expect(scene.sent).toHaveLength(0);
    scene.conversation.dispatch({ type: "user-message", text: "Go on" });
    await scene.status("busy");
    await scene.status("idle");
    expect(scene.sent).toHaveLength(1);
  });

  it("comes not between the user's message and the turn that answers it, and is not lost where none begins", async () => {
    for (const begins of [true, false]) {
      const scene = await setUp();
      const finish = await scene.start();
      await scene.status("idle");
      scene.conversation.userSpoke("message");
      await finish();
      await scene.clock.advance(9_000);
      expect(scene.sent).toHaveLength(0);
      if (begins) {
        await scene.status("busy");
        await scene.clock.advance(60_000);
        expect(scene.sent).toHaveLength(0);
        await scene.status("idle");
      } else await scene.clock.advance(1_000);
      expect(scene.sent).toHaveLength(1);
    }
  });

  it("pauses after twelve turns that nobody asked for, with everything kept for the user's word", async () => {
    const scene = await setUp();
    const endings: string[] = [];
    for (let count = 0; count < 13; count += 1) {
      const finish = await scene.start(`result ${count};`);
      await scene.status("idle");
      await finish();
      endings.push(`result ${count};`);
    }
    expect(scene.sent).toHaveLength(12);
    expect(scene.turns.goOn("Go on")).toBe(false);
    await scene.status("idle");
    expect(scene.sent).toHaveLength(12);
    scene.bounds.begin(ROOT);
    await scene.status("idle");
    for (const ending of endings) expect(scene.sent.filter((text) => text.includes(ending))).toHaveLength(1);
  });
});

it.each([
  ["nothing", [], 0],
  ["all", [{ a: 1 }, { b: 2 }], 2],
  ["at least one, however large", [{ text: "x".repeat(90_000) }, {}], 1],
  [
    "up to the limit",
    [{ text: "x".repeat(40_000) }, { text: "x".repeat(4_000) }, { text: "x".repeat(4_000) }],
    2,
  ],
])("what fits into one answer is %s", (_name, results, count) => {
  expect(countFitting(results)).toBe(count);
});

const ALONE: Handover = { ended: 1, running: 0, queued: 0, turns: 0, waitedMs: 0 };

it.each(readCases<{ given: Partial<Handover>; expected: number }>("conversation/delegations/handovers"))(
  "how many results are handed over $name",
  ({ given, expected }) => expect(decideHandover({ ...ALONE, ...given })).toBe(expected),
);
