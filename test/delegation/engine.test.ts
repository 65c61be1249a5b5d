import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { defineContract } from "../../src/contracts/contract.ts";
import type { Delegation } from "../../src/delegation/child-session.ts";
import {
  createDelegationEngine,
  type DelegationEngine,
  type EngineSettings,
} from "../../src/delegation/engine.ts";
import type { HostMessage } from "../../src/host/port.ts";
import { recordOf } from "../../src/lib/json.ts";
import type { DelegationResult } from "../../src/delegation/result.ts";
import { clockTime } from "../../src/lib/figures.ts";
import { createFakeClock, type FakeClock } from "../support/fake-clock.ts";
import { createFakeHost, failedTurn, turn, keyed } from "../support/fake-host.ts";

const contract = defineContract({}, () => ({ found: z.string() }));
const answer = { ok: true, data: { found: "it" }, errors: [] };
const MINUTE = 60_000;

const opened: { clock: FakeClock; engine: DelegationEngine }[] = [];

afterEach(async () => {
  for (const { clock, engine } of opened.splice(0)) {
    engine.dispose();
    await clock.advance(0);
    expect(clock.pending, "timers that outlive the engine").toBe(0);
  }
});

function setUp(settings: Partial<EngineSettings> = {}) {
  const host = createFakeHost();
  const clock = createFakeClock();
  const engine = createDelegationEngine(host, clock, {
    queue: { background: 3, perProvider: {}, perModel: {} },
    watchdog: { stallMs: 3 * MINUTE, toolStallMs: 15 * MINUTE, totalMs: 30 * MINUTE },
    ...settings,
  });
  opened.push({ clock, engine });
  return { host, clock, engine };
}

function delegation(rest: Partial<Delegation> = {}): Delegation {
  return {
    specialist: { name: "minerva", role: null, contract, models: ["a/one", "b/one"], mutates: false },
    prompt: "TASK: look",
    title: "look",
    parentId: "ses_root",
    callId: keyed("call_1"),
    sessionModel: "a/two",
    background: false,
    resume: null,
    workUnit: "unit",
    waveId: null,
    abort: new AbortController().signal,
    ...rest,
  };
}

async function run(engine: DelegationEngine, clock: FakeClock, input: Delegation): Promise<DelegationResult> {
  const pending = engine.delegate(input);
  await clock.advance(0);
  return (await pending) as DelegationResult;
}

const hang = async (): Promise<never> => new Promise(() => undefined);

/** A delegation whose child is at work, and hangs. @param then what the next prompt gives */
async function begun(input: Partial<Delegation> = {}, ...then: ReturnType<typeof turn>[]) {
  const scene = setUp();
  const { host, clock, engine } = scene;
  host.script(hang, ...then);
  const pending = engine.delegate(delegation(input)) as Promise<DelegationResult>;
  await clock.advance(0);
  return { ...scene, pending, sessionId: engine.tasks.all()[0]?.sessionId ?? "" };
}

describe("a delegation", () => {
  it("hands back the contract with what the plugin knows filled in, whatever the model claims", async () => {
    const { host, clock, engine } = setUp();
    host.script(turn(JSON.stringify({ ...answer, agent: "hades", session_id: "forged" })));
    const result = await run(engine, clock, delegation());
    expect(result).toMatchObject({
      status: "completed",
      model_used: "a/one",
      raw_text: null,
      parse_error: null,
    });
    expect([result.agent, result.session_id, result.parsed_json]).toEqual(["minerva", "ses_1", answer]);
    expect(clock.pending).toBe(0);
  });

  it("repairs once, and says partial with the reason when that fails too", async () => {
    const { host, clock, engine } = setUp();
    host.script(turn("not json"), turn('{"ok":true,"data":{}}'));
    const result = await run(engine, clock, delegation());
    expect(result).toMatchObject({ status: "partial", parsed_json: null, raw_text: '{"ok":true,"data":{}}' });
    expect(result.parse_error).toContain("data.found");
    expect(host.prompts).toHaveLength(2);
    expect(host.prompts[1]).toMatchObject({ sessionId: result.session_id });
  });

  it("asks a reviewer once for the verdict that is missing, loses no objection, and takes no words for one", async () => {
    const reviews = defineContract({ reviews: true }, () => ({ found: z.string() }));
    const reviewer = { name: "minerva", role: null, contract: reviews, models: ["a/one"], mutates: false };
    const { host, clock, engine } = setUp();
    const saying = (verdict: string, data: object = { found: "it" }) =>
      turn(JSON.stringify({ ...answer, data, outcome: { verdict, reason: "It races." } }));
    host.script(turn(JSON.stringify(answer)), saying("Reject"));
    const asked = await run(engine, clock, delegation({ specialist: reviewer }));
    expect(host.prompts[1]?.text).toContain("- outcome: ");
    expect(asked).toMatchObject({
      status: "completed",
      parsed_json: { data: { found: "it" }, outcome: { verdict: "REJECT" } },
    });
    host.script(saying("REJECT", {}), turn("There is nothing to add."));
    const broken = await run(engine, clock, delegation({ specialist: reviewer }));
    expect(broken).toMatchObject({ status: "partial", parsed_json: { outcome: { verdict: "REJECT" } } });
    host.script(saying("REJECT", {}), saying("APPROVE"));
    const turned = await run(engine, clock, delegation({ specialist: reviewer }));
    expect(turned).toMatchObject({
      status: "completed",
      parsed_json: { outcome: { verdict: "REJECT" } },
      parse_error: expect.stringContaining("REJECT stands"),
    });
    host.script(turn("APPROVE: it is fine."), turn("I approve."));
    const silent = await run(engine, clock, delegation({ specialist: reviewer }));
    expect(silent).toMatchObject({ status: "partial", parsed_json: null, raw_text: "I approve." });
    expect(host.prompts).toHaveLength(8);
  });

  it("falls back in the same session", async () => {
    const { host, clock, engine } = setUp();
    host.script(failedTurn("auth", "no key"), turn(JSON.stringify(answer)));
    const result = await run(engine, clock, delegation());
    expect(result).toMatchObject({ status: "completed", model_used: "b/one" });
    expect(result.attempts.map((attempt) => attempt.failure)).toEqual(["auth", null]);
    expect(new Set(host.prompts.map(({ sessionId }) => sessionId)).size).toBe(1);
  });

  it("fails with each attempt named when no model answers, after the session's own model was tried", async () => {
    const { host, clock, engine } = setUp();
    host.script(failedTurn("other", "oops", 500));
    const result = await run(engine, clock, delegation());
    expect(result).toMatchObject({
      status: "failed",
      message: expect.stringContaining("a/one: server, b/one: server, a/two: server"),
    });
    expect(result.attempts.map(({ model }) => model)).toEqual(["a/one", "b/one", "a/two"]);
  });
});

describe("a delegation that hangs", () => {
  it("fails within bounds when every model hangs", async () => {
    const { clock, pending } = await begun();
    await clock.advance(20 * MINUTE);
    expect(await pending).toMatchObject({ status: "failed" });
    expect(clock.pending).toBe(0);
  });

  it("is not stalled while it waits for the user", async () => {
    const { host, clock, engine } = setUp();
    let finish: () => void = () => undefined;
    host.script(async () => new Promise((resolve) => (finish = () => resolve(turn(JSON.stringify(answer))))));
    const pending = engine.delegate(delegation());
    await clock.advance(0);
    const sessionId = engine.tasks.all()[0]?.sessionId ?? "";
    const about = { permission: "edit", kind: "other", patterns: [], always: [], metadata: {} } as const;
    engine.observe({ type: "permission.asked", sessionId, requestId: "per_1", callId: null, ...about });
    host.looks.set(sessionId, { busy: true, requests: ["per_1"] });
    await clock.advance(60 * MINUTE);
    host.looks.set(sessionId, { busy: true, requests: null });
    await clock.advance(60 * MINUTE);
    expect(engine.tasks.all()[0]?.status).toBe("waiting-for-human");
    engine.observe({ type: "permission.replied", sessionId, requestId: "per_1", reply: "once" });
    finish();
    await clock.advance(0);
    expect(await pending).toMatchObject({ status: "completed" });
  });

  it("hands over what its session holds when the loop is over and nobody said so", async () => {
    const { host, clock, pending, sessionId } = await begun();
    const spoken = { role: "assistant", agent: "minerva", model: "a/one", completed: true } as const;
    host.history.set(sessionId, [{ ...spoken, turn: turn(JSON.stringify(answer)) }]);
    host.looks.set(sessionId, { busy: false, requests: [] });
    await clock.advance(4 * MINUTE);
    expect(await pending).toMatchObject({ status: "completed", model_used: "a/one" });
  });

  it("ends with the class of an error event when the prompt's own answer does not come", async () => {
    const { clock, engine, pending, sessionId } = await begun({}, turn(JSON.stringify(answer)));
    const failure = { reason: "not-found" as const, message: "gone", promptSaved: true };
    engine.observe({ type: "session.error", sessionId, failure });
    await clock.advance(3_000);
    const result = await pending;
    expect(result.attempts.map((attempt) => attempt.failure)).toEqual(["not-found", null]);
    expect(clock.pending).toBe(0);
  });

  it("is taken over from OpenCode's own retries when another model would be quicker", async () => {
    const { host, clock, engine, pending, sessionId } = await begun({}, turn(JSON.stringify(answer)));
    const retry = { type: "session.retry", sessionId, attempt: 1, message: "Rate limit reached" } as const;
    engine.observe({ ...retry, nextAt: clock.now() + 500 });
    await clock.advance(0);
    expect(host.prompts).toHaveLength(1);
    engine.observe({ ...retry, nextAt: clock.now() + 30_000 });
    await clock.advance(0);
    const result = await pending;
    expect(result.attempts.map((attempt) => attempt.failure)).toEqual(["overload", null]);
  });

  it("fails at once where its provider answers only much later, says when, and leaves that provider alone until then", async () => {
    const specialist = { ...delegation().specialist, models: ["a/one"] };
    const { host, clock, engine, pending, sessionId } = await begun({ specialist, sessionModel: null });
    const nextAt = clock.now() + 60 * MINUTE;
    const retry = { type: "session.retry", sessionId, attempt: 1, message: "Rate limit reached" } as const;
    // Nobody else could go on sooner.
    engine.observe({ ...retry, nextAt: clock.now() + 2_000 });
    await clock.advance(0);
    expect(host.aborted).toEqual([]);
    engine.observe({ ...retry, nextAt });
    await clock.advance(0);
    const result = await pending;
    expect(result).toMatchObject({ status: "failed", attempts: [{ failure: "overload", until: nextAt }] });
    expect(result.message).toContain(
      `Last error: Rate limit reached. It answers again at ${clockTime(nextAt)}. Resume with session_id then`,
    );
    host.script(turn(JSON.stringify(answer)));
    const modelUsed = async (): Promise<unknown> => {
      const next = { ...specialist, models: ["a/one", "b/one"] };
      return (await run(engine, clock, delegation({ specialist: next }))).model_used;
    };
    await clock.advance(50 * MINUTE);
    expect(await modelUsed()).toBe("b/one");
    await clock.advance(10 * MINUTE);
    expect(await modelUsed()).toBe("a/one");
  });
});

describe("ending a delegation", () => {
  it("stops the child when the user stops GAIA", async () => {
    const controller = new AbortController();
    const { host, clock, engine, pending } = await begun({ abort: controller.signal });
    const seen: string[] = [];
    engine.tasks.subscribe(({ status }) => seen.push(status));
    controller.abort();
    await clock.advance(0);
    expect(await pending).toMatchObject({ status: "failed", message: "It was stopped with GAIA." });
    expect(seen).not.toContain("retrying");
    expect(host.aborted).toEqual(["ses_1"]);
    expect(clock.pending).toBe(0);
  });

  /** What a child has said so far in its second task. */
  const said = (...texts: string[]): HostMessage[] =>
    ["an answer before", ...texts].flatMap((text, at) => {
      const asked = at === 0 ? "another task" : "TASK: look";
      const message = { agent: "minerva", model: "a/one", completed: true };
      const user = { ...message, role: "user" as const, turn: turn(`${asked}, and its contract`) };
      const answer = { ...message, role: "assistant" as const, turn: turn(text) };
      return at <= 1 ? [user, answer] : [answer];
    });

  it.each([
    [
      "what it said in it",
      said("First I looked.", "", "Then I found."),
      "First I looked.\n\nThen I found.",
      null,
    ],
    ["its contract, where it had one", said(`Done.\n${JSON.stringify(answer)}`), "Done.", answer.data],
    ["nothing, when it had said nothing", said(""), null, null],
  ])("at a bound is partial, says why and keeps %s", async (_what, history, text, data) => {
    const { host, clock, engine, pending } = await begun();
    host.history.set("ses_1", history);
    engine.cut(engine.tasks.all()[0]?.id ?? "", "it took too long");
    await clock.advance(0);
    const result = await pending;
    expect(result).toMatchObject({ status: "partial", message: expect.stringContaining("it took too long") });
    expect(result.raw_text).toEqual(text === null ? null : expect.stringContaining(text));
    expect(result.raw_text ?? "").not.toContain("an answer before");
    expect(recordOf(result.parsed_json)["data"] ?? null).toEqual(data);
    expect(host.aborted).toEqual(["ses_1"]);
    expect(host.prompts).toHaveLength(1);
  });

  it("ends all tasks of a deleted session", async () => {
    const { host, clock, engine } = setUp();
    host.script(hang);
    await run(engine, clock, delegation({ background: true }));
    await run(engine, clock, delegation({ background: true }));
    await clock.advance(3_000); // The second begins once the model of the first has had its time to answer.
    engine.observe({ type: "session.deleted", sessionId: "ses_root" });
    await clock.advance(0);
    expect(host.aborted).toHaveLength(2);
    expect(engine.tasks.all()).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});

it("background work never runs more children at once than allowed, and tells the place in the queue", async () => {
  const { host, clock, engine } = setUp();
  const finish: (() => void)[] = [];
  host.script(async () => new Promise((resolve) => finish.push(() => resolve(turn(JSON.stringify(answer))))));
  const results: DelegationResult[] = [];
  for (let count = 0; count < 6; count += 1)
    results.push(await run(engine, clock, delegation({ background: true })));
  for (let count = 0; count < 3; count += 1) await clock.advance(3_000);
  expect(host.prompts).toHaveLength(3);
  expect(engine.result(results[4]?.task_id ?? "")?.progress).toMatchObject({
    state: "queued",
    queue_position: 2,
  });
  finish.shift()?.();
  await clock.advance(3_000);
  expect(host.prompts).toHaveLength(4);
  while (finish.length > 0) {
    finish.shift()?.();
    await clock.advance(3_000);
  }
  expect(engine.tasks.all().every(({ status }) => status === "completed")).toBe(true);
  expect(host.prompts).toHaveLength(6);
});

it("resuming a session goes on in the same child under a new task id", async () => {
  const { host, clock, engine } = setUp();
  host.script(turn(JSON.stringify(answer)));
  const first = await run(engine, clock, delegation());
  const second = await run(engine, clock, delegation({ resume: first.session_id }));
  expect(second.session_id).toBe(first.session_id);
  expect(second.task_id).not.toBe(first.task_id);
});

it("begins nothing any more when it was disposed of while a child's session was on its way", async () => {
  const { host, clock, engine } = setUp();
  const { create } = host.sessions;
  let open: () => void = () => undefined;
  host.sessions.create = async (input) => {
    await new Promise<void>((resolve) => {
      open = resolve;
    });
    return create(input);
  };
  host.script(hang);
  const pending = engine.delegate(delegation());
  await clock.advance(0);
  engine.dispose();
  open();
  await clock.advance(0);
  expect(await pending).toMatchObject({ status: "failed", message: expect.stringContaining("closing") });
  expect(host.prompts).toEqual([]);
});
