import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FindingType } from "../../../src/config/findings.ts";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import { createTask, ended } from "../../../src/delegation/task.ts";
import type { HostSession } from "../../../src/host/port.ts";
import type { Extras } from "../../../src/runtime.ts";
import { createRedactor } from "../../../src/lib/redaction.ts";
import { sessionOf } from "../../support/fake-host.ts";
import { openFolder } from "../../support/directory.ts";
import { createTestServices, openConversation, type TestServices } from "../../support/services.ts";

const SECRET = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789";
const LOOK_MS = 5_000;
let directory: string;
let services: TestServices;
let conversation: Conversation;
let findings: Extras["findings"];
let sent: string[];

async function open(given: Partial<TestServices> = {}): Promise<void> {
  services = createTestServices({ redact: createRedactor({ KEY: SECRET }), ...given }, directory);
  if (given.host === undefined) services.host.stored.set("root", sessionOf("root"));
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
  directory = await openFolder();
  sent = [];
});
afterEach(() => conversation.dispose());

/** As it is after a restart. */
const reported = (id: string, what: string, type: FindingType = "bug"): void => {
  const place = { parentId: "root", callId: id, sessionId: "ses_child", background: false, waveId: null };
  const envelope = { ok: true, data: {}, errors: [], outside: [{ id, type, what }] };
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
const file = async () => readFile(join(directory, ".gaia/findings.md"), "utf8").catch(() => "");
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

it("reports of specialists wait while locked, over a restart as well, without secrets", async () => {
  await open();
  mode("locked");
  reported("leak", `The log holds ${SECRET}.`, "security");
  await settled();
  expect(await file()).toBe("");
  await conversation.mirrored();
  expect(JSON.stringify(services.host.stored.get("root"))).not.toContain(SECRET);
  await open({ host: services.host });
  mode("supervised");
  await until("leak", "open");
  expect(await file()).toContain("The log holds [REDACTED:");
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
    await conversation.mirrored();
    await open({ host: services.host });
    conversation.dispatch({ type: "user-message", text: "Go on" });
    await ends("a", "claimed: nothing was changed");

    await findings.start("a");
    await rewrite("| started in root |", "| not ours |");
    status("idle");
    await settled();
    expect(await stateOf("a")).toBe("not ours");
  });

  it("is known to its conversation before its row says so, so that a crash leaves none that nobody ends", async () => {
    await open();
    await report("a");
    const { host } = services;
    let kept: HostSession | undefined;
    const { stateFinding } = services.workspace;
    vi.spyOn(services.workspace, "stateFinding").mockImplementation(async (change) => {
      kept ??= structuredClone(host.stored.get("root"));
      return stateFinding(change);
    });
    await findings.start("a");
    vi.restoreAllMocks();
    expect(await stateOf("a")).toBe("started in root");
    if (kept !== undefined) host.stored.set("root", kept);
    await open({ host });
    await ends("a", "claimed: nothing was changed");
    // Killed before the row was written, nothing comes of it.
    await report("b");
    vi.spyOn(services.workspace, "stateFinding").mockImplementation(async () => {
      kept = structuredClone(host.stored.get("root"));
      throw new Error("killed");
    });
    await expect(findings.start("b")).rejects.toThrow("killed");
    vi.restoreAllMocks();
    if (kept !== undefined) host.stored.set("root", kept);
    await open({ host });
    status("idle");
    await settled();
    expect(await stateOf("b")).toBe("open");
  });
});

describe("autopilot", () => {
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
});
