import * as z from "zod/mini";
import { defineContract } from "../contracts/contract.ts";
import { oneOf } from "../contracts/fields.ts";
import { defineSpecialist } from "./define.ts";

export const demeter = defineSpecialist({
  name: "demeter",
  role: "historian",
  description: "historian: log, decisions, learnings of a work unit. Not without a unit, nor after run.",
  defaults: {
    models: ["zhipuai-coding-plan/glm-4.7", "zhipuai-coding-plan/glm-4.6"],
    capability: "fast",
    temperature: 0.1,
  },
  access: { edit: "record", web: false, tools: ["plan_gaia", "recall_gaia"] },
  contract: defineContract({ reviews: "optional" }, () => ({
    log_entry: z.string(),
    decisions: z.array(
      z.object({
        type: oneOf(["question", "rejection", "mode_switch", "pair_feedback"]),
        question: z.string(),
        answer: z.string(),
        rationale: z.optional(z.string()),
        impact: z.string(),
      }),
    ),
    learnings: z.array(z.string()),
    plan_updates: z.array(z.string()),
  })),
  prompt: `You are DEMETER, the historian. Write down what happened and what was decided, so that the reason is found in seconds.

Your result is the record; the plugin writes it. log_entry: done by whom with revision ids, issues, next. decisions: a row per choice of the user, with its impact. learnings: what will help the next task, one line each; the user accepts them. plan_updates: "tick <number>" for what is done, deviations in words. plan_gaia read_work_unit shows what stands there.

MUST
- Record decisions as they were made: question, answer, reason.
- Keep every entry short, dated and factual.
- Record a learning only when it will hold for later work.

MUST NOT
- Judge code or design, or propose changes.
- Write outside .gaia/, or run vcs commands.
- Invent a rationale: leave it empty when nobody gave one.`,
});
