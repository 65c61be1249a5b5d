import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_PROGRESS_YET, observeProgress, type ProgressObservation } from "../../src/checks/progress.ts";

function kinds(observations: ProgressObservation[]): string[] {
  let state = NO_PROGRESS_YET;
  return observations.map((seen) => {
    const observed = observeProgress(state, seen);
    state = observed.state;
    return observed.decision.kind;
  });
}

const fails = (treeHash: string | null, checksFailing = ["test"], error?: string): ProgressObservation => ({
  checksFailing,
  treeHash,
  ...(error === undefined ? {} : { error }),
});

describe("observeProgress", () => {
  it.each<[string, ProgressObservation[], string[]]>([
    [
      "nothing changed twice in a row",
      [fails("a"), fails("a"), fails("a")],
      ["continue", "continue", "blocked"],
    ],
    ["once, then a change", [fails("a"), fails("a"), fails("b"), fails("b")], Array(4).fill("continue")],
    [
      "flaky checks and no change",
      [fails("a"), fails("a", ["x"]), fails("a", ["y"])],
      ["continue", "continue", "blocked"],
    ],
    [
      "passes in between",
      [fails("a"), fails("a"), fails("a", []), fails("a"), fails("a")],
      Array(5).fill("continue"),
    ],
    [
      "stays blocked while nothing moves",
      [...Array(4).fill(fails("a"))],
      ["continue", "continue", "blocked", "blocked"],
    ],
    [
      "the same error three times",
      ["a", "b", "c"].map((tree) => fails(tree, ["test"], "Cannot find module './x'")),
      ["continue", "continue", "stop"],
    ],
    [
      "the same error in other words for times, lines and addresses",
      [
        fails("a", [], "TypeError at /tmp/x1/app.js:10:5 after 12.5 ms (0xdeadbeef)"),
        fails("b", [], "TypeError at /tmp/y2/app.js:99:1 after 3 ms (0x12345678)"),
        fails("c", [], "\u001B[31mTypeError\u001B[0m at /tmp/z/app.js:7:7 after 4 ms  (0xcafe)"),
      ],
      ["continue", "continue", "stop"],
    ],
    [
      "two errors in turn",
      "ababa".split("").map((error, index) => fails(`t${index}`, ["x"], `error ${error}`)),
      ["continue", "continue", "continue", "continue", "stop"],
    ],
    [
      "the same error while fewer checks fail",
      [fails("a", ["x", "y", "z"], "e"), fails("b", ["x", "y"], "e"), fails("c", ["x"], "e")],
      Array(3).fill("continue"),
    ],
    ["an unknown tree counts as changed", Array(4).fill(fails(null)), Array(4).fill("continue")],
    [
      "six attempts that never pass",
      "abcdef".split("").map((tree) => fails(tree)),
      [...Array(5).fill("continue"), "stop"],
    ],
    [
      "an error named like a property",
      Array(2).fill(fails("a", [], "constructor")),
      ["continue", "continue"],
    ],
  ])("%s", (_name, observations, expected) => {
    expect(kinds(observations)).toEqual(expected);
  });

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
  });

  const observation = fc.record({
    checksFailing: fc.subarray(["a", "b", "c"], { minLength: 1 }),
    treeHash: fc.option(fc.stringMatching(/^[0-9a-f]{4}$/)),
    error: fc.option(fc.string(), { nil: undefined }),
  });

  it("ends every row of failures within six attempts, whatever changes", () => {
    fc.assert(
      fc.property(fc.array(observation, { minLength: 6, maxLength: 10 }), (all) => {
        expect(kinds(all).slice(0, 6)).toContainEqual(expect.stringMatching(/blocked|stop/));
      }),
    );
  });

  it("survives being written down and read again, with bounded size", () => {
    fc.assert(
      fc.property(fc.array(observation, { maxLength: 60 }), (all) => {
        let state = NO_PROGRESS_YET;
        for (const seen of all) {
          const direct = observeProgress(state, seen);
          const restored = observeProgress(JSON.parse(JSON.stringify(state)) as typeof state, seen);
          expect(restored).toEqual(direct);
          state = direct.state;
        }
        expect(state.errors.length).toBeLessThanOrEqual(32);
      }),
    );
  });
});
