import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { defaultConfig } from "../../../src/config/defaults.ts";
import type { FindingType } from "../../../src/config/findings.ts";
import { initialState } from "../../../src/conversation/collaboration/state.ts";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import { findingStanding } from "../../../src/extras/findings/findings.ts";
import { fillEnvelope } from "../../../src/delegation/read-result.ts";
import { createTask, ended } from "../../../src/delegation/task.ts";
import type { Extras } from "../../../src/runtime.ts";
import { createRedactor } from "../../../src/lib/redaction.ts";
import { sessionOf } from "../../support/fake-host.ts";
import { createTestServices, openConversation, type TestServices } from "../../support/services.ts";
import { DEFAULTS } from "../../conversation/collaboration/session.ts";

const SECRET = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789";
const LOOK_MS = 5_000;
let directory: string;
let services: TestServices;
let conversation: Conversation;
let findings: Extras["findings"];
let sent: string[];

async function open(given: Partial<TestServices> = {}): Promise<void> {
  services = createTestServices({ redact: createRedactor({ KEY: SECRET }), ...given }, directory);
  services.host.stored.set("root", sessionOf("root"));
  services.host.sessions.wake = async (_session, _speaker, text) => {
    sent.push(text);
  };
  ({
    conversation,
    extras: { findings },
  } = await openConversation(services));
}
const autostart = (...types: FindingType[]): Partial<TestServices> => ({
  findings: { enabled: true, ask: false, autostart: types },
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "gaia-findings-"));
  sent = [];
});
afterEach(async () => {
  conversation.dispose();
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
});

/** As it is after a restart. */
const copied = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;
const reported = (id: string, what: string, type: FindingType = "bug"): void => {
  const place = { parentId: "root", callId: id, sessionId: "ses_child", background: false, waveId: null };
  const origin = { agent: "hades", workUnit: null, sessionId: "ses_child", vcs: "git" } as const;
  const envelope = fillEnvelope(origin, { ok: true, data: {}, errors: [], outside: [{ id, type, what }] });
  const task = {
    ...createTask({ id, agent: "hades", title: "", workUnit: null, ...place }, 0),
    outcome: { ...ended("completed", ""), envelope },
  };
  conversation.each((part) => part.delegationFinished?.(task, false));
};
const status = (status: "busy" | "idle"): void =>
  conversation.each((part) => part.observe?.({ type: "session.status", sessionId: "root", status }, true));
const mode = (value: "locked" | "supervised" | "autopilot"): void =>
  conversation.dispatch({ type: "command", change: { knob: "mode", value } });
const report = async (id: string, type: FindingType = "bug"): Promise<void> => {
  const given = { id, type, scope: "", where: "", what: `What ${id} is`, by: "CI" };
  expect(await services.workspace.addFindings([given])).toMatchObject({ ok: true });
};
const file = async (): Promise<string> =>
  readFile(join(directory, ".gaia/findings.md"), "utf8").catch(() => "");
const rewrite = async (was: string, words: string): Promise<void> =>
  writeFile(join(directory, ".gaia/findings.md"), (await file()).replace(was, words));
const stateOf = async (id: string): Promise<string | undefined> => {
  const read = await services.workspace.readFindings();
  return read.ok ? read.findings.find((each) => each.id === id)?.state : read.error;
};
const until = async (id: string, state: string): Promise<void> =>
  vi.waitFor(async () => expect(await stateOf(id)).toBe(state), { timeout: 20_000, interval: 10 });
/** Its turn is over, and that is written of the finding. */
const ends = async (id: string, state: string): Promise<void> => {
  status("idle");
  await until(id, state);
};
/** Resolves when everything that was begun before is done. */
const settled = async (): Promise<void> => {
  await conversation.parts.workRecord.flush();
  await findings.flush?.();
};

describe("reports of specialists", () => {
  it("wait while locked, over a restart as well, without secrets", async () => {
    await open();
    mode("locked");
    reported("leak", `The log holds ${SECRET}.`, "security");
    await settled();
    expect(await file()).toBe("");
    const kept = copied(conversation.parts.workRecord.snapshot());
    expect(JSON.stringify(kept)).not.toContain(SECRET);
    await open();
    findings.restore?.("x");
    conversation.parts.workRecord.restore([3, null, { id: "x" }]);
    conversation.parts.workRecord.restore(kept);
    mode("supervised");
    await until("leak", "open");
    expect(await file()).toContain("The log holds [REDACTED:");
  });

  it.each<[string, Partial<TestServices>]>([
    ["findings", { findings: { enabled: false, ask: false, autostart: ["bug"] } }],
    ["capture", { capture: { ...defaultConfig().capture, enabled: false } }],
  ])("write nothing where %s are switched off", async (_what, given) => {
    await open(given);
    reported("a", "It is wrong.");
    status("idle");
    await settled();
    expect(await file()).toBe("");
  });

  it("that cannot be written are told, and written later", async () => {
    await open();
    await mkdir(join(directory, ".gaia"));
    await writeFile(join(directory, ".gaia/findings.md"), "<<<<<<< ours\n");
    reported("a", "It is wrong.");
    await settled();
    expect(services.host.toasts.join("\n")).toContain(
      "Findings wait to be written: .gaia/findings.md:1: unresolved",
    );
    await writeFile(join(directory, ".gaia/findings.md"), "");
    reported("b", "It is wrong as well.");
    await until("b", "open");
    expect(await stateOf("a")).toBe("open");
  });
});

describe("a finding that is begun", () => {
  it("is begun by one of two conversations, and not while locked", async () => {
    await open();
    await report("a");
    const { conversation: other, extras } = await openConversation(services, "other");
    services.host.stored.set("other", sessionOf("other"));
    const starts = await Promise.all([findings, extras.findings].map(async (each) => each.start("a")));
    expect(starts.filter((start) => "forModel" in start)).toHaveLength(1);
    expect(starts.find((start) => "why" in start)).toMatchObject({
      why: expect.stringMatching(
        /^a reads "started in (?:root|other)"\. Write open as its state in .gaia\/findings\.md to have/,
      ) as never,
    });
    other.dispose();
    await report("b");
    mode("locked");
    expect(await findings.start("b")).toMatchObject({
      why: expect.stringContaining("locked") as never,
    });
    expect(await stateOf("b")).toBe("open");
  });

  it("is written back by what was seen, over a restart as well, and never over a person's words", async () => {
    await open();
    await report("a");
    await findings.start("a");
    status("busy");
    expect(await findings.start("b")).toMatchObject({
      why: expect.stringContaining("at work") as never,
    });
    conversation.dispatch({ type: "blocked", reason: "The tests stand still.", nextStep: "Ask." });
    await until("a", "blocked: The tests stand still. Next: Ask.");
    await settled();
    const { lanes } = conversation.parts;
    const [begun, lane] = [copied(findings.snapshot?.()), copied(lanes.snapshot?.())];
    await open();
    findings.restore?.(begun);
    conversation.parts.lanes.restore?.(lane);
    conversation.dispatch({ type: "user-message", text: "Go on" });
    await ends("a", "claimed: nothing was changed");

    await findings.start("a");
    await rewrite("| started in root |", "| not ours |");
    status("idle");
    await settled();
    expect(await stateOf("a")).toBe("not ours");
  });

  it("that becomes a work unit says so, and is no more of its conversation's", async () => {
    await open();
    await report("a");
    await findings.start("a");
    await services.workspace.createWorkUnit({ slug: "unit-a", title: "a" });
    conversation.dispatch({ type: "work-unit-changed", workUnit: "unit-a" });
    await until("a", "claimed: it became the work unit unit-a");
    conversation.dispatch({ type: "blocked", reason: "The tests stand still.", nextStep: "Ask." });
    status("idle");
    await settled();
    expect(await stateOf("a")).toBe("claimed: it became the work unit unit-a");
  });

  it("is known to its conversation before its row says so, so that a crash leaves none that nobody ends", async () => {
    await open();
    await report("a");
    let kept: unknown;
    const { stateFinding } = services.workspace;
    vi.spyOn(services.workspace, "stateFinding").mockImplementation(async (change) => {
      kept ??= copied(findings.snapshot?.());
      return stateFinding(change);
    });
    await findings.start("a");
    vi.restoreAllMocks();
    expect(await stateOf("a")).toBe("started in root");
    await open();
    findings.restore?.(kept);
    await ends("a", "claimed: nothing was changed");
    // Killed before the row was written, nothing comes of it.
    await report("b");
    await open();
    findings.restore?.({ id: "b", state: "started in root" });
    status("idle");
    await settled();
    expect(await stateOf("b")).toBe("open");
  });

  it("is open again once its user has other work done, and theirs who begins it next", async () => {
    await open();
    await report("a");
    await findings.start("a");
    const kept = copied(findings.snapshot?.());
    await open();
    findings.restore?.(kept);
    conversation.userSpoke("message");
    await until("a", "open: its session went on to other work");
    const { conversation: other, extras } = await openConversation(services, "other");
    expect(await extras.findings.start("a")).toHaveProperty("forModel");
    other.dispose();
    findings.restore?.(kept);
    status("idle");
    await settled();
    expect(await stateOf("a")).toBe("started in other");
  });

  it("is proven by no more than what came after it", async () => {
    await open();
    await report("a");
    conversation.parts.lanes.restore?.({
      name: "bug",
      isSaid: true,
      standing: { kind: "proven", by: "`true`" },
    });
    await findings.start("a");
    status("idle");
    await settled();
    expect(await stateOf("a")).toBe("claimed: nothing was changed");
  });
});

describe("autopilot", () => {
  const TODO = { type: "todos.updated", sessionId: "root", open: 1, total: 1 } as const;
  const idle = async (): Promise<void> => {
    status("busy");
    status("idle");
    await settled();
  };

  it("begins only what the user lets it, one after the other, and what CI reports meanwhile", async () => {
    await open(autostart("lint"));
    mode("autopilot");
    await report("a", "cosmetic");
    await report("b", "bug");
    await idle();
    expect(sent).toEqual([]);
    await report("c", "lint");
    await report("d", "lint");
    await services.clock.advance(LOOK_MS);
    await until("c", "started in root");
    await vi.waitFor(() => expect(sent).toEqual([expect.stringContaining('"id":"c"')]));
    await services.clock.advance(LOOK_MS);
    await settled();
    expect(await stateOf("d")).toBe("open");
    await idle();
    await until("d", "started in root");
    expect(await stateOf("c")).toBe("claimed: nothing was changed");
    expect([await stateOf("a"), await stateOf("b")]).toEqual(["noted", "open"]);
  });

  it("gives back what it could not go on with", async () => {
    await open(autostart("bug"));
    mode("autopilot");
    await report("a");
    vi.spyOn(services.bounds, "beginTurn").mockReturnValue(false);
    await idle();
    expect(await stateOf("a")).toBe("open");
    expect(sent).toEqual([]);
    expect(conversation.parts.lanes.now()).toBeNull();
  });

  it.each<[string, () => void]>([
    ["supervised", () => mode("supervised")],
    ["locked", () => mode("locked")],
    [
      "pairing",
      () => conversation.dispatch({ type: "command", change: { knob: "interaction", value: "pair" } }),
    ],
    ["stopped", () => conversation.dispatch({ type: "blocked", reason: "No.", nextStep: "Ask." })],
    ["her own list has todos", () => conversation.each((part) => part.observe?.(TODO, true))],
  ])("alone begins by itself: nothing while %s", async (_what, set) => {
    await open(autostart("bug"));
    mode("autopilot");
    await report("a");
    set();
    await idle();
    await services.clock.advance(LOOK_MS);
    await settled();
    expect(await stateOf("a")).toBe("open");
  });
});

describe("what came of a finding", () => {
  const state = initialState("root", DEFAULTS, 0);
  const paused = (reason: "abort" | "budget") => ({
    ...state,
    pause: { reason, detail: "", sessionId: null, checkinDue: false },
  });
  const over = { blocked: "", isAtWork: false, state, standing: null, unit: null };
  const proven = { kind: "proven", by: "`npm test`" } as const;
  const claimed = { kind: "claimed", why: "`npm test` fails" } as const;
  it.each<[string | null, Partial<Parameters<typeof findingStanding>[0]>]>([
    ["done: proven by `npm test`", { standing: proven }],
    ["claimed: `npm test` fails", { standing: claimed }],
    ["claimed: nothing was changed", {}],
    ["claimed: you stopped it", { state: paused("abort"), standing: proven }],
    ["blocked: No way. Ask.", { blocked: "No way. Ask.", isAtWork: true }],
    [null, { standing: proven, isAtWork: true }],
    [null, { standing: proven, state: paused("budget") }],
    ["claimed: it became the work unit one", { unit: "one", blocked: "No way. Ask.", isAtWork: true }],
  ])("is %j", (words, facts) => {
    expect(findingStanding({ ...over, ...facts })).toBe(words);
  });
});
