import { describe, expect, it } from "vitest";
import {
  countAttempt,
  decideAfterChecks,
  isDocumentationOnly,
  isProof,
  NO_ATTEMPT,
} from "../../src/checks/completion.ts";
import { readCases } from "../support/cases.ts";
import { checkReport, report } from "./definition-of-done/reports.ts";

const FAILED = report({
  passed: false,
  checks: [checkReport({ id: "lint" }), checkReport({ status: "failed", exit_code: 1 })],
  artifacts: [{ path: "dist", optional: false, found: false }],
});

it("isProof asks for a pass over everything, or of the documentation for documentation", () => {
  const scopes = ["full", "doc", "frontend"];
  expect(scopes.map((scope) => isProof(report({ scope })))).toEqual([true, false, false]);
  expect(scopes.map((scope) => isProof(report({ scope }), true))).toEqual([true, true, false]);
  expect(isProof(FAILED, true)).toBe(false);
});

describe("decideAfterChecks", () => {
  it.each(readCases<[string, (string | null | [string, string])[], string[]]>("checks/completion.attempts"))(
    "sends a failure back until nothing moves: %s",
    (_name, trees, expected) => {
      let attempts = NO_ATTEMPT;
      const kinds = trees.map((tree) => {
        const [before, after] = Array.isArray(tree) ? tree : [tree, tree];
        attempts = countAttempt(attempts, { before, after });
        return decideAfterChecks(FAILED, attempts).kind;
      });
      expect(kinds).toEqual(expected);
    },
  );

  it("says what fails and how often it was tried, and stops where the checks were cancelled", () => {
    expect(decideAfterChecks(FAILED, { tree: "a", idle: 2, count: 3 })).toMatchObject({
      kind: "blocked",
      reason: "no file changed in 2 attempts (checks not passed: test; artifacts missing: dist)",
    });
    const cancelled = report({ passed: false, cancelled: true });
    expect(decideAfterChecks(cancelled, NO_ATTEMPT).kind).toBe("blocked");
  });
});

it.each<[string[], boolean]>([
  [[], false],
  [["README.md", "docs/guide.rst", "LICENSE"], true],
  [["docs/img/a.png", "doc/notes.txt", "pkg/docs/b.svg"], true],
  [["README.md", "src/a.ts"], false],
  [["requirements.txt"], false],
  [["CMakeLists.txt"], false],
  [["docs/conf.py"], false],
  [["src/icon.png"], false],
  [["src/README.md.ts"], false],
])("isDocumentationOnly %j is %s", (paths, expected) => {
  expect(isDocumentationOnly(paths)).toBe(expected);
});
