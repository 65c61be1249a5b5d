import { describe, expect, it } from "vitest";
import { renderEnd } from "../../../src/conversation/delegations/end-line.ts";
import { readCases } from "../../support/cases.ts";
import { clockTime } from "../../../src/lib/figures.ts";
import { createTask, ended, type Task, type TaskOutcome } from "../../../src/delegation/task.ts";

const NEW = { id: "t", agent: "scout", parentId: "root", callId: "c", sessionId: "s", background: false };
const end = (outcome: TaskOutcome, rest: Partial<Task> = {}) =>
  renderEnd(
    {
      ...createTask({ ...NEW, title: "Map the form", workUnit: null, waveId: null }, 0),
      startedAt: 1_000,
      endedAt: 4_000,
      tokens: { input: 4_000, output: 300, cached: 9 },
      cost: 0.024,
      outcome,
      ...rest,
    },
    9_000,
  );
const FACTS = "scout › Map the form · 3 s · 4.3k tokens · $0.02";

describe("the line that a delegation ends in", () => {
  it.each(readCases<{ outcome: TaskOutcome; line: string }>("conversation/delegations/end-line"))(
    "says of $name how it went",
    ({ outcome, line }) => {
      expect(end(outcome).line).toBe(line);
    },
  );

  it("names the error of the agent's own model and what failed behind it, not what a model is to do about it", () => {
    const attempt = (model: string, message: string) =>
      ({ model, failure: "auth", message, duration_ms: 1 }) as const;
    const { line, mark } = end(ended("failed", "No model could finish this. Resume with session_id."), {
      attempts: [attempt("a/b", "Incorrect key"), attempt("a/c", "not found"), attempt("a/c", "again")],
    });
    expect(mark).toBe("✗");
    expect(line).toBe(`✗ ${FACTS} · Incorrect key; a/c failed too`);
  });

  it("says until when its provider answers nobody", () => {
    const attempt = (until: number) =>
      ({ model: "a/b", failure: "quota", message: "slow down", duration_ms: 1, until }) as const;
    const { line } = end(ended("failed", "No model could finish this."), {
      attempts: [attempt(7_200_000), attempt(3_600_000)],
    });
    expect(line).toBe(`✗ ${FACTS} · limited until ${clockTime(3_600_000)}: slow down`);
  });

  it("tells small sums, and a task that never began", () => {
    expect(end(ended("completed", ""), { cost: 0.0042 }).line).toContain("$0.0042");
    expect(end(ended("cancelled", "Cancelled."), { startedAt: null, endedAt: null }).line).toContain("9 s");
  });
});
