import { expect, it } from "vitest";
import { initialState } from "../../../src/conversation/collaboration/state.ts";
import { renderStatus, type StatusFacts } from "../../../src/conversation/display/status.ts";
import { reduceTask, type Task } from "../../../src/delegation/task.ts";
import { taskOf } from "../../support/task.ts";
import { createConfigSchema } from "../../../src/config/schema.ts";

const defaults = createConfigSchema([]).parse({});
const MINUTE = 60_000;
const task = (agent: string, at: number): Task =>
  reduceTask(taskOf({ id: agent, agent, sessionId: `ses_${agent}` }, at), {
    type: "started",
    at,
    model: null,
  });
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

it("the status says that there is nothing where there is nothing", () => {
  const text = renderStatus(facts());
  expect(text).toContain("work unit none · wave none");
  expect(text).toContain("running: nobody");
  expect(text).toContain("checks: not run since OpenCode started");
  expect(text).toContain("40 of 40 tool calls, 20 of 20 minutes");
  expect(text).not.toContain("tasks done");
});

it("the status says first what is wrong, the gravest first, and what waits for the user", () => {
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
      checks: { at: 9 * MINUTE, summary: "tests fail", passed: false, known: [] },
      // The second of aether's tasks has put the first right.
      tasks: [
        end("aether", "failed", MINUTE),
        end("aether", "completed", MINUTE),
        end("artemis", "failed", 3_000),
      ],
      assumptions: [{ text: "sessions use JWT", confidence: 0.9, agent: "minerva" }],
      left: ["`git push`: reaches beyond the project"],
      stage: "planning",
      state: {
        ...state,
        pause: { reason: "batch", detail: "", sessionId: null },
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
  expect(text).toContain("assumed, not confirmed by you: sessions use JWT (minerva, 0.9)");
  expect(text.match(/tests fail|leaks/g)).toHaveLength(2);
  expect(renderStatus(facts())).toMatch(/^GAIA\n- nothing is wrong\n- nothing waits for you\n/);
});
