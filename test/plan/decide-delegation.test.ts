import { describe, expect, it } from "vitest";
import {
  decideDelegation,
  refuseDisabled,
  type DelegationFacts,
} from "../../src/plan/delegate/decide-delegation.ts";
import { PLAN_REVIEWS, type PlanFacts, type Stage } from "../../src/conversation/planning/stage.ts";
import { renderAsTask } from "../../src/lib/refusal.ts";
import { planTask } from "../support/plan-task.ts";

const EDIT: DelegationFacts = {
  agent: "hephaestus",
  mutates: true,
  readers: ["minerva", "hades"],
  stage: null,
  plan: null,
  mode: "supervised",
  pause: null,
  lacksWave: false,
};
const READ: Partial<DelegationFacts> = { agent: "minerva", mutates: false };
const REVIEW: Partial<DelegationFacts> = { agent: "hades", mutates: false };
const plan = (rest: Partial<PlanFacts> = {}): PlanFacts => ({
  slug: "limits",
  status: "draft",
  standing: "unapproved",
  tasks: [planTask({ number: 1 })],
  ...rest,
});
const planning = (reviews = 0): Stage => ({ kind: "planning", reviews });
const pause = (reason: NonNullable<DelegationFacts["pause"]>["reason"], detail = "") => ({ reason, detail });

describe("decideDelegation", () => {
  it.each<[string, Partial<DelegationFacts>]>([
    ["an edit", {}],
    ["an edit under a plan that is no plan yet", { plan: plan({ tasks: [] }) }],
    ["an edit under an approved plan", { plan: plan({ standing: "approved" }) }],
    ["an edit under work that began without a plan", { plan: plan({ status: "in-progress" }) }],
    ["an edit under a draft in autopilot", { plan: plan(), mode: "autopilot" }],
    ["an edit without a wave in autopilot", { lacksWave: true, mode: "autopilot" }],
    ["an edit while a unit is to be closed", { stage: { kind: "closing" } }],
    ["reading in locked mode", { ...READ, mode: "locked" }],
    ["reading at a pause", { ...READ, pause: pause("batch") }],
    ["reading while blocked", { ...READ, pause: pause("blocked", "no access") }],
    ["reading without a wave", { ...READ, lacksWave: true }],
    ["reading while planning", { ...READ, stage: planning(PLAN_REVIEWS) }],
    ["the last review of a plan", { ...REVIEW, stage: planning(PLAN_REVIEWS - 1) }],
    ["a reviewer in an advisory review", { ...REVIEW, stage: { kind: "review" } }],
  ])("allows %s", (_name, facts) => {
    expect(decideDelegation({ ...EDIT, ...facts })).toEqual({ kind: "allowed" });
  });

  const draft = { plan: plan() };
  it.each<[string, Partial<DelegationFacts>, string]>([
    [
      "a draft",
      draft,
      "Refused: the user has not approved the plan of limits as it reads now. plan_gaia request_approval with kind plan asks; for work outside of it, set_active without slug first.",
    ],
    [
      "a plan that was changed after its approval",
      { plan: plan({ standing: "changed", status: "in-progress" }) },
      "Refused: the user has not approved the plan of limits as it reads now.",
    ],
    [
      "a plan that only calls itself approved",
      { plan: plan({ status: "approved" }) },
      "Refused: the user has not approved the plan of limits as it reads now.",
    ],
    [
      "planning",
      { stage: planning() },
      "Refused: this is planned and not approved yet. plan_gaia request_approval with kind plan asks the user; if they drop the plan, plan_gaia set_active without slug ends the planning.",
    ],
    ["planning, in autopilot too", { stage: planning(), mode: "autopilot" }, "Refused: this is planned"],
    [
      "a spec",
      { stage: { kind: "spec" } },
      "Refused: this is specified and not carried out. Finish the spec; the user says when it is planned.",
    ],
    [
      "an advisory review, whatever was approved",
      { stage: { kind: "review" }, plan: plan({ standing: "approved" }), mode: "autopilot" },
      "Refused: this is an advisory review. Report what was found; the user says what is to be changed.",
    ],
    [
      "one review more",
      { ...REVIEW, stage: planning(PLAN_REVIEWS) },
      "Refused: hades has reviewed this plan 2 times. Tell the user what is still disputed and call plan_gaia request_approval with kind plan.",
    ],
    [
      "locked mode",
      { mode: "locked" },
      "Refused delegate_gaia: hephaestus changes files and the session is locked. Read-only specialists work: minerva, hades. The user unlocks with /supervised or /autopilot.",
    ],
    [
      "a check-in",
      { pause: pause("batch") },
      "Refused delegate_gaia: check-in due. End your turn now. The user answers with /next or feedback; delegations to read-only specialists still work.",
    ],
    [
      "a stop",
      { pause: pause("abort") },
      "Refused delegate_gaia: the user stopped this run. End your turn now.",
    ],
    [
      "blocked work",
      { pause: pause("blocked", "rejected twice.") },
      "Refused delegate_gaia: the work is BLOCKED: rejected twice. Tell the user the reason and the next step and end your turn; their answer opens it again. Delegations to read-only specialists still work.",
    ],
    [
      "a call without a wave",
      { lacksWave: true },
      "In supervised mode a delegation that changes files names its wave, and this one names none. plan_gaia open_wave first, then pass that wave_id.",
    ],
  ])("refuses at %s, in these words", (_name, facts, words) => {
    const decision = decideDelegation({ ...EDIT, ...facts });
    if (decision.kind === "allowed") throw new Error("It was allowed.");
    expect(renderAsTask(decision).message).toContain(words);
  });

  it("says which agents are there instead of a disabled one", () => {
    expect(renderAsTask(refuseDisabled("hades", ["minerva", "aether"]))).toEqual({
      status: "failed",
      message:
        "hades is disabled in the config. Use another agent of the roster, or tell the user which one is missing. Roster: minerva, aether",
    });
  });
});
