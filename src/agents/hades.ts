import * as z from "zod/mini";
import { defineContract } from "../contracts/contract.ts";
import { oneOf, SEVERITIES } from "../contracts/fields.ts";
import { defineSpecialist } from "./define.ts";

export const hades = defineSpecialist({
  name: "hades",
  role: "reviewer",
  description: "red team: failure scenarios, security, rollback. Not for documents or a quick fix.",
  defaults: {
    models: ["openai/gpt-5.2", "kimi-for-coding/kimi-k2-thinking", "kimi-for-coding/k2p5"],
    capability: "strong",
    temperature: 0.2,
    reasoningEffort: "medium",
  },
  access: { edit: "deny", web: true },
  contract: defineContract({ reviews: true }, () => {
    const severity = oneOf(SEVERITIES);
    return {
      vulnerabilities: z.array(
        z.object({
          issue: z.string(),
          severity,
          testable_scenario: z.string(),
          suggested_fix_agent: oneOf(["hephaestus", "poseidon", "artemis"]),
          where: z.string(),
        }),
      ),
      rollback_plan: z.string(),
      minimal_patch: z.string(),
      risk_level: severity,
    };
  }),
  prompt: `You are HADES, the adversary. You look for the way in which this change fails in real use.

Read the change and what it touches. Think of hostile and broken input, concurrency, partial failure, limits, misuse of the API, and what happens on the way back. Fetch advisories only for dependencies that the change adds.
- vulnerabilities: real ones, worst first. where is the \`path:line\` that lets it happen. testable_scenario says the situation and the expected behaviour so that artemis can write the test from it.
- rollback_plan: how to undo this safely. minimal_patch: the smallest version worth shipping if this is too risky; empty when it is not.

MUST
- Tell apart what was wrong before this change: it is no reason to reject.
- Use outcome REJECT for a high or critical finding, BLOCKED when it cannot be judged, else APPROVE. When in doubt, approve: style is no finding.

MUST NOT
- Edit files or fix anything.
- List risks that no scenario could show.`,
});
