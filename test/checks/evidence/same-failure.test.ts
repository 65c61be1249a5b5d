import { describe, expect, it } from "vitest";
import { runCheck } from "../../../src/checks/definition-of-done/check.ts";
import { failureKey, isSameFailure } from "../../../src/checks/definition-of-done/report.ts";
import { systemClock } from "../../../src/lib/async.ts";
import { createProject } from "../project.ts";

const failure = (output_tail: string, exit_code = 1) => ({
  status: "failed" as const,
  exit_code,
  signature: failureKey(output_tail),
});
const OLD =
  "✓ adds (1.2ms)\n✗ subtracts (3ms)\n  AssertionError: 1 !== 2 at src/a.test.js:10:3\n5 passed, 1 failed (120 ms)";

const eslint = (lines: readonly number[], file = "a.ts") =>
  [
    ...lines.map((line) => `src/${file}:${line}:5  error  'x' is defined but never used  no-unused-vars`),
    "",
    `✖ ${lines.length} problems (${lines.length} errors, 0 warnings)`,
  ].join("\n");

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
      OLD.replace("3ms", "17ms").replace(":10:3", ":14:7").replace("120 ms", "90.5 ms"),
    ],
    ["with more that passes", OLD, `✓ multiplies\n${OLD.replace("5 passed", "9 passed")}`],
    ["with less that fails", `${OLD}\nerror in b.js:1`, OLD],
    ["with lines above it", eslint([12]), eslint([9])],
    ["with one fixed of those that a linter lists", eslint([12, 14]), eslint([12])],
    ["with fewer of many", typeErrors(range(0, 90)), typeErrors(range(1, 90))],
    ["without a word that tells", "broken\n", "broken\n"],
    ["without a word", "", ""],
  ])("fails no worse: %s", (_name, before, now) => {
    expect(isSameFailure(failure(before), failure(now))).toBe(true);
  });

  it.each<[string, string, string]>([
    ["something else fails as well", OLD, `${OLD}\n✗ divides: Error: by zero`],
    ["it fails with other words", OLD, OLD.replace("1 !== 2", "one !== 2")],
    ["the same is wrong once more in a file", eslint([12]), eslint([12, 20])],
    ["the same is wrong in another file", eslint([12]), eslint([12], "b.ts")],
    ["one more than is shown of many", typeErrors(range(0, 90)), typeErrors(range(0, 91))],
    ["it says something now", "", "error: no such file"],
    ["it says nothing any more", OLD, ""],
  ])("fails in a new way: %s", (_name, before, now) => {
    expect(isSameFailure(failure(before), failure(now))).toBe(false);
  });

  it("fails in a new way where it ended differently", () => {
    expect(isSameFailure(failure(OLD, 1), failure(OLD, 2))).toBe(false);
    expect(isSameFailure(failure("", 1), failure("", 2))).toBe(false);
    expect(isSameFailure(failure(OLD), { ...failure(OLD), status: "timeout" })).toBe(false);
  });

  it("is known by everything that it printed, and not by what is shown of it", async () => {
    const directory = await createProject({});
    const run = async (count: number) => {
      const command = `for at in $(seq ${count}); do echo "src/f$at.ts(3,5): error TS2322: no"; done; exit 1`;
      const { signal } = new AbortController();
      const check = { id: "types", command, scope: "full", timeoutSeconds: 30 } as const;
      return runCheck(check, { directory, signal, clock: systemClock, redact: (text) => text });
    };
    const before = await run(90);
    expect(isSameFailure(before, await run(90))).toBe(true);
    expect(isSameFailure(before, await run(89))).toBe(true);
    expect(isSameFailure(before, await run(91))).toBe(false);
  });
});
