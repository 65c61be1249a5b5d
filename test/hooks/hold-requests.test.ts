import { describe, expect, it } from "vitest";
import { composeHooks } from "../../src/hooks/compose.ts";
import { silentLogger } from "../../src/lib/error.ts";
import { COMMAND, payloadOf, type Given } from "../conformance/payloads.ts";
import { sessionOf } from "../support/fake-host.ts";
import { compose, NATIVE, ROOT } from "../support/composition.ts";

const OURS: Given = { sessionId: ROOT, agent: "gaia", text: "Go on", tool: "bash", effect: COMMAND };
const LOOK = { effect: { kind: "read", paths: ["a"], patterns: [], addresses: [] } } as const;

/** The plugin with a GAIA who may take two turns for a message. */
async function setUp() {
  const composition = await compose({ agents: { gaia: { steps: 2 } } });
  const conversation = await composition.conversation();
  const handlers = composeHooks(composition.hooks, silentLogger);
  /** @returns why it is denied; null when it is not */
  const pass = async (
    event: "request-parameters" | "user-message" | "before-tool",
    given: Partial<Given> = {},
  ): Promise<string | null> => {
    const { payload } = payloadOf(event, { ...OURS, ...given });
    return (handlers[event]?.(payload as never) ?? Promise.resolve()).then(() => null, String);
  };
  const request = async (given?: Partial<Given>) => pass("request-parameters", given);
  return { ...composition, gaia: conversation, handlers, pass, request };
}

describe("a request past the bound", () => {
  it("is not sent, and no tool runs, until the user writes", async () => {
    const { pass, request, host } = await setUp();
    expect([await request(), await request()]).toEqual([null, null]);
    expect(await pass("before-tool", LOOK)).toBeNull();
    expect(await request()).toContain("agents.gaia.steps");
    expect(await pass("before-tool", LOOK)).toContain("this session was stopped");
    expect(host.toasts).toEqual([expect.stringContaining("Write to it to go on")]);
    await pass("user-message");
    expect(await request()).toBeNull();
    expect(await pass("before-tool", LOOK)).toBeNull();
  });

  it("is let go by no message in which nobody says anything, and by the answer to a question", async () => {
    const { handlers, request, gaia } = await setUp();
    for (let step = 0; step < 3; step += 1) await request();
    await handlers["user-message"]?.({ ...payloadOf("user-message", OURS).payload, said: null });
    expect(await request()).not.toBeNull();
    gaia.userSpoke("answer");
    expect(await request()).toBeNull();
  });

  it("in a specialist's session is let go by the user's word there", async () => {
    const { pass, request, runtime, host } = await setUp();
    const given = { sessionId: "ses_child", agent: "minerva" };
    const session = sessionOf("ses_child", { parentId: ROOT });
    host.stored.set(session.id, session);
    runtime.sessions.observe({ type: "session.created", session });
    runtime.sessions.spoke("ses_child", "minerva", null);
    const steps = runtime.agents.stepsOf("minerva") ?? 0;
    for (let step = 0; step < steps; step += 1) expect(await request(given)).toBeNull();
    expect(await request(given)).toContain("agents.minerva.steps");
    await pass("user-message", given);
    expect(await request(given)).toBeNull();
  });

  it("is nobody else's affair", async () => {
    const { request } = await setUp();
    const native = { sessionId: NATIVE, agent: "build" };
    for (let step = 0; step < 300; step += 1) expect(await request(native)).toBeNull();
  });
});
