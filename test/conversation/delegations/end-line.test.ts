import { describe, expect, it } from "vitest";
import { renderEnd } from "../../../src/conversation/delegations/end-line.ts";
import { clockTime } from "../../../src/lib/figures.ts";
import { createTask, ended, type Task, type TaskOutcome } from "../../../src/delegation/task.ts";

const NEW = { id: "t", agent: "scout", parentId: "root", callId: "c", sessionId: "s", background: false };
const envelope = (rest: object) =>
  ({ ok: true, data: {}, errors: [], agent: "scout", ...rest }) as unknown as TaskOutcome["envelope"];
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
  it.each<[string, TaskOutcome, string]>([
    ["one that went well", ended("completed", ""), `✓ ${FACTS}`],
    [
      "one that stopped short",
      ended("partial", "It was ended: 40 requests were made. What it had is here. Resume with session_id."),
      `◐ ${FACTS} · 40 requests were made`,
    ],
    [
      "one whose answer does not fit",
      { ...ended("partial", ""), parseError: "data: required" },
      `◐ ${FACTS} · its answer does not fit its contract`,
    ],
    [
      "one that says no",
      { ...ended("completed", ""), envelope: envelope({ ok: false, errors: ["no access", "x"] }) },
      `✗ ${FACTS} · no access`,
    ],
    [
      "a reviewer's no",
      { ...ended("completed", ""), envelope: envelope({ outcome: { verdict: "REJECT", reason: "leaks" } }) },
      `✗ ${FACTS} · REJECT: leaks`,
    ],
    [
      "one that the user stopped",
      ended("cancelled", "It was stopped with GAIA."),
      `✗ ${FACTS} · It was stopped with GAIA`,
    ],
    [
      "one that was not allowed to do anything",
      ended(
        "failed",
        "The user rejected the edit of a.ts, and nothing was done. What it says does not hold.",
      ),
      `✗ ${FACTS} · You rejected the edit of a.ts, and nothing was done`,
    ],
    [
      "one whose last step was not allowed",
      { ...ended("completed", "The user rejected `npm i`, and nothing was done after that."), isShort: true },
      `◐ ${FACTS} · You rejected \`npm i\`, and nothing was done after that`,
    ],
    [
      "one that went another way",
      { ...ended("completed", "The user rejected `npm i`."), denied: "The user rejected `npm i`" },
      `✓ ${FACTS} · You rejected \`npm i\``,
    ],
    ["one without a reason", ended("failed", "It broke. Try again."), `✗ ${FACTS} · It broke`],
  ])("says of %s how it went", (_name, outcome, line) => {
    expect(end(outcome).line).toBe(line);
  });

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
