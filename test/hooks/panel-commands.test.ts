import { describe, expect, it, vi } from "vitest";
import { REQUEST_KEY, SNAPSHOT_KEY } from "../../src/conversation/display/metadata-keys.ts";
import { loadPanelKey, panelKeyPath, sealed } from "../../src/conversation/display/panel-key.ts";
import { createSeal } from "../../src/lib/seal.ts";
import { composeHooks } from "../../src/hooks/compose.ts";
import { silentLogger } from "../../src/lib/error.ts";
import { payloadOf, COMMAND } from "../conformance/payloads.ts";
import { compose, NATIVE, ROOT } from "../support/composition.ts";
import { sessionOf, keyed } from "../support/fake-host.ts";

async function setUp() {
  const composition = await compose();
  const { host, hooks } = composition;
  const conversation = await composition.conversation();
  const handlers = composeHooks(hooks, silentLogger);
  const notes = vi.spyOn(host.sessions, "note");
  const wakes = vi.spyOn(host.sessions, "wake");
  const prefilled = vi.spyOn(host, "prefill");
  let count = 0;
  const request = async (command: string, from = ROOT): Promise<void> => {
    const words = { id: `${(count += 1)}`, session: ROOT, from, at: Date.now(), command };
    const seal = createSeal(() => loadPanelKey(panelKeyPath(process.env)));
    const session = sessionOf(ROOT, { metadata: { [REQUEST_KEY]: sealed(words, seal) } });
    host.stored.set(ROOT, session);
    await handlers["host-event"]?.({ type: "session.updated", session });
    await vi.waitFor(() => {
      expect(host.stored.get(ROOT)?.metadata[REQUEST_KEY]).toBeUndefined();
    });
  };
  const shown = (): string[] => notes.mock.calls.map(([session, , text]) => `${session}: ${text}`);
  return { ...composition, conversation, handlers, request, shown, notes, wakes, prefilled };
}

describe("a command that the panel has carried out", () => {
  it("turns a knob as if it were typed, and what is kept says so", async () => {
    const { request, host, conversation } = await setUp();
    await request("locked");
    expect(conversation.state.knobs.mode).toBe("locked");
    expect(host.toasts).toEqual([expect.stringContaining("locked")]);
    expect(host.stored.get(ROOT)?.metadata[SNAPSHOT_KEY]).toMatchObject({ knobs: { mode: "locked" } });
  });

  it("is shown, asks no model, and holds up no later turn", async () => {
    const { request, shown, wakes, host, conversation } = await setUp();
    await request("gaia-findings");
    await request("gaia-check");
    await vi.waitFor(() => {
      expect(shown().join("\n")).toContain("no Definition of Done is configured");
    });
    expect(shown()[0]).toMatch(/^ses_root: \/gaia-findings\n/);
    expect(conversation.busy).toBe(false);
    expect(wakes).not.toHaveBeenCalled();
    expect(host.prompts).toEqual([]);
  });

  it("tells the status in the snapshot, for the panel's own dialog", async () => {
    const { request, notes, host } = await setUp();
    await request("gaia-status");
    await vi.waitFor(() => {
      expect(JSON.stringify(host.stored.get(ROOT)?.metadata)).toContain("nothing waits for you");
    });
    expect(notes).not.toHaveBeenCalled();
  });

  it("that is refused says why, and stands in the prompt again where there is something to mend", async () => {
    const { request, host, prefilled } = await setUp();
    await request("cadence weekly");
    await request("gaia-unify");
    expect(host.toasts).toEqual([
      expect.stringContaining("possible: step"),
      expect.stringContaining("work unit"),
    ]);
    expect(prefilled.mock.calls).toEqual([["/cadence weekly"]]);
  });

  it("ends what is at work, in the background as well", async () => {
    const { request, conversation, host } = await setUp();
    await request("gaia-stop");
    const control = new AbortController();
    conversation.parts.runs.begin({ unit: "sum", callId: keyed("call"), control, rests: true });
    await request("gaia-stop");
    expect(control.signal.aborted).toBe(true);
    expect(conversation.state.pause?.reason).toBe("abort");
    expect(host.toasts).toEqual(["Nothing is at work.", "Stopped: the plan of sum."]);
  });

  it("sends GAIA on where a model has to do the rest", async () => {
    const { request, wakes, handlers } = await setUp();
    for (const status of ["busy", "idle"] as const)
      await handlers["host-event"]?.({ type: "session.status", sessionId: ROOT, status });
    await request("gaia-why nowhere");
    await vi.waitFor(() => {
      expect(wakes.mock.calls[0]?.[2]).toContain("Nothing was found in the record");
    });
  });

  it("is one of a session in which the user speaks with a specialist, too, and shown there", async () => {
    const { request, conversation, host, shown, wakes } = await setUp();
    await request("talk minerva");
    const talk = [...host.stored.keys()].findLast((id) => id.startsWith("ses_") && /\d$/.test(id)) ?? "";
    await request("locked", talk);
    expect(conversation.state.knobs.mode).toBe("locked");
    await request("gaia-findings", talk);
    expect(shown().at(-1)).toMatch(new RegExp(`^${talk}: /gaia-findings`));
    expect(wakes).not.toHaveBeenCalled();
  });

  it("is none of a specialist's own session", async () => {
    const { request, conversation, host, runtime } = await setUp();
    const child = sessionOf("ses_child", { parentId: ROOT, metadata: { gaia_child: { agent: "minerva" } } });
    host.stored.set(child.id, child);
    runtime.sessions.observe({ type: "session.created", session: child });
    await request("locked", child.id).catch(() => undefined);
    expect(conversation.state.knobs.mode).toBe("supervised");
  }, 10_000);

  it.each([
    ["autopilot", false],
    ["profile agentic_full", false],
    ["cadence milestone", false],
    ["locked", true],
    ["cadence step", true],
    ["pair", true],
  ])("loosens nothing while a specialist runs: %s", async (command, isTaken) => {
    const { request, conversation, host } = await setUp();
    conversation.dispatch({ type: "delegation-started", sessionId: "child" });
    const before = conversation.state.knobs;
    await request(command);
    if (isTaken) expect(conversation.state.knobs).not.toEqual(before);
    else expect(conversation.state.knobs).toEqual(before);
    expect(host.toasts.some((toast) => toast.includes("while a specialist works"))).toBe(!isTaken);
  });
});

describe("a command in a message to another agent", () => {
  const typed = async (name: string, agent: string, sessionId = ROOT) => {
    const { handlers, conversation } = await setUp();
    const sent: string[] = [];
    const command = { sessionId, name, argumentText: "deep_repo", send: (text: string) => sent.push(text) };
    await handlers["command-typed"]?.(command);
    const given = { sessionId, agent, text: sent[0] ?? "Review it", tool: "bash", effect: COMMAND };
    const { payload, changes } = payloadOf("user-message", given);
    await handlers["user-message"]?.(payload);
    return { sent, told: changes.flat().join("\n"), depth: conversation.state.knobs.reviewDepth };
  };

  it("is OpenCode's own where OpenCode has one, in GAIA's conversation as well", async () => {
    expect(await typed("review", "build")).toEqual({ sent: [], told: "", depth: "diff" });
    expect(await typed("review", "build", NATIVE)).toMatchObject({ sent: [], told: "" });
    const { sent, told, depth } = await typed("review", "gaia");
    expect([sent, depth]).toEqual([[], "deep_repo"]);
    expect(told).toContain("/review deep_repo");
  });

  it("changes nothing otherwise, and says so", async () => {
    const { told } = await typed("locked", "build");
    expect(told).toContain("nothing was changed");
  });
});
