import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { initialState, snapshotState } from "../../src/conversation/collaboration/state.ts";
import { PANEL_KEY, PANEL_VERSION, SNAPSHOT_KEY } from "../../src/conversation/display/metadata-keys.ts";
import { snapshotPanel } from "../../src/conversation/display/panel-snapshot.ts";
import { reduceTask } from "../../src/delegation/task.ts";
import { panelLines } from "../../src/tui/panel-lines.ts";
import { readPanel } from "../../src/tui/panel-model.ts";
import { taskOf } from "../support/task.ts";
import { DEFAULTS } from "../conversation/collaboration/session.ts";

const state = initialState("root", DEFAULTS, 0);
const facts = {
  messages: {},
  lane: "quick-fix",
  worktrees: "1 at work",
  waits: "2 noticed",
  news: ["One thing"],
  limits: "↻ minerva limited until 15:04:12",
  unit: { slug: "signup", done: 1, total: 3 },
  check: { passed: true, text: "2 of 2 checks" },
  stage: "planning" as const,
  status: { request: "1", text: "GAIA" },
  wait: { until: 5_000, why: "Too many requests" },
};
const started = reduceTask(taskOf({ sessionId: "s1" }), { type: "started", at: 1_000, model: "a/one" });

describe("reading what the server plugin wrote", () => {
  it("gives back what was written, over JSON", () => {
    const tokens = { input: 5, output: 2, cached: 9 };
    const tasks = [reduceTask(started, { type: "spent", at: 2, tokens, cost: 0 })];
    const panel = snapshotPanel(state, DEFAULTS, tasks, facts, 2_000);
    const written = { [SNAPSHOT_KEY]: snapshotState(state), [PANEL_KEY]: panel };
    const { lane, worktrees, limits, waits, news, messages: _messages, ...shown } = facts;
    const toned = (text: string) => ({ text, tone: text === limits ? "warning" : "muted" });
    const task = {
      agent: "minerva",
      session: "s1",
      state: "running",
      model: "a/one",
      since: 1_000,
      tokens: 7,
    };
    expect(readPanel(JSON.parse(JSON.stringify(written)), "root")).toEqual({
      ...shown,
      version: PANEL_VERSION,
      told: [lane, worktrees, limits, waits, ...news].map(toned),
      knobs: state.knobs,
      wave: null,
      pause: null,
      tasks: [{ ...task, why: "", until: null, silent: null }],
      more: 0,
      budgets: [],
    });
  });

  it("is nothing in a session that is not GAIA's", () => {
    for (const metadata of [undefined, null, {}, "x", { other: 1 }, { [PANEL_KEY]: {} }]) {
      expect(readPanel(metadata, "root")).toBeNull();
    }
    expect(readPanel({ [SNAPSHOT_KEY]: snapshotState(state) }, "a fork")).toBeNull();
  });

  it("shows the settings before the rest was written, and never throws over what another version wrote", () => {
    const early = readPanel({ [SNAPSHOT_KEY]: { ...snapshotState(state), workUnit: "signup" } }, "root");
    const unit = { slug: "signup", total: 0 };
    expect(early).toMatchObject({ knobs: { mode: "supervised" }, unit, tasks: [] });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything()), fc.anything(), (snapshot, panel) => {
        const written = { [SNAPSHOT_KEY]: { ...snapshot, rootSession: "root" }, [PANEL_KEY]: panel };
        const model = readPanel(written, "root");
        expect(model === null ? [] : panelLines(model, 0)).toBeInstanceOf(Array);
      }),
    );
  });

  it("says since when a model says nothing, and nothing of one whose tool takes long", () => {
    const silent = (task: typeof started, now: number): unknown =>
      snapshotPanel(state, DEFAULTS, [task], facts, now).tasks[0]?.silent;
    const label = { type: "activity", at: 2_000, label: "bash" } as const;
    const [heard, atTool] = [label, { ...label, callId: "c", running: true }].map((event) =>
      reduceTask(started, event),
    );
    expect(heard && silent(heard, 61_999)).toBeNull();
    expect(heard && silent(heard, 62_000)).toBe(2_000);
    expect(atTool && silent(atTool, 900_000)).toBeNull();
  });

  it("is small, whatever goes in", () => {
    const long = "x".repeat(100_000);
    const tasks = Array.from({ length: 100 }, (_, n) =>
      taskOf({ agent: long, id: `t${n}`, sessionId: `s${n}` }),
    );
    const full = { ...facts, status: { request: "1", text: long } };
    const { status, ...lasting } = snapshotPanel({ ...state, workUnit: long }, DEFAULTS, tasks, full, 0);
    // The answer to a request is most of it, and is taken away when the user speaks.
    expect(JSON.stringify(lasting).length).toBeLessThan(7_500);
    expect(status?.text.length).toBe(12_000);
  });
});
