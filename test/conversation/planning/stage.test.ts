import { describe, expect, it } from "vitest";
import { settlePlanReview } from "../../../src/conversation/planning/plan-review.ts";
import {
  createStages,
  PLAN_REVIEWS,
  refuseStep,
  type Stage,
  type Step,
} from "../../../src/conversation/planning/stage.ts";
import type { StandingPlan } from "../../../src/workspace/operations/approvals.ts";

const EDIT: Step = { kind: "delegate", agent: "hephaestus", mutates: true };
const READ: Step = { kind: "delegate", agent: "minerva", mutates: false };
const REVIEW: Step = { kind: "delegate", agent: "hades", mutates: false };
const WAVE: Step = { kind: "open-wave" };
const task = { number: 1, text: "Write it", done: false };
const plan = (rest: Partial<StandingPlan>) => ({
  slug: "limits",
  status: "draft" as const,
  standing: "unapproved" as const,
  tasks: [task],
  ...rest,
});
const planning = (reviews = 0): Stage => ({ kind: "planning", reviews });

describe("a step", () => {
  it.each<
    [string, Stage | null, Step, ReturnType<typeof plan> | null, "supervised" | "autopilot", RegExp | null]
  >([
    ["an edit without a unit", null, EDIT, null, "supervised", null],
    ["an edit under a plan that is no plan yet", null, EDIT, plan({ tasks: [] }), "supervised", null],
    ["an edit under a draft", null, EDIT, plan({}), "supervised", /not approved the plan of limits/],
    ["a wave of a draft", null, WAVE, plan({}), "supervised", /not approved/],
    ["a reader under a draft", null, READ, plan({}), "supervised", null],
    ["an edit under an approved plan", null, EDIT, plan({ standing: "approved" }), "supervised", null],
    [
      "an edit under a changed plan",
      null,
      EDIT,
      plan({ standing: "changed", status: "in-progress" }),
      "supervised",
      /as it reads now/,
    ],
    [
      "an edit under work that began without one",
      null,
      EDIT,
      plan({ status: "in-progress" }),
      "supervised",
      null,
    ],
    ["an edit under a draft in autopilot", null, EDIT, plan({}), "autopilot", null],
    ["an edit while planning", planning(), EDIT, null, "supervised", /planned and not approved/],
    ["an edit while planning in autopilot", planning(), EDIT, null, "autopilot", /planned and not approved/],
    ["a wave while planning", planning(), WAVE, null, "supervised", /planned/],
    ["the status while planning", planning(), { kind: "start-plan" }, null, "supervised", /planned/],
    ["a reader while planning", planning(), READ, null, "supervised", null],
    ["the last review", planning(PLAN_REVIEWS - 1), REVIEW, null, "supervised", null],
    ["one review more", planning(PLAN_REVIEWS), REVIEW, null, "supervised", /2 times/],
    [
      "an edit in an advisory review",
      { kind: "review" },
      EDIT,
      plan({ standing: "approved" }),
      "autopilot",
      /advisory/,
    ],
    ["a reviewer in an advisory review", { kind: "review" }, REVIEW, null, "supervised", null],
    ["an edit while a spec is written", { kind: "spec" }, EDIT, null, "supervised", /specified/],
  ])("%s", (_name, stage, step, of, mode, expected) => {
    const refusal = refuseStep(stage, step, of, mode);
    if (expected === null) expect(refusal).toBeNull();
    else expect(refusal).toMatch(expected);
  });
});

describe("the stages", () => {
  it("count reviews until the user says no, and keep planning through the user's words", () => {
    const stages = createStages();
    stages.begin("a", "planning");
    expect([stages.countReview("a"), stages.countReview("a")]).toEqual([1, 2]);
    stages.userSpoke("a");
    expect(stages.get("a")).toEqual(planning(2));
    stages.planRefused("a");
    expect(stages.get("a")).toEqual(planning());
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
    expect(settlePlanReview(result, round)["plan_review"]).toEqual({
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
