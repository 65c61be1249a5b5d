import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCases } from "../support/cases.ts";
import { NO_PROGRESS_YET, observeProgress, type ProgressObservation } from "../../src/checks/progress.ts";

function kinds(observations: ProgressObservation[]): string[] {
  let state = NO_PROGRESS_YET;
  return observations.map((seen) => {
    const observed = observeProgress(state, seen);
    state = observed.state;
    return observed.decision.kind;
  });
}

const fails = (
  treeHash: string | null,
  checksFailing = ["test"],
  missing: string[] = [],
): ProgressObservation => ({ checksFailing, treeHash, treeHashAfter: treeHash, missing });

describe("observeProgress", () => {
  it.each(readCases<[string, Parameters<typeof fails>[], string[]]>("checks/progress.attempts"))(
    "%s",
    (_name, attempts, expected) => {
      expect(kinds(attempts.map((given) => fails(...given)))).toEqual(expected);
    },
  );

  it("does not take what the checks themselves write for progress", () => {
    const wrote = (before: string, after: string) => ({ ...fails(before), treeHashAfter: after });
    expect(kinds([wrote("a", "b"), wrote("b", "c"), wrote("c", "d")]).at(-1)).toBe("blocked");
  });

  it("says what fails and how often", () => {
    const first = observeProgress(NO_PROGRESS_YET, fails("a", ["b", "a"]));
    const second = observeProgress(first.state, fails("a", ["a", "b"]));
    expect(observeProgress(second.state, fails("a", ["b", "a"])).decision).toEqual({
      kind: "blocked",
      reason: "no file changed in 2 attempts and checks still fail (a, b)",
    });
    const states = ["a", "b"].reduce(
      (state, tree) => observeProgress(state, fails(tree, [], ["d"])).state,
      NO_PROGRESS_YET,
    );
    expect(observeProgress(states, fails("c", [], ["d"])).decision).toEqual({
      kind: "blocked",
      reason: "the same error came 3 times: artifacts missing: d",
    });
  });

  const observation = fc.record({
    checksFailing: fc.subarray(["a", "b", "c"], { minLength: 1 }),
    treeHash: fc.option(fc.stringMatching(/^[0-9a-f]{4}$/)),
    treeHashAfter: fc.option(fc.stringMatching(/^[0-9a-f]{4}$/)),
    missing: fc.subarray(["dist", "docs"]),
  });

  it("ends every row of failures within six attempts, whatever changes", () => {
    fc.assert(
      fc.property(fc.array(observation, { minLength: 6, maxLength: 10 }), (all) => {
        expect(kinds(all).slice(0, 6)).toContainEqual("blocked");
      }),
    );
  });
});
