import { describe, expect, it } from "vitest";
import { decideApproval, type ApprovalFacts } from "../../../src/conversation/planning/decide-approval.ts";
import type { PlanFacts } from "../../../src/conversation/planning/stage.ts";

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
  proof: null,
  ...rest,
});
const plan = (rest: Partial<PlanFacts> = {}, plan_md = BODY) => ({
  slug: "limits",
  status: "draft" as const,
  standing: "unapproved" as const,
  tasks: [{ number: 1, text: "Write it", done: false }],
  plan_md,
  ...rest,
});
const planning = (reviews = 0) => ({ kind: "planning", reviews }) as const;
const blocked = { reason: "blocked", detail: "no access." } as const;
const revision = (rest: Partial<ApprovalFacts>) => facts("request_approval", { kind: "revision", ...rest });
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
    ["a spec while planning", facts("request_approval", { kind: "spec", stage: planning(), plan: plan() })],
    ["a revision of what is proven", revision({ proof: "passed" })],
    ["a revision where nothing can be proven", revision({ proof: "unconfigured" })],
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
      "Complete it first.",
    ],
    [
      "a plan that was not reviewed",
      asked({ plan: plan(), stage: planning() }),
      "Refused: hades has not reviewed the plan yet.",
      "",
    ],
    [
      "a revision while blocked",
      revision({ pause: blocked, proof: "passed" }),
      "The work is BLOCKED: no access.",
      "Report the reason and the next step to the user; their answer opens the pipeline again.",
    ],
    ...(
      [
        ["failed", "The Definition of Done does not pass."],
        ["stale", "Files changed after the checks last passed."],
        ["never", "The Definition of Done was not verified yet."],
        [null, "The Definition of Done was not verified yet."],
      ] as const
    ).map(([proof, reason]): [string, ApprovalFacts, string, string] => [
      `a revision whose proof is ${proof}`,
      revision({ proof, mode: "autopilot" }),
      reason,
      "Run plan_gaia verify; a revision is made once it passes.",
    ]),
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
