import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createContinuation } from "../../../src/conversation/continuation/continuation.ts";
import type { ConversationCore } from "../../../src/conversation/core.ts";
import type { Part } from "../../../src/conversation/part.ts";
import { initialState, type CollaborationState } from "../../../src/conversation/collaboration/state.ts";
import type { HostEvent } from "../../../src/host/port.ts";
import { createWorkspace, type Workspace } from "../../../src/workspace/workspace.ts";
import { DEFAULTS } from "../collaboration/session.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { createFakeHost, sessionOf } from "../../support/fake-host.ts";
import { createTestServices } from "../../support/services.ts";
import { keyed } from "../../support/keyed.ts";

const ROOT = "root";
let continuation: Part;
let sent: string[];
let state: CollaborationState;
let isRunning: boolean;
let isOpen: boolean;
let workspace: Workspace;

beforeEach(async () => {
  const host = createFakeHost();
  const clock = createFakeClock();
  const directory = await mkdtemp(join(tmpdir(), "gaia-continuation-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  workspace = createWorkspace({ directory, clock, logger: host.logger });
  host.stored.set(ROOT, sessionOf(ROOT));
  sent = [];
  isOpen = true;
  state = initialState(ROOT, DEFAULTS, 0);
  const conversation = {
    rootId: ROOT,
    get state() {
      return state;
    },
    tasks: () => [],
    canAsk: async () => true,
    speaker: () => ({ agent: "gaia", model: null }),
  } as Partial<ConversationCore> as ConversationCore;
  const delivery = {
    nudge(text: string) {
      if (isOpen) sent.push(text);
      return isOpen;
    },
  };
  const services = createTestServices({ host, clock, workspace });
  isRunning = false;
  continuation = createContinuation(conversation, services, delivery, { isUnderWay: () => isRunning });
});

const todos = (open: number): HostEvent => ({ type: "todos.updated", sessionId: ROOT, open, total: 3 });
const worked: HostEvent = {
  type: "tool.activity",
  sessionId: ROOT,
  messageId: "m",
  partId: "p",
  callId: keyed("c"),
  tool: "delegate_gaia",
  kind: "other",
  status: "running",
  title: "",
};
const idle: HostEvent = { type: "session.status", sessionId: ROOT, status: "idle" };
const finished = (isAnswer = true): HostEvent => ({
  type: "message.finished",
  sessionId: ROOT,
  messageId: "m",
  isAnswer,
  tokens: { input: 0, output: 0, cached: 0 },
  cost: 0,
});
const said = (text: string): HostEvent => ({
  type: "text.finished",
  sessionId: ROOT,
  messageId: "m",
  partId: "p",
  text,
});

async function turn(...events: HostEvent[]): Promise<number> {
  for (const event of [...events, idle, idle]) continuation.observe?.(event, true);
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  return sent.length;
}

describe("continuation", () => {
  it("sends one nudge for a turn, and none for the turn that comes of it", async () => {
    expect(await turn(todos(2), worked, finished())).toBe(1);
    expect(await turn(worked, finished())).toBe(1);
    continuation.userSpoke?.("message");
    expect(await turn(worked, finished())).toBe(2);
  });

  it("sends nobody on while a plan is carried out", async () => {
    isRunning = true;
    expect(await turn(todos(2), worked, finished())).toBe(0);
    isRunning = false;
    expect(await turn(worked, finished())).toBe(1);
  });

  it("goes on after results of background tasks, twice at most until the user speaks", async () => {
    expect(await turn(todos(1), worked, finished())).toBe(1);
    for (const expected of [2, 2, 2]) {
      continuation.resultsDelivered?.();
      expect(await turn(worked, finished())).toBe(expected);
    }
  });

  it.each<[string, () => HostEvent[]]>([
    ["a turn that was cut off", () => [todos(1), worked, finished(false)]],
    ["a turn without an end", () => [todos(1), worked]],
    ["an answer that began no work", () => [todos(1), finished()]],
    ["nothing open", () => [todos(0), worked, finished()]],
    ["a question", () => [todos(1), worked, said("It stands.\nShall I go on?"), finished()]],
  ])("is silent after %s", async (_name, events) => {
    expect(await turn(...events())).toBe(0);
  });

  it.each<[string, Partial<CollaborationState>]>([
    ["a locked session", { knobs: { ...initialState(ROOT, DEFAULTS, 0).knobs, mode: "locked" } }],
    ["a pair session", { knobs: { ...initialState(ROOT, DEFAULTS, 0).knobs, interaction: "pair" } }],
    ["a stop", { pause: { reason: "abort", detail: "", sessionId: null, checkinDue: false } }],
    ["a check-in", { pause: { reason: "wave", detail: "", sessionId: null, checkinDue: false } }],
  ])("is silent in %s", async (_name, change) => {
    state = { ...state, ...change };
    expect(await turn(todos(1), worked, finished())).toBe(0);
  });

  it("counts the tasks of a plan that is being carried out, not of one that waits to be begun", async () => {
    const tasks = "## Tasks\n\n- [ ] 1. Write it\n- [ ] 2. Test it\n";
    await workspace.createWorkUnit({ slug: "unit", title: "A unit" });
    await workspace.updatePlan({ slug: "unit", markdown: tasks, status: "approved" });
    state = { ...state, workUnit: "unit" };
    await turn(worked, finished());
    await workspace.updatePlan({ slug: "unit", tick: ["1"] });
    await turn(worked, finished());
    await vi.waitFor(() => {
      expect(sent).toEqual(["Still open: 1 plan task. Go on, or say why you stop."]);
    });
  });

  it("does not count a nudge that could not be sent", async () => {
    isOpen = false;
    expect(await turn(todos(1), worked, finished())).toBe(0);
    isOpen = true;
    expect(await turn(worked, finished())).toBe(1);
  });
});
