import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_PROGRESS_YET, observeProgress } from "../../src/checks/progress.ts";
import { readCases } from "../support/cases.ts";
import { checkReport, report } from "./definition-of-done/reports.ts";

/** A run on a tree, with the checks that failed and the artifacts that were missing; and the tree afterwards. */
type Attempt = [before: string | null, failing?: string[], missing?: string[], after?: string | null];

function decisions(attempts: readonly Attempt[]) {
  let state = NO_PROGRESS_YET;
  return attempts.map(([before, failing = ["test"], missing = [], after = before]) => {
    const checks = failing.map((id) => checkReport({ id, status: "failed", exit_code: 1 }));
    const artifacts = missing.map((path) => ({ path, optional: false, found: false }));
    const passed = checks.length + artifacts.length === 0;
    const seen = observeProgress(state, report({ passed, checks, artifacts }), { before, after });
    state = seen.state;
    return seen.decision;
  });
}
const kinds = (attempts: readonly Attempt[]): string[] => decisions(attempts).map(({ kind }) => kind);

describe("observeProgress", () => {
  it.each(readCases<[string, Attempt[], string[]]>("checks/progress.attempts"))(
    "%s",
    (_name, attempts, expected) => {
      expect(kinds(attempts)).toEqual(expected);
    },
  );

  it("does not take what the checks themselves write for progress", () => {
    const wrote = (before: string, after: string): Attempt => [before, ["test"], [], after];
    expect(kinds([wrote("a", "b"), wrote("b", "c"), wrote("c", "d")]).at(-1)).toBe("blocked");
  });

  it.each<[Attempt[], string]>([
    [
      [
        ["a", ["b", "a"]],
        ["a", ["a", "b"]],
        ["a", ["b", "a"]],
      ],
      "no file changed in 2 attempts and checks still fail (a, b)",
    ],
    [
      [
        ["a", [], ["d"]],
        ["b", [], ["d"]],
        ["c", [], ["d"]],
      ],
      "the same error came 3 times: artifacts missing: d",
    ],
  ])("says what fails and how often: %j", (attempts, reason) => {
    expect(decisions(attempts).at(-1)).toEqual({ kind: "blocked", reason });
  });

  it("ends every row of failures within six attempts, whatever changes", () => {
    const tree = fc.option(fc.stringMatching(/^[0-9a-f]{4}$/));
    const failing = fc.subarray(["a", "b", "c"], { minLength: 1 });
    const attempt = fc.tuple(tree, failing, fc.subarray(["dist", "docs"]), tree);
    fc.assert(
      fc.property(fc.array(attempt, { minLength: 6, maxLength: 10 }), (all) => {
        expect(kinds(all).slice(0, 6)).toContainEqual("blocked");
      }),
    );
  });
});
