import { describe, expect, it } from "vitest";
import { decideApproval, judgePlan, type ApprovalFacts } from "../../src/plan/operations/decide-approval.ts";
import { TASK_SYNTAX } from "../../src/plan/task.ts";
import { planTask } from "../support/plan-task.ts";

const BODY = `## Goal

Requests are limited.

## Tasks

- [ ] 1. Write it
  - wave: w1
  - agent: hephaestus
  - files: a.ts
  - verify: true

## Done When

- [ ] it works
`;
const CORRECT = `Correct all of it in one update_plan, then ask again. ${TASK_SYNTAX} Tasks of one wave share no file.`;
const specialists = new Map([
  ["hephaestus", { mutates: true }],
  ["hades", { mutates: false }],
]);
const facts = (op: string, rest: Partial<ApprovalFacts> = {}): ApprovalFacts => ({
  op,
  isGaia: true,
  stage: null,
  mode: "supervised",
  pause: null,
  plan: null,
  specialists,
  ...rest,
});
const plan = (rest: Partial<NonNullable<ApprovalFacts["plan"]>> = {}, plan_md = BODY) => ({
  slug: "limits",
  status: "draft" as const,
  standing: "unapproved" as const,
  tasks: [planTask({ number: 1 })],
  plan_md,
  refused: false,
  ...rest,
});
const planning = (reviews = 0) => ({ kind: "planning", reviews }) as const;
const blocked = { reason: "blocked", detail: "no access." } as const;
const asked = (rest: Partial<ApprovalFacts>) => facts("request_approval", { kind: "plan", ...rest });

describe("decideApproval", () => {
  it.each<[string, ApprovalFacts]>([
    ["a wave without a plan", facts("open_wave")],
    ["a wave of an approved plan", facts("open_wave", { plan: plan({ standing: "approved" }) })],
    ["a wave of a draft in autopilot", facts("open_wave", { plan: plan(), mode: "autopilot" })],
    ["the end of a wave", facts("complete_wave")],
    ["a plan that was not planned by the command", asked({ plan: plan({}, "") })],
    ["a complete plan that was reviewed", asked({ plan: plan(), stage: planning(1) })],
    [
      "a plan where nobody can review it",
      asked({ plan: plan(), stage: planning(), specialists: new Map([["hephaestus", { mutates: true }]]) }),
    ],
    ["a plan to which the user said no", asked({ plan: plan({ standing: "rejected", refused: true }) })],
    [
      "a plan in autopilot that was reworked after a no",
      asked({ plan: plan({ standing: "rejected" }), mode: "autopilot" }),
    ],
    ["a spec while planning", facts("request_approval", { kind: "spec", stage: planning(), plan: plan() })],
    ["a plan's first text", facts("update_plan", { stage: planning() })],
    ["the status of work", facts("update_plan", { status: "in-progress" })],
    ["an approval in advance", facts("update_plan", { status: "approved", mode: "autopilot" })],
    ["a unit's end", facts("archive_work_unit")],
    ["a historian's archive", facts("archive_work_unit", { isGaia: false })],
    ["the checks", facts("verify")],
    ["a log entry at any time", facts("append_log", { isGaia: false, stage: planning(), pause: blocked })],
  ])("allows %s", (_name, given) => {
    expect(decideApproval(given)).toEqual({ kind: "allowed" });
  });

  it.each<[string, ApprovalFacts, string, string]>([
    [
      "a wave while planning",
      facts("open_wave", { stage: planning() }),
      "Refused: this is planned and not approved yet.",
      "plan_gaia request_approval with kind plan asks the user; if they drop the plan, plan_gaia set_active without slug ends the planning.",
    ],
    [
      "a wave of a draft",
      facts("open_wave", { plan: plan() }),
      "Refused: the user has not approved the plan of limits as it reads now.",
      "plan_gaia request_approval with kind plan asks; for work outside of it, set_active without slug first.",
    ],
    [
      "a wave while a spec is written",
      facts("open_wave", { stage: { kind: "spec" } }),
      "Refused: this is specified and not carried out.",
      "Finish the spec; the user says when it is planned.",
    ],
    [
      "a specialist's wave",
      facts("open_wave", { isGaia: false }),
      "open_wave is GAIA's alone.",
      "Return your contract; GAIA asks the user.",
    ],
    [
      "the end of a wave while blocked",
      facts("complete_wave", { pause: blocked }),
      "The work is BLOCKED: no access.",
      "Tell the user; nothing is complete.",
    ],
    [
      "checks while blocked",
      facts("verify", { pause: blocked }),
      "The work is BLOCKED: no access.",
      "Tell the user.",
    ],
    [
      "a plan with gaps",
      asked({ plan: plan({}, BODY.replace("  - verify: true\n", "")), stage: planning(1) }),
      "Refused: the plan is not complete (no verify: task 1).",
      CORRECT,
    ],
    [
      "a plan without a task, in every mode",
      asked({ plan: plan({ tasks: [] }, "## Tasks\n\n1. Write it\n"), mode: "autopilot" }),
      "Refused: the plan holds no task, so there is nothing to approve.",
      `${TASK_SYNTAX} Agents: hephaestus, hades.`,
    ],
    [
      "a plan that changes a file twice at once, planned by the command or not",
      asked({
        plan: plan(
          {},
          BODY.replace(
            "## Done",
            "- [ ] 2. Test it\n  - wave: w1\n  - agent: hephaestus\n  - files: ./a.ts\n\n## Done",
          ),
        ),
      }),
      "Refused: the plan is not complete (a.ts is planned for tasks 1 and 2 of wave w1).",
      CORRECT,
    ],
    [
      "a plan in autopilot to which the user said no",
      asked({ plan: plan({ standing: "rejected", refused: true }), mode: "autopilot" }),
      "Refused: the user said no to this plan as it reads.",
      "Change it as they wish first.",
    ],
    [
      "a wave of a plan to which the user said no, in every mode",
      facts("open_wave", { plan: plan({ standing: "rejected", status: "in-progress" }), mode: "autopilot" }),
      "Refused: the user said no to the plan of limits.",
      "Change it as they wish, then plan_gaia request_approval with kind plan; for work outside of it, set_active without slug first.",
    ],
    [
      "a plan that was not reviewed",
      asked({ plan: plan(), stage: planning() }),
      "Refused: hades has not reviewed the plan yet.",
      "",
    ],
    [
      "an approval that a model writes",
      facts("update_plan", { status: "approved" }),
      "Only the user approves a plan.",
      "request_approval with kind: plan asks.",
    ],
    [
      "a start while planning, in autopilot too",
      facts("update_plan", { status: "complete", stage: planning(), mode: "autopilot" }),
      "Refused: this is planned and not approved yet.",
      "plan_gaia request_approval with kind plan asks the user; if they drop the plan, plan_gaia set_active without slug ends the planning.",
    ],
    [
      "the end of a unit with open tasks, the historian's too",
      facts("archive_work_unit", { stage: { kind: "closing" }, isGaia: false }),
      "Refused: tasks of this unit are open.",
      'Call question with header "Close unit" first; only the user closes it.',
    ],
  ])("refuses %s, in these words", (_name, given, reason, hint) => {
    expect(decideApproval(given)).toEqual({ kind: "refused", reason, hint });
  });
});

describe("a work unit", () => {
  const asSpecialist = { isGaia: false, isSpecialist: true };
  it.each(["create_work_unit", "set_active", "archive_work_unit"])("is GAIA's alone to %s", (op) => {
    expect(decideApproval(facts(op, asSpecialist))).toMatchObject({ kind: "refused" });
    expect(decideApproval(facts(op)).kind).toBe("allowed");
    // Outside of GAIA's conversations nobody but the user reaches the tool.
    expect(decideApproval(facts(op, { isGaia: false })).kind).toBe("allowed");
  });

  it.each(["read_work_unit", "update_plan", "append_log", "append_decisions"])(
    "is the historian's to %s as well",
    (op) => {
      expect(decideApproval(facts(op, asSpecialist)).kind).toBe("allowed");
    },
  );
});

describe("a plan that a person wrote or changed", () => {
  const vague = "## Tasks\n\n- [ ] 1. Write it\n- [ ] 2. Test it\n  - agent: hephaestus\n";
  const open = (text: string, rest: Partial<ApprovalFacts> = {}) =>
    asked({ plan: plan({}, text), around: { isVerifiable: false }, ...rest });
  const GAPS = [
    "no agent of hephaestus, hades: task 1",
    "no verify, and no command under ## Done When: task 1, 2",
  ];

  it("is theirs to approve with what it leaves open, which they are shown", () => {
    const byHand = open(vague, { isByHand: true });
    expect(decideApproval(byHand)).toEqual({ kind: "allowed" });
    expect(judgePlan(byHand)).toEqual({ refused: [], shown: GAPS });
    const none = open("We will write it.", { isByHand: true, stage: planning(1) });
    const empty = { ...none, plan: plan({ tasks: [] }, "We will write it.") };
    expect(decideApproval(empty)).toMatchObject({ reason: expect.stringContaining("## Tasks holds no") });
    const strict = { ...byHand, stage: planning(1) };
    expect(decideApproval(strict)).toEqual({ kind: "allowed" });
    expect(judgePlan(strict).shown).toContain("## Goal is empty");
  });

  it("is a model's to complete, in one answer", () => {
    expect(judgePlan(open(vague))).toEqual({ refused: GAPS, shown: [] });
    expect(decideApproval(open(vague))).toMatchObject({
      reason: `Refused: the plan is not complete (${GAPS.join("; ")}).`,
    });
  });

  it("is refused where nobody can carry it out, whoever wrote it", () => {
    const broken = vague.replace("hephaestus", "bob\n  - needs: 9");
    expect(judgePlan(open(broken, { isByHand: true })).refused).toEqual([
      'task 2: there is no agent "bob"',
      "the agents are hephaestus, hades",
      "task 2 needs 9, which is no task",
    ]);
  });
});
