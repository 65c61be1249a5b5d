import * as z from "zod";
import { parseJson } from "../../lib/json.ts";
import { lazy } from "../../lib/lazy.ts";
import { updatePlan } from "../documents/plan.ts";
import type { PlanStatus } from "../documents/plan-header.ts";
import { digestPlan } from "../documents/plan-substance.ts";
import type { PlanTask } from "../documents/plan-tasks.ts";
import { LOCAL_FOLDER } from "../store/gaia-files.ts";
import { changeDocument, inUnit, type OperationContext, type UnitRef } from "./context.ts";
import { readWorkUnit } from "./units.ts";

/**
 * What was approved, in the folder that no agent may write: a status line in the plan is text, and text approves nothing
 * (SPEC 2.7). Like the active unit it is a fact about this checkout. A repository can bring such a file along, so an entry
 * counts with its seal alone.
 */
const APPROVALS = `${LOCAL_FOLDER}/approvals.json`;

const approvals = lazy(() =>
  z.record(
    z.string(),
    z.object({ digest: z.string(), base: z.string().nullable(), seal: z.string().default("") }),
  ),
);
type Approvals = z.infer<ReturnType<typeof approvals>>;
type Approval = Pick<Approvals[string], "digest" | "base">;

/** Whether the plan, as it reads now, is the one that was approved. */
export type PlanStanding = "approved" | "changed" | "unapproved";

/** A plan with its standing. */
export interface StandingPlan {
  readonly slug: string;
  readonly title: string;
  readonly status: PlanStatus | null;
  readonly standing: PlanStanding;
  readonly tasks: readonly PlanTask[];
  readonly plan_md: string;
  /** The revision that the project was at when the plan was approved; null when unknown. */
  readonly base: string | null;
}

/** Marks the plan as approved as it reads now. To be called for a human's yes only. */
export async function approvePlan(
  { files, seal }: OperationContext,
  { slug, base }: UnitRef & { base: string | null },
): Promise<{ slug: string }> {
  return inUnit(files, slug, async (writer, unit) => {
    await changeDocument(writer, `${unit}/plan.md`, (text) => updatePlan(text, { status: "approved" }));
    const digest = digestPlan((await writer.read(`${unit}/plan.md`)) ?? "");
    const approval = { digest, base, seal: await seal(sealed(unit, { digest, base })) };
    await writer.change(APPROVALS, (text) => ({
      text: `${JSON.stringify({ ...parseApprovals(text), [unit]: approval }, null, 1)}\n`,
      result: null,
    }));
    return { slug: unit };
  });
}

/** Reads a plan and compares it with what was approved. */
export async function readPlanStanding(context: OperationContext, ref?: UnitRef): Promise<StandingPlan> {
  const { slug: unit, title, status, tasks, content } = await readWorkUnit(context, ref);
  const noted = parseApprovals(await context.files.read(APPROVALS))[unit];
  const isUsers = noted !== undefined && noted.seal === (await context.seal(sealed(unit, noted)));
  const approved = isUsers ? noted : undefined;
  const isSame = approved?.digest === digestPlan(content.plan_md);
  return {
    slug: unit,
    title,
    status,
    standing: approved === undefined ? "unapproved" : isSame ? "approved" : "changed",
    tasks,
    plan_md: content.plan_md,
    base: approved?.base ?? null,
  };
}

function sealed(unit: string, { digest, base }: Approval): string {
  return JSON.stringify(["plan", unit, digest, base]);
}

/** What cannot be read approves nothing. */
function parseApprovals(text: string | null): Approvals {
  return approvals().safeParse(parseJson(text ?? "")).data ?? {};
}
