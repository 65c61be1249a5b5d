import { describe, expect, it } from "vitest";
import type { JudgedClaim } from "../../../src/checks/evidence/claims.ts";
import { renderFinalReport } from "../../../src/conversation/report/render.ts";
import type { UnitFacts } from "../../../src/conversation/report/unit-facts.ts";
import { ended, type Task } from "../../../src/delegation/task.ts";
import { taskOf } from "../../support/task.ts";

const claim = (id: string, standing: JudgedClaim["standing"], why = ""): JudgedClaim => ({
  id,
  kind: "task",
  text: id,
  wave: null,
  isTicked: true,
  command: "true",
  files: [],
  standing,
  why,
  isRefuted: false,
});
const task = (cost: number): Task =>
  taskOf({ agent: "scout", tokens: { input: 1_000, output: 200, cached: 5 }, cost }, 60_000);
const facts = (rest: Partial<UnitFacts> = {}): UnitFacts => ({
  unit: "unit",
  title: "Limits",
  changes: { known: true, base: "a", files: [{ path: "a.ts", added: 3, removed: 1 }] },
  claims: [claim("task 1", "proven"), claim("task 2", "claimed", "no command shows it")],
  checks: "Definition of Done passed",
  verdicts: [],
  findings: [],
  left: ["`git push`: reaches beyond the project"],
  uncommitted: [],
  hasChecks: true,
  tasks: [task(0.1), task(0.25)],
  spent: { requests: 9, input: 2_600, output: 400, cached: 10, cost: 0.4 },
  ms: 125_000,
  verdict: "done: 1 proven, 1 claimed",
  ...rest,
});

describe("the final report", () => {
  it("tells once what a specialist was not allowed to do, whatever it said of itself", () => {
    const denied = { ...ended("completed", ""), denied: "The user rejected the edit of a.ts" };
    const tasks = [1, 2].map((cost) => ({ ...task(cost), outcome: denied }));
    expect(renderFinalReport(facts({ tasks })).match(/^Not allowed.*$/gm)).toEqual([
      "Not allowed: scout: You rejected the edit of a.ts",
    ]);
  });

  it("tells from facts what changed, what is shown, what is left and what it took", () => {
    expect(renderFinalReport(facts()).split("\n")).toEqual([
      "Report of unit: Limits",
      "Changed: 1 file (+3 −1) · a.ts +3 −1",
      "Checks: Definition of Done passed",
      "Left for you: `git push`: reaches beyond the project; task 2 claimed: no command shows it",
      "GAIA: done: 1 proven, 1 claimed · 2 delegations · 2 min 5 s · 3.0k tokens · $0.40",
    ]);
  });

  it.each<[string, Partial<UnitFacts>, string]>([
    ["nothing", {}, "nothing"],
    ["findings", { findings: ["a.ts:1: x (hades)"] }, "1 finding not fixed"],
    [
      "a claim",
      { claims: [claim("task 1", "claimed", "why"), claim("task 2", "passes")] },
      "task 1 claimed: why",
    ],
    [
      "claims for one reason once",
      {
        claims: [
          claim("task 1", "claimed", "why"),
          claim("task 2", "claimed", "why"),
          claim("task 3", "open"),
        ],
      },
      "not done: task 3; task 1, task 2 claimed: why",
    ],
    ["checks", { checks: "" }, "checks not run: /gaia-check"],
    ["no checks", { checks: "", hasChecks: false }, "nothing"],
    ["files", { uncommitted: ["a.ts", "b.ts"] }, "2 files to commit: a.ts, b.ts"],
  ])("leaves to the user: %s", (_what, rest, expected) => {
    const text = renderFinalReport(facts({ claims: [], left: [], ...rest }));
    expect(/^Left for you: (.*)$/mu.exec(text)?.[1]).toBe(expected);
  });
});
