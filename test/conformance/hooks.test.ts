import { tmpdir } from "node:os";
import type { PluginInput } from "@opencode-ai/plugin";
import { describe, expect, it, vi } from "vitest";
import { composeHooks } from "../../src/hooks/compose.ts";
import { type HookEvent, Denial, type HookDefinition } from "../../src/host/hook-events.ts";
import { createOpenCodeHost } from "../../src/host/opencode/adapter.ts";
import { systemClock } from "../../src/lib/async.ts";
import { silentLogger } from "../../src/lib/error.ts";
import { compose, FOREIGN, NATIVE, ROOT, type Composition } from "../support/composition.ts";
import { COMMAND, EDIT, HUGE, ODD_CALLS, payloadOf, QUESTION, type Given } from "./payloads.ts";

const EVENTS: Record<HookEvent, true> = {
  configuration: true,
  "host-event": true,
  "user-message": true,
  "command-typed": true,
  "before-tool": true,
  "after-tool": true,
  "before-request": true,
  "request-parameters": true,
  compaction: true,
  "answer-text": true,
  "shell-environment": true,
};
const ORDINARY: Given = { sessionId: ROOT, agent: "gaia", text: "Go on", tool: "bash", effect: COMMAND };
/** Payloads as no sane host sends them. */
const ODD: Record<string, Partial<Given>> = {
  "an empty session": { sessionId: "" },
  "a session that there is not": { sessionId: "ses_gone" },
  "a session named like a property": { sessionId: "__proto__" },
  "a session that the plugin has not met": { sessionId: FOREIGN },
  "an agent that there is not": { agent: "nobody" },
  "an agent named like a property": { agent: "constructor" },
  ...ODD_CALLS,
  "no text": { text: "" },
  "a huge text": { text: HUGE },
};
/** What gates look at, each in a call of its own. */
const CALLS: Record<string, Partial<Given>> = {
  command: { tool: "bash", effect: COMMAND },
  edit: { tool: "edit", effect: EDIT },
  question: { tool: "question", effect: QUESTION },
};

const { hooks: members } = await compose();

/** Runs a member by itself. @returns what it changed of its payload */
async function run(hook: HookDefinition, given: Partial<Given>): Promise<unknown[]> {
  const { payload, changes } = payloadOf(hook.event, { ...ORDINARY, ...given });
  await hook.run(payload);
  return changes;
}

/** Runs a member as the host has it run. */
async function runComposed(hook: HookDefinition, given: Partial<Given>): Promise<void> {
  const { payload } = payloadOf(hook.event, { ...ORDINARY, ...given });
  await composeHooks([hook], silentLogger)[hook.event]?.(payload as never);
}

/** It counts what it sees and hears, whatever the host says or does not say. */
const asksNobody = ({ id }: HookDefinition): boolean => id === "hold-requests";

describe.each(members.map(({ id }) => id))("the hook %s", (id) => {
  const memberOf = ({ hooks }: Composition): HookDefinition => {
    const found = hooks.find((hook) => hook.id === id);
    if (found === undefined) throw new Error(`${id} is in no list`);
    return found;
  };
  const member = members.find((hook) => hook.id === id);

  it("is named once, and says where it stands and why", () => {
    expect(members.filter((hook) => hook.id === id)).toHaveLength(1);
    expect(Object.keys(EVENTS)).toContain(member?.event);
    expect(member?.why).toMatch(/^\S.{10,}[^.]$/);
    const beside = members.filter(({ event }) => event === member?.event);
    if (member?.why.startsWith("the only hook")) expect(beside).toEqual([member]);
  });

  it("fails closed exactly where it is a gate", () => {
    // A result that may hold a secret is kept back as well.
    const isGate = ["hide-secrets", "hold-requests", "contain-shell"].includes(id);
    const isClosed = isGate || member?.event === "before-tool";
    expect(member?.onFailure).toBe(isClosed ? "closed" : "open");
  });

  it("takes odd payloads, one after the other", async () => {
    const hook = memberOf(await compose());
    for (const [what, given] of Object.entries(ODD)) {
      const failure = await run(hook, given).then(
        () => null,
        (error: unknown) => error,
      );
      // A gate may refuse; it does not fail, and knows why.
      const isRefused = failure instanceof Denial && hook.onFailure === "closed";
      expect(String(failure), what).not.toContain("could not decide");
      expect(isRefused ? null : failure, what).toBeNull();
    }
  });

  it("leaves another agent's session as it is, and asks for nothing", async () => {
    const composition = await compose();
    for (const given of Object.values(CALLS)) {
      const native = { ...given, sessionId: NATIVE, agent: "build" };
      expect(await run(memberOf(composition), native)).toEqual([]);
    }
    expect(composition.asked).toEqual([]);
    expect(composition.host.toasts).toEqual([]);
  });

  it("denies what it cannot decide, or lets the turn go on, when the host does not tell of a session", async () => {
    const composition = await compose();
    composition.host.sessions.get = async () => Promise.reject(new Error("OpenCode is gone"));
    const hook = memberOf(composition);
    const outcome = runComposed(hook, { sessionId: FOREIGN, ...CALLS["question"] });
    if (hook.onFailure === "open" || asksNobody(hook)) await expect(outcome).resolves.toBeUndefined();
    else await expect(outcome).rejects.toThrow(/^Refused: .* could not decide \(OpenCode is gone\)\.$/);
  });

  it("waits for a host that does not answer only so long", async () => {
    const silent = async () => new Promise<never>(() => undefined);
    const client = { _client: { get: silent, post: silent, patch: silent } };
    const input = { client, directory: tmpdir(), worktree: tmpdir() };
    const { sessions } = createOpenCodeHost(input as unknown as PluginInput, systemClock);
    const composition = await compose({}, { sessions });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const hook = memberOf(composition);
    const outcome = runComposed(hook, { sessionId: FOREIGN, ...CALLS["question"] }).catch(
      (error: unknown) => error,
    );
    await vi.advanceTimersByTimeAsync(60_000);
    const ended = await outcome;
    vi.useRealTimers();
    if (hook.onFailure === "open" || asksNobody(hook)) expect(ended).toBeUndefined();
    else expect(ended).toBeInstanceOf(Denial);
  });
});
