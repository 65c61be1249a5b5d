import { describe, expect, it } from "vitest";
import { createAssumptions } from "../../../src/conversation/assumptions/assumptions.ts";
import type { DelegationResult } from "../../../src/delegation/result.ts";
import { refuse } from "../../../src/lib/refusal.ts";

const openAssumptions = () => createAssumptions({ keep: () => undefined } as never, {} as never);

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
const textsOf = (assumptions: readonly { text: string }[]): string[] => assumptions.map(({ text }) => text);

describe("assumptions", () => {
  it("are brought up when there are three, each once", () => {
    const assumptions = openAssumptions();
    expect(assumptions.collect(finished(["JWT", 0.8], ["REST", 0.9]))).toEqual([]);
    expect(assumptions.collect(finished(["JWT", 0.8]))).toEqual([]);
    expect(textsOf(assumptions.collect(finished(["SQLite", 0.7])))).toEqual(["JWT", "REST", "SQLite"]);
    expect(assumptions.collect(finished(["tabs", 0.9]))).toEqual([]);
  });

  it("are brought up at once when one is unsure", () => {
    const assumptions = openAssumptions();
    expect(assumptions.collect(finished(["JWT", 0.59]))).toEqual([
      { text: "JWT", confidence: 0.59, agent: "minerva" },
    ]);
  });

  it("are brought up again after ten delegations, as long as nobody confirmed them", () => {
    const assumptions = openAssumptions();
    const brought = Array.from({ length: 30 }, (_, at) =>
      textsOf(assumptions.collect(at === 0 ? finished(["JWT", 0.9]) : finished())),
    );
    const at = brought.flatMap((texts, index) => (texts.length > 0 ? [index + 1] : []));
    expect(at).toEqual([10, 20, 30]);
    assumptions.settle(["JWT"]);
    for (let n = 0; n < 12; n += 1) expect(assumptions.collect(finished())).toEqual([]);
  });

  it("count once per task however often it is collected", () => {
    const assumptions = openAssumptions();
    const result = finished(["a", 0.8], ["b", 0.8]);
    assumptions.collect(result);
    assumptions.collect(result);
    expect(textsOf(assumptions.pending())).toEqual(["a", "b"]);
  });

  it("are pending no more when a human has said whether they hold", () => {
    const assumptions = openAssumptions();
    assumptions.collect(finished(["JWT", 0.5], ["REST", 0.9]));
    assumptions.settle(["JWT"]);
    expect(textsOf(assumptions.pending())).toEqual(["REST"]);
    assumptions.settle(["REST"]);
    expect(textsOf(assumptions.collect(finished(["x", 0.9], ["y", 0.9], ["z", 0.9])))).toEqual([
      "x",
      "y",
      "z",
    ]);
  });

  it.each([null, "text", { assumptions: "many" }, { assumptions: [3, { confidence: 0.9 }] }])(
    "are none in a result that holds %j",
    (parsed_json) => {
      const assumptions = openAssumptions();
      expect(assumptions.collect({ ...finished(), parsed_json })).toEqual([]);
    },
  );

  it("are not read from a refusal or a running task", () => {
    const assumptions = openAssumptions();
    expect(assumptions.collect(refuse("no"))).toEqual([]);
    expect(assumptions.collect({ ...finished(["a", 0.1]), status: "running" })).toEqual([]);
    expect(assumptions.pending()).toEqual([]);
  });
});
