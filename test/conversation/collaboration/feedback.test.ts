import { expect, test } from "vitest";
import { EMPTY_BATCH, addFact } from "../../../src/conversation/collaboration/batch.ts";
import { deeperThan, readFeedback, steerBy } from "../../../src/conversation/collaboration/checkin-packet.ts";

test.each([
  ["/next", "next"],
  [" /next\n", "next"],
  ["undo last", "undo"],
  ["Undo last", "undo"],
  ["Undo the last batch.", "remark"],
  ['"undo last"', "undo"],
  ["undo", "undo"],
  ["review this deeper", "deeper"],
  ["please review deeper", "remark"],
  ["review this deeper (risk)", "deeper"],
  ["change approach to a token bucket", "change"],
  ["Change approach to jose", "change"],
  ["Change the approach: use jose", "remark"],
  ["undo last, but keep the tests", "remark"],
  ["do not undo last", "remark"],
  ["next", "remark"],
  ["rename this", "remark"],
])("%j is %s", (text, kind) => {
  expect(readFeedback(text).kind).toBe(kind);
});

const batch = addFact(EMPTY_BATCH, {
  sessionId: "child",
  tool: "bash",
  mutating: true,
  failed: false,
  files: [{ path: "src/a.ts", added: 1, removed: 0 }],
  command: { command: "npm i left-pad", exitCode: 0, output: "" },
});

test("undo is no order to a model: the host carries it out", () => {
  expect(steerBy({ kind: "undo" }, batch, "diff")).toBeNull();
});

test("deeper names the depth and both reviewers", () => {
  const text = steerBy({ kind: "deeper" }, batch, "risk") ?? "";
  expect(text).toMatch(/hades.*aether.*depth risk/);
});

test("a remark speaks for itself", () => {
  expect(steerBy({ kind: "remark" }, batch, "diff")).toBeNull();
});

test("steering stays within 600 characters", () => {
  const text = steerBy({ kind: "change", approach: "x".repeat(5_000) }, batch, "diff") ?? "";
  expect(text.length).toBeLessThanOrEqual(600);
});

test("the depth rises step by step and stays at the end", () => {
  expect((["inline", "diff", "risk", "deep_repo"] as const).map(deeperThan)).toEqual([
    "diff",
    "risk",
    "deep_repo",
    "deep_repo",
  ]);
});
