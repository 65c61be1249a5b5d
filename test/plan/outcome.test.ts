import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  conclusionOf,
  decideAfterReview,
  NO_REVIEW_YET,
  type ReviewerOutcome,
  type ReviewVerdict,
} from "../../src/plan/review/outcome.ts";

function outcome(
  reviewer: string,
  verdict: ReviewVerdict,
  rest: Partial<ReviewerOutcome> = {},
): ReviewerOutcome {
  return { reviewer, verdict, ...rest };
}

describe("what a reviewer concludes", () => {
  const concluded = (outcome: unknown, status = "completed") => conclusionOf("hades", status, { outcome });
  it.each([
    [
      { verdict: "REJECT", reason: "bad", next_step: "fix" },
      { verdict: "REJECT", reason: "bad", nextStep: "fix" },
    ],
    [{ verdict: " reject " }, { verdict: "REJECT" }],
    [{ verdict: "APPROVE" }, { verdict: "APPROVE" }],
  ])("is read from %j", (raw, expected) => {
    expect(concluded(raw)).toEqual({ reviewer: "hades", ...expected });
  });

  it.each(["partial", "failed", "cancelled", "running"])("is no approval of one that is %s", (status) => {
    expect(concluded({ verdict: "APPROVE" }, status)).toBeNull();
    expect(concluded({ verdict: "REJECT" }, status)).toMatchObject({ verdict: "REJECT" });
  });

  it.each([
    [undefined],
    [null],
    [{}],
    [{ verdict: "MAYBE" }],
    [[]],
    [7],
    ["APPROVE"],
    [{ verdict: { deep: 1 } }],
  ])("is nothing in %j", (raw) => {
    expect(concluded(raw)).toBeNull();
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.anything(), (raw) => {
        expect(["APPROVE", "REJECT", "BLOCKED", undefined]).toContain(
          conclusionOf("x", "completed", raw)?.verdict,
        );
      }),
    );
  });
});

describe("decideAfterReview", () => {
  it("allows exactly one round of fixing, then blocks with what was said", () => {
    const rejected = [
      outcome("hades", "REJECT", { reason: "race", nextStep: "lock it" }),
      outcome("aether", "APPROVE"),
    ];
    const first = decideAfterReview(NO_REVIEW_YET, rejected);
    expect(first).toMatchObject({ kind: "fix-round" });
    expect(decideAfterReview(first.state, rejected)).toMatchObject({
      kind: "blocked",
      reason: expect.stringContaining("after one round of fixing (hades: race)"),
      nextStep: "lock it",
    });
    expect(decideAfterReview(first.state, [outcome("hades", "APPROVE")])).toMatchObject({ kind: "proceed" });
  });

  it("stops at once on BLOCKED, with something to do next", () => {
    const decision = decideAfterReview(NO_REVIEW_YET, [outcome("hades", "BLOCKED")]);
    expect(decision).toMatchObject({ kind: "blocked", reason: "hades: gave no reason" });
    expect(decision).toHaveProperty("nextStep", expect.stringMatching(/\w/));
  });
});
