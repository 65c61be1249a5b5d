import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { SPECIALISTS } from "../../src/agents/registry.ts";
import { defineContract } from "../../src/contracts/contract.ts";
import { evaluateAnswer, problemsOf } from "../../src/contracts/evaluate.ts";
import { checksIn, checksRun, lenientTexts, located } from "../../src/contracts/fields.ts";

const contract = defineContract({}, () => ({ summary: z.string(), checks_run: checksRun() }));
const read = (checks: unknown): unknown => {
  const given = { ok: true, data: { summary: "x", checks_run: checks }, errors: [] };
  const evaluation = evaluateAnswer(contract, { text: JSON.stringify(given) });
  expect(problemsOf(evaluation)).toEqual([]);
  return evaluation.status === "valid" ? evaluation.answer.data["checks_run"] : evaluation;
};
const ran = (command: string, exit_code: number | null) => [{ command, exit_code }];

describe("checks that ran", () => {
  it.each<[unknown, unknown]>([
    [ran("npm test", 0), ran("npm test", 0)],
    [[{ cmd: "npm test", exitCode: 0 }], ran("npm test", 0)],
    [[{ command: "npm test", code: "1" }], ran("npm test", 1)],
    [[{ name: "npm test", status: "passed" }], ran("npm test", 0)],
    [[{ check: "`npm test`", passed: false }], ran("npm test", 1)],
    [[{ command: "npm test", result: "3 failed" }], ran("npm test", 1)],
    [[{ command: "npm test" }], ran("npm test", null)],
    [[{ command: "npm test", exit_status: 2 }], ran("npm test", 2)],
    [[{ command: "npm test", returnCode: "2" }], ran("npm test", 2)],
    [[{ command: "npm test", result: { exit_code: 1, output: "red" } }], ran("npm test", 1)],
    [{ command: "npm test", exit_code: 0 }, ran("npm test", 0)],
    [{ "npm test": 0, "npm run lint": "failed" }, [...ran("npm test", 0), ...ran("npm run lint", 1)]],
    [{ "npm test": { exit_code: 2 } }, ran("npm test", 2)],
    ["none", []],
    [["N/A", "- No checks run.", "not run", " "], []],
    [["npm test: 0"], ran("npm test", 0)],
    [["$ npm test -> exit code 1"], ran("npm test", 1)],
    [["npm run lint (exit 0)"], ran("npm run lint", 0)],
    [["npm run lint: exit code 2"], ran("npm run lint", 2)],
    [["`npm test` passed"], ran("npm test", 0)],
    [["npm test — 12 passed"], ran("npm test", 0)],
    [["npm test failed"], ran("npm test", 1)],
    [["npm test exited with code 1."], ran("npm test", 1)],
    [["vitest run test/a.test.ts"], ran("vitest run test/a.test.ts", null)],
    ["npm test: 0\nnpm run lint: 1", [...ran("npm test", 0), ...ran("npm run lint", 1)]],
    ["npm test", ran("npm test", null)],
    [null, []],
    ["", []],
    [[], []],
  ])("%j", (given, expected) => {
    expect(read(given)).toEqual(expected);
  });

  it("may be left out, and are no reason for another round", () => {
    const text = JSON.stringify({ ok: true, data: { summary: "x" } });
    expect(evaluateAnswer(contract, { text })).toMatchObject({ answer: { data: { checks_run: [] } } });
  });

  it("make nothing out of an answer that has no contract", () => {
    expect(evaluateAnswer(contract, { text: '{"b": 1}' })).toMatchObject({
      status: "invalid",
      salvage: null,
    });
  });

  it("are read out of anything without an error, in time", () => {
    fc.assert(
      fc.property(fc.anything(), fc.string({ maxLength: 5_000 }), (value, text) => {
        for (const each of [value, text, [value, text], { [text]: value }]) {
          for (const { command, exit_code: code } of checksIn(each)) {
            expect(typeof command).toBe("string");
            expect(code === null || Number.isFinite(code)).toBe(true);
          }
        }
      }),
    );
    expect(checksIn(": ".repeat(200_000))).toHaveLength(1);
  });

  it("are asked for as objects of whoever edits or checks, and of nobody else", () => {
    for (const { name, role, contract: own } of SPECIALISTS) {
      const asks = role === "implementer" || role === "tester" || role === "checker";
      expect([
        name,
        own?.shape.includes("checks_run: ({ command: string, exit_code: number | null })[]"),
      ]).toEqual([name, asks]);
      expect([name, own?.shape.includes("data: { answer: string")]).toEqual([name, role === "recon"]);
      // What the plugin sees for itself.
      expect(own?.shape).not.toMatch(/files_|revision_|vcs_type|session/);
    }
  });
});

describe("what stood wrong before", () => {
  const reviewing = defineContract({ reviews: true }, () => ({
    checks_run: checksRun(),
    failed_before: lenientTexts(),
  }));
  const given = (data: object): string =>
    JSON.stringify({ ok: true, data, errors: [], outcome: { verdict: "APPROVE", reason: "fine" } });
  const failing = ran("npm run lint", 1);

  it.each<[string, object, boolean]>([
    ["a check that fails", { checks_run: failing }, false],
    ["one that is told apart", { checks_run: failing, failed_before: ["npm run lint: 3 errors"] }, true],
    ["as one text", { checks_run: failing, failed_before: "`npm run lint` failed before" }, true],
    ["as words", { checks_run: ["npm run lint: 1"], failed_before: ["npm run lint"] }, true],
    ["its code under another name", { checks_run: [{ command: "npm test", exit_status: 2 }] }, false],
    ["another one", { checks_run: failing, failed_before: ["npm test"] }, false],
    ["nothing to run", { checks_run: [] }, true],
  ])("%s: approved %s", (_name, data, isApproved) => {
    const { verdict } = evaluateAnswer(reviewing, { text: given(data) });
    expect(verdict).toMatchObject({ outcome: { verdict: isApproved ? "APPROVE" : "REJECT" } });
  });
});

describe("a finding's place", () => {
  const finding = located({ issue: z.string() });
  it.each<[object, string]>([
    [{ where: "src/a.ts:3" }, "src/a.ts:3"],
    [{ location: "src/a.ts:3" }, "src/a.ts:3"],
    [{ path: "src/a.ts", line: 3 }, "src/a.ts:3"],
    [{ file: "src/a.ts", line: "3-9" }, "src/a.ts:3-9"],
    [{ where: { path: "src/a.ts", line: 3 } }, "src/a.ts:3"],
    [{ where: ["src/a.ts:3", { file: "b.ts" }] }, "src/a.ts:3, b.ts"],
    [{ where: { file: "src/a.ts", lines: [3, 9] } }, "src/a.ts:3-9"],
    [{ fileName: "src/a.ts", startLine: 3, endLine: 9 }, "src/a.ts:3"],
    [{ where: "src/a.ts#L3", line: 3 }, "src/a.ts#L3"],
    [{}, ""],
  ])("%j", (rest, where) => {
    expect(finding.parse({ issue: "x", ...rest })).toEqual({ issue: "x", where });
  });
});
