import { describe, expect, it } from "vitest";
import { failureSignature, isSameFailure } from "../../../src/checks/evidence/same-failure.ts";

const failure = (output_tail: string, exit_code = 1) => ({
  status: "failed" as const,
  exit_code,
  signature: failureSignature({ output_tail }),
});
const OLD =
  "✓ adds (1.2ms)\n✗ subtracts (3ms)\n  AssertionError: 1 !== 2 at /tmp/x1/a.test.js:10:3\n5 passed, 1 failed (120 ms)";

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
    ["without a word that tells", "broken\n", "broken\n"],
    ["without any word", "", ""],
  ])("fails in the same way: %s", (_name, before, now) => {
    expect(isSameFailure(failure(before), failure(now))).toBe(true);
  });

  it.each<[string, string, string]>([
    ["something else fails as well", OLD, `${OLD}\n✗ divides`],
    ["more fails", OLD, OLD.replace("1 failed", "2 failed")],
    ["it fails with other words", OLD, OLD.replace("1 !== 2", "1 !== 3")],
    ["it says something now", "", "error: no such file"],
    ["it says nothing any more", OLD, ""],
  ])("fails in a new way: %s", (_name, before, now) => {
    expect(isSameFailure(failure(before), failure(now))).toBe(false);
  });

  it("fails in a new way where it ended differently", () => {
    expect(isSameFailure(failure("", 1), failure("", 2))).toBe(false);
    expect(isSameFailure(failure(OLD), { ...failure(OLD), status: "timeout" })).toBe(false);
  });
});
