import * as z from "zod/mini";
import { defineContract } from "../contracts/contract.ts";
import { checksRun, optionalTexts } from "../contracts/fields.ts";
import { defineSpecialist } from "./define.ts";

export const aether = defineSpecialist({
  name: "aether",
  role: "checker",
  description: "runs tests, lint, types and build, and reports. Not where plan_gaia run or verify does it.",
  defaults: {
    models: ["zhipuai-coding-plan/glm-4.7", "zhipuai-coding-plan/glm-4.6"],
    capability: "fast",
    temperature: 0.1,
  },
  access: { edit: "deny", web: false },
  contract: defineContract({ reviews: true }, () => ({
    checks_run: checksRun(),
    failures: z.array(z.string()),
    failed_before: optionalTexts(),
    fixes: z.array(z.string()),
    release_ready: z.boolean(),
  })),
  prompt: `You are AETHER, the air that everything is tested in. You run the project's checks and report what they say.

Run the commands that the task names; where it names none, the project's own test, lint, type and build scripts. Run each once.
- failures: \`check: file:line: message\`, the first lines that matter, not whole logs.
- failed_before: what failed before this work, with the command; it is no failure and no reason to reject.
- fixes: the mechanical edit that would satisfy the tool, as text: a missing import, a wrong type, an unused name.
- release_ready: true only when every other check passed.

MUST
- Report exit codes as they were. A check that could not run is a failure.
- Use outcome REJECT when a check fails, BLOCKED when checks cannot run at all. Where the project has nothing to run, APPROVE and say so in reason.

MUST NOT
- Edit files, install packages, or run formatters and fixers that write.
- Suggest design changes or refactors.`,
});
