import { describe, expect, it } from "vitest";
import { initialState } from "../../../src/conversation/collaboration/state.ts";
import { renderStatus, type StatusFacts } from "../../../src/conversation/display/status.ts";
import { createTask, reduceTask, type Task } from "../../../src/delegation/task.ts";
import { createConfigSchema } from "../../../src/config/schema.ts";

const defaults = createConfigSchema([]).parse({});
const MINUTE = 60_000;
const task = (agent: string, at: number): Task =>
  reduceTask(
    createTask(
      {
        id: agent,
        agent,
        parentId: "root",
        callId: "c",
        sessionId: `ses_${agent}`,
        background: false,
        workUnit: null,
        waveId: null,
      },
      at,
    ),
    { type: "started", at, model: null },
  );
const facts = (rest: Partial<StatusFacts> = {}): StatusFacts => ({
  state: initialState("root", defaults, 0),
  defaults,
  plan: null,
  planError: "",
  standstill: null,
  tasks: [],
  checks: null,
  evidence: "",
  left: [],
  debt: [],
  leftTasks: [],
  assumptions: [],
  stage: null,
  wait: null,
  held: null,
  yours: "",
  lane: null,
  worktrees: null,
  branch: null,
  now: 10 * MINUTE,
  ...rest,
});

describe("the status", () => {
  it("says that there is nothing where there is nothing", () => {
    const text = renderStatus(facts());
    expect(text).toContain("work unit none · wave none");
    expect(text).toContain("running: nobody");
    expect(text).toContain("checks: not run since OpenCode started");
    expect(text).toContain("40 of 40 tool calls, 20 of 20 minutes");
    expect(text).not.toContain("tasks done");
  });

  it("says first until when GAIA's provider makes her wait", () => {
    const until = new Date(2026, 0, 2, 3, 4, 5).getTime();
    const text = renderStatus(facts({ wait: { until, why: "Too many" } }));
    expect(text).toContain(
      "GAIA\n- ✗ GAIA's provider makes her wait until 03:04:05, then she goes on by herself: Too many\n",
    );
    expect(text).not.toContain("nothing is wrong");
  });

  it("tells what reviewers noted and nobody fixed", () => {
    expect(renderStatus(facts())).not.toContain("noted in reviews");
    expect(renderStatus(facts({ debt: ["a.ts:1: old (hades)", "b.ts:2: newer (aether)"] }))).toContain(
      "- noted in reviews, not fixed: 2; newest: b.ts:2: newer (aether)",
    );
  });

  it("tells how far the plan has come and what is next", () => {
    const tasks = [
      { number: 1, text: "Write it", done: true, needs: [], skills: [], details: "" },
      { number: 2, text: "Test it", done: false, needs: [], skills: [], details: "" },
    ];
    const plan = { slug: "limits", status: "in-progress", tasks, standing: "approved" } as const;
    const text = renderStatus(facts({ plan }));
    expect(text).toContain("work unit limits, the project's; this conversation has none · wave none");
    expect(text).toContain("plan in-progress · 1 of 2 tasks done · next: 2. Test it");
    expect(text).toContain("nothing is wrong");
    const state = { ...initialState("root", defaults, 0), workUnit: "limits" };
    const refused = renderStatus(facts({ state, plan: { ...plan, standing: "rejected" } }));
    expect(refused).toContain("work unit limits · wave none");
    expect(refused).toMatch(/^GAIA\n- ✗ you said no to the plan of limits: say what to change/);
    expect(refused).not.toContain("next: 2.");
    expect(renderStatus(facts({ state, plan: { ...plan, standing: "changed" } }))).toContain(
      "✗ the plan of limits was changed since you approved it",
    );
    const still = { state, plan, standstill: "Task 2 is not done: `x` fails" };
    expect(renderStatus(facts(still))).toMatch(
      /^GAIA\n- ✗ the plan of limits is carried out no further: Task 2 is not done: `x` fails\n- mode/,
    );
    const over = { ...plan, tasks: tasks.map((each) => ({ ...each, done: true })) };
    expect(renderStatus(facts({ ...still, plan: over }))).toContain("nothing is wrong");
  });

  it("names who is at work, for how long and on what, and nobody who is done", () => {
    const busy = reduceTask(task("artemis", 8 * MINUTE), {
      type: "activity",
      at: 9 * MINUTE,
      label: "bash: npm test",
    });
    const outcome = { status: "completed", message: "", envelope: null, parseError: null, text: "" } as const;
    const done = reduceTask(task("minerva", 0), { type: "ended", at: MINUTE, outcome });
    const text = renderStatus(facts({ tasks: [busy, done] }));
    expect(text).toContain("running: artemis, 2 min 0 s (bash: npm test)");
    expect(text).not.toContain("minerva");
  });

  it("shows what is left of the budgets and the newest checks", () => {
    const { state } = facts();
    const spent = { toolCalls: 41, failures: 1, activeMs: 90_000 };
    const checks = { at: 9 * MINUTE, summary: "Definition of Done passed", passed: true };
    const text = renderStatus(facts({ state: { ...state, spent }, checks }));
    expect(text).toContain("2 of 3 consecutive failures, 0 of 40 tool calls, 19 of 20 minutes");
    expect(text).toContain("checks 1 min 0 s ago: Definition of Done passed");
  });

  it("shows the kind of work, where it is known", () => {
    expect(renderStatus(facts({ lane: "bug · cause found" }))).toContain("- kind of work: bug · cause found");
    expect(renderStatus(facts())).not.toContain("kind of work");
  });

  it("says first what is wrong, the gravest first, and what waits for the user", () => {
    const { state } = facts();
    const end = (agent: string, status: "failed" | "completed", at: number): Task =>
      reduceTask(task(agent, 0), {
        type: "ended",
        at,
        outcome: { status, message: "It broke. Try again.", envelope: null, parseError: null, text: null },
      });
    const text = renderStatus(
      facts({
        held: "too many requests",
        checks: { at: 9 * MINUTE, summary: "tests fail", passed: false },
        // The second of aether's tasks has put the first right.
        tasks: [
          end("aether", "failed", MINUTE),
          end("aether", "completed", MINUTE),
          end("artemis", "failed", 3_000),
        ],
        left: ["`git push`: reaches beyond the project"],
        stage: "planning",
        state: {
          ...state,
          pause: { reason: "batch", detail: "", sessionId: null, checkinDue: false },
          verdicts: [
            {
              workUnit: "",
              reviewer: "hades",
              role: "reviewer",
              verdict: "REJECT",
              reason: "leaks",
              findings: [],
              at: 0,
              standing: "open",
            },
          ],
        },
      }),
    );
    expect(text.split("\n").slice(1, 8)).toEqual([
      "- ✗ stopped until you write: too many requests",
      "- ✗ checks 1 min 0 s ago: tests fail",
      "- ✗ review of the work: REJECT by hades (not fixed): leaks",
      "- ✗ artemis · 3 s · 0 tokens · $0.00 · It broke",
      "- ✗ left for you: `git push`: reaches beyond the project",
      "- waits for you: check-in (batch) · /next goes on",
      "- planning: nothing is carried out before you approve the plan · /gaia-plan --cancel leaves it",
    ]);
    expect(text.match(/tests fail|leaks/g)).toHaveLength(2);
    expect(renderStatus(facts())).toMatch(/^GAIA\n- nothing is wrong\n- nothing waits for you\n/);
  });

  it("says why GAIA does not go on", () => {
    expect(renderStatus(facts({ held: "4 model turns are the bound" }))).toContain(
      "- ✗ stopped until you write: 4 model turns are the bound",
    );
    expect(renderStatus(facts())).not.toContain("stopped");
  });
});
