import type { PlanStatus, PlanTask } from "../../plan/task.ts";
import { digestPlan, updatePlan } from "../../plan/update.ts";
import { noteNo, noteYes, planApprovalOf, type PlanApproval } from "./approval-notes.ts";
import {
  changeDocument,
  failure,
  inUnit,
  recordPath,
  type OperationContext,
  type UnitRef,
} from "./context.ts";
import { readWorkUnit } from "./units.ts";

/** A plan with its standing. */
export interface StandingPlan extends PlanApproval {
  readonly slug: string;
  readonly title: string;
  readonly status: PlanStatus | null;
  readonly tasks: readonly PlanTask[];
  readonly plan_md: string;
}

const CORRECT = "Correct these lines: by update_plan, or the user in the file.";

/** What is said of a plan with errors. @param problem a line for each of them */
export function notInGrammar(unit: string, problem: string): string {
  return `${recordPath(`${unit}/plan.md`)} is not in the grammar of plans; nothing of it is carried out until it is (line:column):\n${problem}`;
}

/**
 * Marks the plan as approved as it reads now. To be called for a human's yes only.
 * @param by who said it: a person, or autopilot in their name
 * @param shown the plan that they said yes to; another one that stands there meanwhile is not approved by it
 */
export async function approvePlan(
  context: OperationContext,
  {
    slug,
    base,
    by = "user",
    shown,
  }: UnitRef & { base: string | null; by?: "user" | "autopilot"; shown?: string },
): Promise<{ slug: string }> {
  return inUnit(context.files, slug, async (writer, unit) => {
    const path = `${unit}/plan.md` as const;
    const digest = digestPlan((await writer.read(path)) ?? "");
    if (shown !== undefined && digestPlan(shown) !== digest) {
      throw failure(
        "The plan was changed while the user looked at it, so their yes is for another text.",
        "Call request_approval with kind plan again.",
      );
    }
    await changeDocument(writer, path, (text) => updatePlan(text, { status: "approved" }));
    await noteYes(context, writer, unit, { digest, base, by });
    return { slug: unit };
  });
}

/** Notes that the user said no to a plan. @param shown what they said no to; by default the plan as it reads now */
export async function rejectPlan(
  { files }: OperationContext,
  { slug, shown }: UnitRef & { shown?: string },
): Promise<{ slug: string }> {
  return inUnit(files, slug, async (writer, unit) => {
    await noteNo(writer, unit, digestPlan(shown ?? (await writer.read(`${unit}/plan.md`)) ?? ""));
    return { slug: unit };
  });
}

/**
 * Reads a plan and compares it with what was approved.
 * @throws GaiaError for one that is not in the grammar: nothing of it is carried out, shown for a yes, or half read
 */
export async function readPlanStanding(context: OperationContext, ref?: UnitRef): Promise<StandingPlan> {
  const { slug: unit, title, status, tasks, content, problem } = await readWorkUnit(context, ref);
  if (problem !== undefined) throw failure(notInGrammar(unit, problem), CORRECT);
  const stands = await planApprovalOf(context, context.files, unit, content.plan_md);
  return { slug: unit, title, status, tasks, plan_md: content.plan_md, ...stands };
}
