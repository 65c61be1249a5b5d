import { describe, expect, it } from "vitest";
import { judgePlan, type ApprovalFacts } from "../../src/plan/operations/decide-approval.ts";
import { refuseOperation } from "../../src/plan/operations/operations.ts";
import { TASK_SYNTAX } from "../../src/plan/task.ts";
import { rulesOf, type RulesGiven } from "../support/rules.ts";
import { planTask } from "../support/plan-task.ts";
import { readCases } from "../support/cases.ts";

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
const CORRECT = `Correct all of it in one update_plan, then ask again. ${TASK_SYNTAX}`;
const specialists = new Map([
  ["hephaestus", { mutates: true }],
  ["hades", { mutates: false }],
]);
type Given = Partial<ApprovalFacts> & RulesGiven;
const facts = (op: ApprovalFacts["op"], { mode, pause, ...rest }: Given = {}): ApprovalFacts => ({
  op,
  isGaia: true,
  stage: null,
  state: rulesOf({ mode, pause }),
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
const asked = (rest: Partial<ApprovalFacts>) => facts("request_approval", { kind: "plan", ...rest });

/** One case: what is asked for, what differs from the usual, and the refusal; an allowed one has no reason. */
interface Case {
  readonly name: string;
  readonly op: ApprovalFacts["op"];
  readonly facts?: Given;
  readonly plan?: Parameters<typeof plan>[0];
  readonly edit?: [from: string, to: string];
  readonly specialists?: readonly string[];
  readonly reason?: string;
  readonly hint?: string;
}

it.each(readCases<Case>("plan/approvals"))("refuseOperation on $name: $reason", (row) => {
  const { op, edit, reason, hint = "" } = row;
  const text = edit === undefined ? BODY : BODY.replace(...edit);
  const given = facts(op, {
    ...row.facts,
    ...(row.plan === undefined ? {} : { plan: plan(row.plan, text) }),
    ...(row.specialists ? { specialists: new Map([["hephaestus", { mutates: true }]]) } : {}),
  });
  const words = hint.replace("CORRECT", CORRECT).replace("SYNTAX", TASK_SYNTAX);
  expect(refuseOperation(given)).toEqual(
    reason === undefined ? null : { kind: "refused", reason, hint: words },
  );
});

describe("a plan that a person wrote or changed", () => {
  const vague = "## Tasks\n\n- [ ] 1. Write it\n- [ ] 2. Test it\n  - agent: hephaestus\n";
  const open = (text: string, rest: Partial<ApprovalFacts> = {}) => asked({ plan: plan({}, text), ...rest });
  const GAPS = ["no agent of hephaestus, hades: task 1"];

  it("is theirs to approve with what it leaves open, which they are shown", () => {
    const byHand = open(vague, { isByHand: true });
    expect(refuseOperation(byHand)).toBeNull();
    expect(judgePlan(byHand)).toEqual({ refused: [], shown: GAPS });
    const none = open("We will write it.", { isByHand: true, stage: planning(1) });
    const empty = { ...none, plan: plan({ tasks: [] }, "We will write it.") };
    expect(refuseOperation(empty)).toMatchObject({ reason: expect.stringContaining("## Tasks holds no") });
    const strict = { ...byHand, stage: planning(1) };
    expect(refuseOperation(strict)).toBeNull();
    expect(judgePlan(strict).shown).toContain("## Goal is empty");
  });

  it("is a model's to complete, in one answer", () => {
    expect(judgePlan(open(vague))).toEqual({ refused: GAPS, shown: [] });
    expect(refuseOperation(open(vague))).toMatchObject({
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
