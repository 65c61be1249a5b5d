import { describe, expect, it } from "vitest";
import { createAssumptions } from "../../src/context/assumptions.ts";
import type { DelegationResult } from "../../src/delegation/result.ts";

let tasks = 0;
function finished(...assumed: [text: string, confidence: number][]): DelegationResult {
  tasks += 1;
  return {
    task_id: `t${tasks}`,
    session_id: "s",
    agent: "minerva",
    status: "completed",
    model_used: null,
    parsed_json: { assumptions: assumed.map(([text, confidence]) => ({ text, confidence })) },
    raw_text: null,
    parse_error: null,
    attempts: [],
    duration_ms: 0,
    tokens: { input: 0, output: 0, cached: 0 },
    cost: 0,
  };
}
const noteOf = (result: object): unknown => (result as { assumptions?: unknown }).assumptions;

describe("assumptions", () => {
  it("are brought up when there are three, each once", () => {
    const assumptions = createAssumptions();
    expect(noteOf(assumptions.annotate("root", finished(["JWT", 0.8], ["REST", 0.9])))).toBeUndefined();
    expect(noteOf(assumptions.annotate("root", finished(["JWT", 0.8])))).toBeUndefined();
    expect(noteOf(assumptions.annotate("root", finished(["SQLite", 0.7])))).toBe(
      "Not confirmed by the user, ask before more is built on it: JWT (minerva, 0.8); REST (minerva, 0.9); SQLite (minerva, 0.7)",
    );
    expect(noteOf(assumptions.annotate("root", finished(["tabs", 0.9])))).toBeUndefined();
  });

  it("are brought up at once when one is unsure", () => {
    const assumptions = createAssumptions();
    expect(noteOf(assumptions.annotate("root", finished(["JWT", 0.59])))).toContain("JWT (minerva, 0.59)");
  });

  it("count per conversation, and once per task however often it is collected", () => {
    const assumptions = createAssumptions();
    const result = finished(["a", 0.8], ["b", 0.8]);
    assumptions.annotate("one", result);
    assumptions.annotate("one", result);
    assumptions.annotate("two", finished(["c", 0.8]));
    expect(assumptions.pending("one").map(({ text }) => text)).toEqual(["a", "b"]);
    assumptions.forget("one");
    expect(assumptions.pending("one")).toEqual([]);
  });

  it("become decisions when a human confirms them", () => {
    const assumptions = createAssumptions();
    assumptions.annotate("root", finished(["JWT", 0.5], ["REST", 0.9]));
    expect(assumptions.confirm("root", ["JWT"])).toEqual([
      { question: "Assumed by minerva: JWT", choice: "confirmed" },
    ]);
    expect(assumptions.pending("root").map(({ text }) => text)).toEqual(["REST"]);
    expect(assumptions.confirm("root")).toHaveLength(1);
    expect(noteOf(assumptions.annotate("root", finished(["x", 0.9], ["y", 0.9], ["z", 0.9])))).toContain("z");
  });

  it.each([null, "text", { assumptions: "many" }, { assumptions: [3, { confidence: 0.9 }] }])(
    "are none in a result that holds %j",
    (parsed_json) => {
      const assumptions = createAssumptions();
      const result = { ...finished(), parsed_json };
      expect(assumptions.annotate("root", result)).toBe(result);
    },
  );

  it("leave a refusal and a running task as they are", () => {
    const assumptions = createAssumptions();
    const refusal = { status: "failed" as const, message: "no" };
    expect(assumptions.annotate("root", refusal)).toBe(refusal);
    const running = { ...finished(["a", 0.1]), status: "running" as const };
    expect(assumptions.annotate("root", running)).toBe(running);
  });
});
