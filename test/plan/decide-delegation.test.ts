import { expect, it } from "vitest";
import {
  refuseDelegation,
  refuseDisabled,
  type DelegationFacts,
} from "../../src/plan/delegate/decide-delegation.ts";
import type { PlanFacts } from "../../src/conversation/planning/stage.ts";
import { renderAsTask } from "../../src/lib/error.ts";
import { readCases } from "../support/cases.ts";
import { rulesOf, type RulesGiven } from "../support/rules.ts";
import { planTask } from "../support/plan-task.ts";

const EDIT: DelegationFacts = {
  agent: "hephaestus",
  mutates: true,
  readers: ["minerva", "hades"],
  stage: null,
  plan: null,
  state: rulesOf({}),
  lacksWave: false,
};
const PLAN: PlanFacts = {
  slug: "limits",
  status: "draft",
  standing: "unapproved",
  tasks: [planTask({ number: 1 })],
};
/** What differs from an edit without a plan; an allowed one has no words. */
interface Case {
  readonly name: string;
  readonly facts: Partial<Omit<DelegationFacts, "plan">> &
    RulesGiven & { readonly plan?: Partial<PlanFacts> };
  readonly words?: string;
}

it.each(readCases<Case>("plan/delegations"))(
  "refuseDelegation on $name: $words",
  ({ facts: { plan, mode, pause, asksPlans, ...facts }, words }) => {
    const mutates = facts.agent === undefined;
    const known = plan === undefined ? null : { ...PLAN, ...plan };
    const state = rulesOf({ mode, pause, asksPlans });
    const refusal = refuseDelegation({ ...EDIT, mutates, state, plan: known, ...facts });
    if (words === undefined) expect(refusal).toBeNull();
    else expect(refusal && renderAsTask(refusal).message).toContain(words);
  },
);

it("refuseDelegation says which agents are there instead of a disabled one", () => {
  expect(renderAsTask(refuseDisabled("hades", ["minerva", "aether"]))).toEqual({
    status: "failed",
    message:
      "hades is disabled in the config. Use another agent of the roster, or tell the user which one is missing. Roster: minerva, aether",
  });
});
