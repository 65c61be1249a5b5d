import { describe, expect, it } from "vitest";
import { settlePlanReview } from "../../../src/conversation/planning/plan-review.ts";
import { createStages, type Stage } from "../../../src/conversation/planning/stage.ts";

const planning = (reviews = 0): Stage => ({ kind: "planning", reviews });

describe("the stages", () => {
  it("count reviews until the user says no, and keep planning through the user's words", () => {
    const stages = createStages();
    stages.begin("a", "planning");
    expect([stages.countReview("a"), stages.countReview("a")]).toEqual([1, 2]);
    stages.userSpoke("a");
    expect(stages.get("a")).toEqual(planning(2));
    stages.planAnswered("a", false);
    expect(stages.get("a")).toEqual(planning());
    stages.planAnswered("a", true);
    expect([stages.get("a"), stages.countReview("a")]).toEqual([null, 0]);
    stages.begin("a", "closing");
    stages.planAnswered("a", true);
    expect(stages.get("a")).toEqual({ kind: "closing" });
    stages.end("a");
    expect(stages.get("a")).toBeNull();
  });

  it("end a review with the user's next words, and know each conversation apart", () => {
    const stages = createStages();
    stages.begin("a", "review");
    stages.begin("b", "spec");
    stages.userSpoke("a");
    expect([stages.get("a"), stages.get("b")]).toEqual([null, { kind: "spec" }]);
  });
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
    ["no outcome", review(undefined), 1, "OKAY", /request_approval/],
    ["a review that failed", { status: "failed", parsed_json: null }, 1, "OKAY", /request_approval/],
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

  it("holds three issues at most", () => {
    const settled = settlePlanReview(review({ verdict: "REJECT" }, 5), 1) as ReturnType<typeof review>;
    expect(settled.parsed_json.data.vulnerabilities).toEqual([{ issue: 0 }, { issue: 1 }, { issue: 2 }]);
  });

  it("that still runs says nothing yet", () => {
    const running = { status: "running" };
    expect(settlePlanReview(running, 1)).toBe(running);
  });
});
