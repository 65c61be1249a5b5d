import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  MODEL_CHARACTERS,
  modelView,
  renderLogMarkdown,
  renderPacketLines,
  renderSummaryLine,
} from "../../../src/checks/definition-of-done/render.ts";
import { checkReport, report } from "./reports.ts";

const FAILING = report({
  passed: false,
  checks: [
    checkReport({ id: "lint" }),
    checkReport({ id: "test", status: "failed", exit_code: 1, output_tail: "expected 1\ngot 2" }),
    checkReport({ id: "hang", status: "timeout", exit_code: null, detail: "not finished after 300 s" }),
  ],
  artifacts: [
    { path: "dist/*.js", optional: false, found: false },
    { path: "docs", optional: true, found: false },
  ],
  skipped: [{ id: "links", reason: "scope is not doc" }],
  notes: ["A note."],
});

describe("renderSummaryLine", () => {
  it.each([
    [report({ checks: [checkReport()] }), "Definition of Done passed: 1 of 1 checks passed (1.5 s)"],
    [report({ scope: "doc" }), "Definition of Done passed: 0 of 0 checks passed; scope doc (1.5 s)"],
    [
      report({ passed: false, cancelled: true }),
      "Definition of Done cancelled: 0 of 0 checks passed (1.5 s)",
    ],
    [
      FAILING,
      "Definition of Done NOT passed: 1 of 3 checks passed; not passed: test, hang; missing: dist/*.js (1.5 s)",
    ],
  ])("says it in one line", (given, line) => {
    expect(renderSummaryLine(given)).toBe(line);
  });
});

describe("renderLogMarkdown", () => {
  it("shows each check, the output of those that failed, artifacts and notes", () => {
    const markdown = renderLogMarkdown(FAILING);
    expect(markdown).toContain("- lint: passed, 1.2 s (`npm test`)\n");
    expect(markdown).toContain(
      "- test: **failed** (exit code 1), 1.2 s (`npm test`)\n\n```text\nexpected 1\ngot 2\n```",
    );
    expect(markdown).toContain("- hang: **timeout**: not finished after 300 s");
    expect(markdown).toContain("- artifact `dist/*.js`: missing\n- artifact `docs`: missing (optional)\n");
    expect(markdown).toContain("- links: not run, scope is not doc\n- A note.\n");
  });

  it("keeps output inside its block", () => {
    const check = checkReport({ status: "failed", output_tail: "```\n# not a heading\n````" });
    expect(renderLogMarkdown(report({ checks: [check] }))).toContain(
      "`````text\n```\n# not a heading\n````\n`````",
    );
  });
});

describe("a failure that its output tells", () => {
  const told = checkReport({
    status: "failed",
    exit_code: 1,
    output_tail: `FAIL cart > totals\n${"detail\n".repeat(500)}Tests 2 failed | 40 passed`,
  });
  const given = report({ passed: false, checks: [told] });

  it("stands in the packet with its first failure, and in the log", () => {
    expect(renderPacketLines(given)[1]).toBe("test: failed (exit code 1): FAIL cart > totals");
    expect(renderLogMarkdown(given)).toContain("- test: **failed** (exit code 1), 1.2 s");
  });

  it("keeps the first failure and the sum where there is little room, in the log and for models", () => {
    for (const text of [
      renderLogMarkdown(given),
      JSON.stringify(modelView(report({ checks: Array(9).fill(told) }))),
    ]) {
      expect(text).toContain("FAIL cart > totals");
      expect(text).toContain("Tests 2 failed | 40 passed");
    }
  });
});

describe("modelView", () => {
  it("gives the verdict first and output only of what failed", () => {
    const view = modelView(FAILING);
    expect(Object.keys(view)[0]).toBe("passed");
    expect(view).toMatchObject({
      passed: false,
      checks: [
        { id: "test", status: "failed", exit_code: 1, command: "npm test", output_tail: "expected 1\ngot 2" },
        { id: "hang", status: "timeout", detail: "not finished after 300 s" },
        { id: "lint", status: "passed" },
      ],
      missing_artifacts: ["dist/*.js"],
      skipped: ["links"],
      notes: ["A note."],
    });
  });

  it("stays within its bound, whatever was printed", () => {
    const check = fc.record({
      id: fc.string({ maxLength: 200 }),
      output_tail: fc.string({ maxLength: 4_000 }),
    });
    fc.assert(
      fc.property(fc.array(check, { maxLength: 40 }), (checks) => {
        const all = checks.map((fields) => checkReport({ ...fields, status: "failed", exit_code: 1 }));
        const view = modelView(report({ passed: false, checks: all }));
        expect(JSON.stringify(view).length).toBeLessThanOrEqual(MODEL_CHARACTERS);
        expect(view).toMatchObject({ passed: false });
      }),
      { numRuns: 50 },
    );
  });
});
