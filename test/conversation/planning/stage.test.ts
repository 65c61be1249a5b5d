import { describe, expect, it } from "vitest";
import { settlePlanReview } from "../../../src/plan/delegate/decide-delegation.ts";
import { createPlanning, PLANNING, type Stage } from "../../../src/conversation/planning/stage.ts";
import { keeping } from "../../support/kept.ts";

const planning = (reviews = 0): Stage => ({ kind: "planning", reviews });

it("the stage counts reviews until the user says no, and goes on planning through the user's words", () => {
  const stage = createPlanning(keeping());
  stage.begin(PLANNING);
  expect([stage.countReview(), stage.countReview()]).toEqual([1, 2]);
  stage.userSpoke?.("message");
  expect(stage.stage()).toEqual(planning(2));
  stage.planAnswered(false);
  expect(stage.stage()).toEqual(planning());
  stage.planAnswered(true);
  expect([stage.stage(), stage.countReview()]).toEqual([null, 0]);
  stage.begin({ kind: "spec" });
  stage.planAnswered(true);
  expect(stage.stage()).toEqual({ kind: "spec" });
  stage.end();
  expect(stage.stage()).toBeNull();
});

describe("a plan's review", () => {
  const review = (outcome: unknown, issues = 1) => ({
    status: "completed",
    parsed_json: {
      data: { vulnerabilities: Array.from({ length: issues }, (_, at) => ({ issue: at })) },
      outcome,
    },
  });

  it.each([
    ["an approval", review({ verdict: "APPROVE" }), 1, "OKAY", /request_approval/],
    ["no outcome", review(undefined), 1, "not reviewed", /once more/],
    ["no outcome again", review(undefined), 2, "not reviewed", /nobody reviewed it.*request_approval/],
    ["a review that failed", { status: "failed", parsed_json: null }, 1, "not reviewed", /once more/],
    ["a first rejection", review({ verdict: "REJECT" }), 1, "REJECT", /once more/],
    ["a second rejection", review({ verdict: "REJECT" }), 2, "REJECT", /last review.*request_approval/],
  ])("%s", (_name, result, round, verdict, next) => {
    expect(settlePlanReview(result, round)).toHaveProperty("plan_review", {
      round,
      of: 2,
      verdict,
      next: expect.stringMatching(next),
    });
  });
});
