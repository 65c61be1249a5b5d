import { describe, expect, it } from "vitest";
import { composeHooks } from "../../src/hooks/compose.ts";
import { silentLogger } from "../../src/lib/error.ts";
import { COMMAND, payloadOf, type Given } from "../conformance/payloads.ts";
import { sessionOf } from "../support/fake-host.ts";
import { compose, NATIVE, ROOT, type Composition } from "../support/composition.ts";
import type { HookHandlers } from "../../src/host/hook-events.ts";

const OURS: Given = { sessionId: ROOT, agent: "gaia", text: "Go on", tool: "bash", effect: COMMAND };

/** The plugin with a GAIA who may take two turns for a message. */
async function setUp(): Promise<Composition & { handlers: HookHandlers }> {
  const composition = await compose({ agents: { gaia: { steps: 2 } } });
  await composition.conversation();
  return { ...composition, handlers: composeHooks(composition.hooks, silentLogger) };
}

type Event = "request-parameters" | "user-message" | "before-tool";
/** @returns why it is denied; null when it is not */
async function pass(
  handlers: HookHandlers,
  event: Event,
  given: Partial<Given> = {},
): Promise<string | null> {
  const { payload } = payloadOf(event, { ...OURS, ...given });
  return (handlers[event]?.(payload as never) ?? Promise.resolve()).then(
    () => null,
    (error: unknown) => String(error),
  );
}

describe("a request past the bound", () => {
  it("is not sent, and no tool runs, until the user writes", async () => {
    const { handlers, host } = await setUp();
    for (let step = 0; step < 2; step += 1) expect(await pass(handlers, "request-parameters")).toBeNull();
    const look = { effect: { kind: "read", paths: ["a"], patterns: [], addresses: [] } } as const;
    expect(await pass(handlers, "before-tool", look)).toBeNull();
    expect(await pass(handlers, "request-parameters")).toContain("agents.gaia.steps");
    expect(await pass(handlers, "before-tool", look)).toContain("this session was stopped");
    expect(host.toasts).toEqual([expect.stringContaining("Write to it to go on")]);
    await pass(handlers, "user-message");
    expect(await pass(handlers, "request-parameters")).toBeNull();
    expect(await pass(handlers, "before-tool", look)).toBeNull();
  });

  it("is let go by no message in which nobody says anything", async () => {
    const { handlers } = await setUp();
    for (let step = 0; step < 3; step += 1) await pass(handlers, "request-parameters");
    const { payload } = payloadOf("user-message", OURS);
    await handlers["user-message"]?.({ ...payload, said: null });
    expect(await pass(handlers, "request-parameters")).not.toBeNull();
  });

  it("is let go by the answer to a question as well", async () => {
    const { handlers, conversation } = await setUp();
    for (let step = 0; step < 3; step += 1) await pass(handlers, "request-parameters");
    (await conversation()).userSpoke("answer");
    expect(await pass(handlers, "request-parameters")).toBeNull();
  });

  it("in a specialist's session is let go by the user's word there", async () => {
    const { handlers, runtime, host } = await setUp();
    const given = { sessionId: "ses_child", agent: "minerva" };
    const session = sessionOf("ses_child", { parentId: ROOT });
    host.stored.set(session.id, session);
    runtime.sessions.observe({ type: "session.created", session });
    runtime.sessions.spoke("ses_child", "minerva", null);
    const steps = runtime.agents.stepsOf("minerva") ?? 0;
    for (let step = 0; step < steps; step += 1)
      expect(await pass(handlers, "request-parameters", given)).toBeNull();
    expect(await pass(handlers, "request-parameters", given)).toContain("agents.minerva.steps");
    await pass(handlers, "user-message", given);
    expect(await pass(handlers, "request-parameters", given)).toBeNull();
  });

  it("is nobody else's affair", async () => {
    const { handlers } = await setUp();
    const native = { sessionId: NATIVE, agent: "build" };
    for (let step = 0; step < 300; step += 1)
      expect(await pass(handlers, "request-parameters", native)).toBeNull();
  });
});
