import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { defineContract } from "../../src/contracts/contract.ts";
import { REQUEST_KEY } from "../../src/conversation/display/metadata-keys.ts";
import { loadPanelKey, panelKeyPath, sealed } from "../../src/conversation/display/panel-key.ts";
import { createSeal } from "../../src/lib/seal.ts";
import { definePower } from "../../src/trust/power.ts";
import { compose, ROOT, type Composition } from "../support/composition.ts";
import { sessionOf } from "../support/fake-host.ts";

const DAY_MS = 24 * 60 * 60_000;
const JUMPS = [
  ["back", -DAY_MS],
  ["forward", DAY_MS],
] as const;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
});

/** Someone turns the time of day; what runs goes on at its own pace. */
function turn(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

/** What a specialist whose model never says a word ends as. */
async function delegateInto({ runtime, host }: Composition, meanwhile: () => void) {
  host.script(async () => new Promise(() => undefined));
  host.looks.set("ses_1", { busy: true, requests: [] });
  const contract = defineContract({}, () => ({}));
  const ending = runtime.engine.delegate({
    specialist: { name: "minerva", role: null, contract, models: ["a/one"], mutates: false },
    prompt: "TASK: look",
    title: "look",
    parentId: ROOT,
    callId: "call_1",
    sessionModel: null,
    background: false,
    resume: null,
    workUnit: null,
    waveId: null,
    abort: new AbortController().signal,
  });
  await vi.waitFor(() => {
    expect(host.prompts).toHaveLength(1);
  });
  meanwhile();
  return ending;
}

describe.each(JUMPS)("a clock that is turned %s by a day", (_where, jump) => {
  it("ends a silent specialist as if nothing had happened", { timeout: 30_000 }, async () => {
    const composition = await compose({ delegation: { stallSeconds: 1 } });
    const result = await delegateInto(composition, () => {
      turn(jump);
    });
    expect(result).toMatchObject({
      status: "failed",
      attempts: [{ failure: "stalled" }, { failure: "stalled" }],
    });
    expect((result as { duration_ms: number }).duration_ms).toBeLessThan(DAY_MS / 2);
  });

  it("uses up no budget and frees nobody of one", async () => {
    const conversation = await (await compose()).conversation();
    conversation.dispatch({ type: "command", change: { knob: "mode", value: "autopilot" } });
    conversation.dispatch({ type: "wave-opened", workUnit: "unit", wave: "w1" });
    turn(jump);
    conversation.dispatch({ type: "tick" });
    expect(conversation.state).toMatchObject({
      pause: null,
      wave: { id: "w1" },
      knobs: { mode: "autopilot" },
    });
    expect(conversation.state.spent.activeMs).toBeLessThan(DAY_MS / 2);
    const fact = { sessionId: ROOT, tool: "bash", mutating: true, failed: true };
    for (let call = 0; call < 100; call += 1) conversation.dispatch({ type: "tool-finished", fact });
    expect(conversation.state.pause?.reason).toBe("budget");
  });

  it("keeps a lock and what the user trusts, and takes the panel's newest word", async () => {
    const composition = await compose();
    const { runtime } = composition;
    const conversation = await composition.conversation();
    const power = definePower("x", "y", { what: "z", value: 1 });
    await runtime.trust.grant([power]);
    conversation.dispatch({ type: "command", change: { knob: "mode", value: "locked" } });
    turn(jump);
    conversation.dispatch({ type: "tick" });
    expect(conversation.state.knobs.mode).toBe("locked");
    await runtime.trust.grant([definePower("x", "y", { what: "z", value: 2 })]);
    const unit = await runtime.workspace.createWorkUnit({ slug: "unit", title: "A unit" });
    expect(unit).toMatchObject({ ok: true });
    const request = { id: "r1", session: ROOT, from: ROOT, at: Date.now(), command: "supervised" };
    const seal = createSeal(() => loadPanelKey(panelKeyPath(process.env)));
    const session = sessionOf(ROOT, { metadata: { [REQUEST_KEY]: sealed(request, seal) } });
    const heard = composition.hooks.find(({ event }) => event === "host-event");
    await heard?.run({ type: "session.updated", session } as never);
    await vi.waitFor(() => {
      expect(conversation.state.knobs.mode).toBe("supervised");
    });
  });
});
