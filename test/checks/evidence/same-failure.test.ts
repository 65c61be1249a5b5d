import { describe, expect, it } from "vitest";
import { runCheck } from "../../../src/checks/definition-of-done/check.ts";
import { failureSignature, isSameFailure } from "../../../src/checks/evidence/same-failure.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { createProject } from "../project.ts";

const failure = (output_tail: string, exit_code = 1) => ({
  status: "failed" as const,
  exit_code,
  signature: failureSignature({ output_tail }),
});
const OLD =
  "✓ adds (1.2ms)\n✗ subtracts (3ms)\n  AssertionError: 1 !== 2 at /tmp/x1/a.test.js:10:3\n5 passed, 1 failed (120 ms)";

const eslint = (lines: readonly number[], file = "a.ts") =>
  [
    `/p/src/${file}`,
    ...lines.map((line) => `  ${line}:5  error  'x' is defined but never used  no-unused-vars`),
    "",
    `✖ ${lines.length} problems (${lines.length} errors, 0 warnings)`,
  ].join("\n");
const FRAME =
  " FAIL  a.test.ts > adds\nAssertionError: expected 1 to be 2\n ❯ a.test.ts:12:9\n     12|  assert.x(2)\n";
const TESTS =
  " FAIL  a.test.ts > a\nError: x\n\n FAIL  a.test.ts > b\nError: y\n\n      Tests  2 failed | 3 passed (5)";
const PANIC = "thread 'tests::a' (12345) panicked at src/lib.rs:3:5:\nassertion failed: a";
const UUID = "✗ saves\n  Error: expected 550e8400-e29b-41d4-a716-446655440000";

/** As `tsc` tells them: no sum stands below. */
const typeErrors = (files: readonly number[]) =>
  files.map((file) => `src/f${file}.ts(3,5): error TS2322: Type 'string' is not assignable.`).join("\n");
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

describe("a check that failed before", () => {
  it.each<[string, string, string]>([
    ["word for word", OLD, OLD],
    [
      "in other times and places",
      OLD,
      OLD.replace("3ms", "17ms").replace(":10:3", ":14:7").replace("120 ms", "2 s"),
    ],
    ["with more that passes", OLD, OLD.replace("5 passed", "9 passed")],
    ["with less that fails", `${OLD}\n✗ divides`, OLD],
    ["with lines above it", eslint([12]), eslint([9])],
    ["with one fixed of those that a linter sums up", eslint([12, 14]), eslint([12])],
    ["with lines above what is quoted", FRAME, FRAME.replaceAll("12", "14")],
    [
      "with one fixed of those that a runner sums up",
      TESTS,
      TESTS.replace(" FAIL  a.test.ts > b\nError: y\n\n", "").replace("2 failed | 3", "1 failed | 4"),
    ],
    ["in another thread", PANIC, PANIC.replace("12345", "22345")],
    ["with another id", UUID, UUID.replace("550e8400-e29b-41d4", "6fa459ea-ee8a-3ca4")],
    ["with another hash", "Error: expected Foo@1b6d358", "Error: expected Foo@5e9f23b"],
    ["in another folder", "Error: no /var/folders/ab/cd/T/x-1/y", "Error: no /var/folders/ab/cd/T/x-2/y"],
    ["on another port", "Error: cannot reach port 4000", "Error: cannot reach port 4001"],
    [
      "with more files that are looked at",
      "a.py:3: error: x\nFound 1 error in 1 file (checked 3 source files)",
      "a.py:5: error: x\nFound 1 error in 1 file (checked 4 source files)",
    ],
    ["with fewer of many", typeErrors(range(0, 90)), typeErrors(range(1, 90))],
    ["without a word that tells", "broken\n", "broken\n"],
    ["without any word", "", ""],
  ])("fails in the same way: %s", (_name, before, now) => {
    expect(isSameFailure(failure(before), failure(now))).toBe(true);
  });

  it.each<[string, string, string]>([
    ["something else fails as well", OLD, `${OLD}\n✗ divides`],
    ["more fails", OLD, OLD.replace("1 failed", "2 failed")],
    ["it fails with other words", OLD, OLD.replace("1 !== 2", "1 !== 3")],
    ["the same is wrong once more in a file", eslint([12]), eslint([12, 20])],
    ["the same is wrong in another file", eslint([12]), eslint([12], "b.ts")],
    ["one more than is shown of many", typeErrors(range(0, 90)), typeErrors(range(0, 91))],
    ["another test fails with the same words", TESTS, TESTS.replace("> b", "> c")],
    ["the numbers are others", "Error: expected 500 to be 200", "Error: expected 404 to be 200"],
    ["it says something now", "", "error: no such file"],
    ["it says nothing any more", OLD, ""],
  ])("fails in a new way: %s", (_name, before, now) => {
    expect(isSameFailure(failure(before), failure(now))).toBe(false);
  });

  it("fails in a new way where it ended differently", () => {
    expect(isSameFailure(failure("", 1), failure("", 2))).toBe(false);
    expect(isSameFailure(failure(OLD), { ...failure(OLD), status: "timeout" })).toBe(false);
  });

  it("is known by everything that it printed, and not by what is shown of it", async () => {
    const directory = await createProject({});
    const run = async (count: number) => {
      const command = `for at in $(seq ${count}); do echo "src/f$at.ts(3,5): error TS2322: no"; done; exit 1`;
      const { signal } = new AbortController();
      const check = { id: "types", command, scope: "full", timeoutSeconds: 30 } as const;
      const report = await runCheck(check, { directory, signal, clock: systemClock, redact: (text) => text });
      return { ...report, signature: failureSignature(report) };
    };
    const before = await run(90);
    expect(isSameFailure(before, await run(90))).toBe(true);
    expect(isSameFailure(before, await run(89))).toBe(true);
    expect(isSameFailure(before, await run(91))).toBe(false);
  });
});
