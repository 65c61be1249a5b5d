import { describe, expect, it } from "vitest";
import { decideAfterChecks, decideWaveCompletion, isProof } from "../../src/checks/wave-completion.ts";
import { checkReport, report } from "./definition-of-done/reports.ts";

const FAILED = report({
  passed: false,
  checks: [checkReport({ id: "lint" }), checkReport({ status: "failed", exit_code: 1 })],
  artifacts: [{ path: "dist", optional: false, found: false }],
});
const BOUNDARY = "implementation+basic_checks";

describe("decideWaveCompletion", () => {
  it("keeps the wave open while the checks fail, and says which", () => {
    expect(decideWaveCompletion({ boundary: BOUNDARY, report: FAILED })).toMatchObject({
      kind: "refused",
      reason: "The wave stays open: checks not passed: test; artifacts missing: dist.",
    });
  });

  it.each([
    ["a full pass", { boundary: BOUNDARY, report: report() }, "allowed"],
    ["no definition", { boundary: BOUNDARY, report: null }, "allowed"],
    ["a manual boundary", { boundary: "manual", report: FAILED }, "allowed"],
    [
      "a doc pass of documentation",
      { boundary: BOUNDARY, report: report({ scope: "doc" }), documentation: true },
      "allowed",
    ],
    ["a doc pass of code", { boundary: BOUNDARY, report: report({ scope: "doc" }) }, "refused"],
    [
      "a pass of one part",
      { boundary: BOUNDARY, report: report({ scope: "frontend" }), documentation: true },
      "refused",
    ],
    [
      "a cancelled run",
      { boundary: BOUNDARY, report: report({ passed: false, cancelled: true }) },
      "refused",
    ],
  ] as const)("%s is decided", (_name, input, kind) => {
    expect(decideWaveCompletion(input).kind).toBe(kind);
  });
});

describe("isProof", () => {
  it("asks for a pass over everything, or of the documentation for documentation", () => {
    const scopes = ["full", "doc", "frontend"];
    expect(scopes.map((scope) => isProof(report({ scope })))).toEqual([true, false, false]);
    expect(scopes.map((scope) => isProof(report({ scope }), true))).toEqual([true, true, false]);
    expect(isProof(FAILED, true)).toBe(false);
  });
});

describe("decideAfterChecks", () => {
  it("goes on to review when they pass", () => {
    expect(decideAfterChecks(report(), { kind: "continue" })).toEqual({ kind: "review" });
  });

  it("sends a failure back while there is progress, and stops when there is none", () => {
    expect(decideAfterChecks(FAILED, { kind: "continue" })).toMatchObject({ kind: "fix" });
    expect(decideAfterChecks(FAILED, { kind: "blocked", reason: "nothing moves" })).toMatchObject({
      kind: "blocked",
      reason: "nothing moves",
    });
    expect(decideAfterChecks(report({ passed: false, cancelled: true }), { kind: "continue" }).kind).toBe(
      "blocked",
    );
  });
});
