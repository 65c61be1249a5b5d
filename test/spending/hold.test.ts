import { describe, expect, it } from "vitest";
import { composeHooks } from "../../src/hooks/compose.ts";
import { silentLogger } from "../../src/lib/error.ts";
import type { HostEvent } from "../../src/host/port.ts";
import { result } from "../../src/scripted-model/turn.ts";
import { payloadOf } from "../conformance/payloads.ts";
import { compose, ROOT, planCalls } from "../support/composition.ts";
import { failedTurn, sessionOf, turn, keyed } from "../support/fake-host.ts";

const COST = 0.1;
const FOUND = {
  answer: "It.",
  repo_map: "x",
  vcs_type: "git",
  plan: [],
  risk_list: [],
  suggested_agents: [],
};

/** Every specialist sends so many requests for a task, each of which costs a dime, and they all take turns. */
async function open(budget: object, requests: number) {
  const composition = await compose({ budget, autopilotSafeguards: { maxBackgroundTasks: 100 } });
  const { runtime, host, hooks } = composition;
  const change = { knob: "mode", value: "autopilot" } as const;
  (await composition.conversation()).dispatch({ type: "command", change });
  const handlers = composeHooks(hooks, silentLogger);
  /** The sessions of requests that went out, GAIA's own included. */
  const sent: string[] = [];
  const tell = async (event: HostEvent): Promise<void> => handlers["host-event"]?.(event);
  /** One request of a session; false where it was held. */
  const request = async (sessionId: string): Promise<boolean> => {
    const messageId = `m${sent.length}-${Math.random()}`;
    await tell({ type: "message.started", sessionId, messageId });
    const { payload } = payloadOf("request-parameters", { sessionId, agent: "", text: "" } as never);
    const sending = handlers["request-parameters"]?.(payload) ?? Promise.resolve();
    if (
      !(await sending.then(
        () => true,
        () => false,
      ))
    )
      return false;
    sent.push(sessionId);
    await new Promise((done) => setTimeout(done, 1));
    const tokens = { input: 1_000, output: 0, cached: 0 };
    const ids = { sessionId, messageId, partId: messageId, callId: keyed(messageId) };
    await tell({ type: "tool.activity", ...ids, tool: "read", kind: "read", status: "running", title: "" });
    await tell({ type: "message.finished", sessionId, messageId, isAnswer: false, tokens, cost: COST });
    return true;
  };
  host.sessions.create = async ({ parentId, title, metadata }) => {
    const session = sessionOf(`ses_${host.stored.size}`, { parentId, title, metadata: metadata ?? {} });
    host.stored.set(session.id, session);
    await tell({ type: "session.created", session });
    return session;
  };
  host.script(async ({ sessionId }) => {
    for (let count = 0; count < requests; count += 1)
      if (!(await request(sessionId))) return failedTurn("other", "Stopped");
    return turn(result(FOUND).text ?? "");
  });
  const spent = (): number => runtime.ledger.totals.of(`root ${ROOT}`).cost;
  return { ...composition, gaia: planCalls(composition), sent, request, spent };
}
const look = (background = false): object => ({ agent: "minerva", goal: "look", background });

describe("50 specialists at once", () => {
  it.each([
    ["perUnit", { perUnit: { cost: 8 } }, false],
    ["perDay", { perDay: { tokens: 80_000 } }, false],
    ["perUnit, in the background", { perUnit: { cost: 8 } }, true],
  ])("overspend %s by no more than what was on its way", async (_name, budget, background) => {
    const scene = await open(budget, 20);
    scene.gaia.answer = "no";
    const results = await Promise.all(
      Array.from({ length: 50 }, async () => scene.gaia.delegate(look(background))),
    );
    const working = () => scene.runtime.engine.tasks.all().filter(({ outcome }) => outcome === null);
    await expect.poll(working, { timeout: 20_000 }).toEqual([]);
    expect(scene.sent.length).toBeGreaterThanOrEqual(80);
    expect(scene.spent()).toBeLessThanOrEqual(8 + 50 * COST);
    if (!background) expect(results.map(({ status }) => status)).toContain("partial");
    expect(await scene.request(ROOT)).toBe(false);
    // One dialog for all of them.
    expect(scene.gaia.asked.length).toBeLessThanOrEqual(1);
  });

  it("perTask ends each at its own, and what it has is its result", async () => {
    const scene = await open({ perTask: { cost: 0.3 } }, 9);
    const results = await Promise.all(Array.from({ length: 50 }, async () => scene.gaia.delegate(look())));
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(["partial"]));
    expect(results[0]?.["message"]).toContain("budget.perTask");
    expect(scene.sent).toHaveLength(150);
    expect(await scene.request(ROOT)).toBe(true);
  });
});

describe("a budget that is used up", () => {
  it("is asked for in the dialog, in autopilot too, and a yes is as much again, for this scope alone", async () => {
    const scene = await open({ perUnit: { cost: 0.4 } }, 3);
    await scene.gaia.delegate(look());
    expect(scene.gaia.asked).toEqual([]);
    // Reached within it, and asked for before it returns.
    expect(await scene.gaia.delegate(look())).toMatchObject({ status: "partial" });
    expect(scene.gaia.asked).toEqual([expect.stringContaining("spend as much again?")]);
    expect(await scene.request(ROOT)).toBe(true);
    expect(await scene.gaia.delegate(look())).toMatchObject({ status: "completed" });
    expect(scene.gaia.asked).toHaveLength(2);
  });

  it("holds GAIA herself until /next, whatever else is said to her, and says so", async () => {
    const scene = await open({ perDay: { cost: 0.2 } }, 1);
    const conversation = await scene.conversation();
    const requestTwice = async () => [await scene.request(ROOT), await scene.request(ROOT)];
    expect(await requestTwice()).toEqual([true, true]);
    expect(await scene.request(ROOT)).toBe(false);
    expect(scene.host.toasts.join("\n")).toMatch(
      /BLOCKED: the budget of today .*\/next spends as much again/,
    );
    conversation.dispatch({ type: "user-message", text: "Go on" });
    expect(await scene.request(ROOT)).toBe(false);
    conversation.dispatch({ type: "user-message", text: "/next" });
    expect(await requestTwice()).toEqual([true, true]);
    expect(await scene.request(ROOT)).toBe(false);
    conversation.dispatch({ type: "next" });
    expect(await scene.request(ROOT)).toBe(true);
  });
});
