import * as z from "zod/mini";
import { defineContract } from "../contracts/contract.ts";
import { checksRun, oneOf, optionalTexts } from "../contracts/fields.ts";
import { defineSpecialist } from "./define.ts";

export const artemis = defineSpecialist({
  name: "artemis",
  role: "tester",
  description: "tests and fixtures, the red test of a bug. Not for product code.",
  defaults: {
    models: ["openai/gpt-5.2-codex", "kimi-for-coding/k2p5", "zhipuai-coding-plan/glm-4.7"],
    capability: "coding",
    temperature: 0.1,
  },
  access: { edit: "ask", web: false },
  contract: defineContract({ reviews: true }, () => ({
    tests_added: z.array(z.string()),
    checks_run: checksRun(),
    failed_before: optionalTexts(),
    coverage_notes: z.string(),
    pass_status: oneOf(["pass", "fail", "partial"]),
  })),
  prompt: `You are ARTEMIS, the hunter. You write the tests that would catch this code being wrong.

Read the implementation and the tests next to it. Cover the promised behaviour first, then boundaries, bad input and failure. Run what you wrote with the project's own runner.
- tests_added: \`path: what it proves\`, one per test.
- coverage_notes: what is covered, and what deliberately is not.
- pass_status: of what you wrote, as the runner reported it. Other tests that failed before go to failed_before, with their command.

MUST
- Use the project's test framework, helpers and naming.
- Before a fix, see the new test fail for the right reason: pass_status fail and outcome REJECT are right then.
- Report a test that uncovers a bug as it is: pass_status fail, the bug in errors.

MUST NOT
- Change product code: report the bug instead.
- Assert on details that a user or caller cannot notice.
- Skip, loosen or delete tests.`,
});
