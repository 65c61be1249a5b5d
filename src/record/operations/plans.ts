import * as z from "zod/mini";
import { lazy } from "../../lib/async.ts";
import { digestPlan, updatePlan, newlyDone, type PlanUpdate } from "../../plan/update.ts";
import type { GaiaReader } from "../store/gaia-files.ts";
import {
  type OperationContext,
  changeDocument,
  failure,
  inUnit,
  recordPath,
  unitOf,
  type UnitRef,
  defineLocalMap,
} from "./context.ts";
import type { PlanStatus, PlanTask } from "../../plan/task.ts";
import { renderErrors, parsePlan } from "../../plan/grammar.ts";
import { refuseChange } from "../documents/table.ts";

/** What was approved in this checkout. A repository can bring such a file along, so a yes counts only with its seal (SPEC 2.7). */
const schema = lazy(() =>
  z.object({
    digest: z._default(z.string(), ""),
    base: z._default(z.nullable(z.string()), null),
    by: z._default(z.enum(["user", "autopilot"]), "autopilot"),
    seal: z._default(z.string(), ""),
    /** The plan to which the user said no last; gone with the next yes. */
    rejected: z.optional(z.string()),
  }),
);
/** What cannot be read approves nothing. */
export const approvals = defineLocalMap("approvals.json", schema);

/** How a plan reads beside the approved one. After a no it stays rejected, however reworded, until a yes. */
export type PlanStanding = "approved" | "changed" | "unapproved" | "rejected";

interface PlanApproval {
  readonly standing: PlanStanding;
  /** The revision that the project was at when the plan was approved; null when unknown. */
  readonly base: string | null;
  /** Who approved it: a person in a dialog, or autopilot in their name; null where nobody has. */
  readonly by: "user" | "autopilot" | null;
  /** Whether the user said no to exactly this text. */
  readonly refused: boolean;
}

async function planApprovalOf(
  { seal }: OperationContext,
  reader: GaiaReader,
  unit: string,
  text: string,
): Promise<PlanApproval> {
  const noted = await approvals.get(reader, unit);
  if (noted === undefined) return { standing: "unapproved", base: null, by: null, refused: false };
  const digest = digestPlan(text);
  const isUsers = noted.seal === (await seal("plan", unit, noted.digest, noted.base, noted.by));
  const yes = { base: isUsers ? noted.base : null, by: isUsers ? noted.by : null };
  if (noted.rejected === digest) return { standing: "rejected", ...yes, refused: true };
  if (isUsers && noted.digest === digest) return { standing: "approved", ...yes, refused: false };
  if (noted.rejected !== undefined) return { standing: "rejected", ...yes, refused: false };
  return { standing: isUsers ? "changed" : "unapproved", ...yes, refused: false };
}

export interface StandingPlan extends PlanApproval {
  readonly slug: string;
  readonly title: string;
  readonly status: PlanStatus | null;
  readonly tasks: readonly PlanTask[];
  readonly plan_md: string;
}

const ENDED =
  "The user approved another text: nothing more of this plan is carried out before request_approval with kind plan.";

export const planOperations = (context: OperationContext) => {
  const { files, method, clean, tellPlan } = context;
  return {
    /** Marks the plan as approved. For a person's yes only. `shown`: what they said yes to; another text is not approved. */
    approvePlan: method(
      async ({
        slug,
        base,
        by = "user",
        shown,
      }: UnitRef & { base: string | null; by?: "user" | "autopilot"; shown?: string }) =>
        inUnit(files, slug, async (writer, unit) => {
          const path = `${unit}/plan.md` as const;
          const digest = digestPlan((await writer.read(path)) ?? "");
          if (shown !== undefined && digestPlan(shown) !== digest) {
            throw failure(
              "The plan was changed while the user looked at it, so their yes is for another text.",
              "Call request_approval with kind plan again.",
            );
          }
          await changeDocument(writer, path, (text) => updatePlan(text, { status: "approved" }));
          const seal = await context.seal("plan", unit, digest, base, by);
          await approvals.set(writer, unit, { digest, base, by, seal });
          return { slug: unit };
        }),
    ),
    /** Notes that the user said no to a plan. `shown`: what they said no to; by default the plan as it reads now. */
    rejectPlan: method(async ({ slug, shown }: UnitRef & { shown?: string }) =>
      inUnit(files, slug, async (writer, unit) => {
        const rejected = digestPlan(shown ?? (await writer.read(`${unit}/plan.md`)) ?? "");
        // What was approved before stays noted beside it.
        const before = (await approvals.get(writer, unit)) ?? {};
        await approvals.set(writer, unit, { ...schema().parse(before), rejected });
        return { slug: unit };
      }),
    ),
    /** Reads a plan and compares it with what was approved. One that is not in the grammar is an error. */
    planStanding: method(async ({ slug: named }: UnitRef = {}): Promise<StandingPlan> => {
      const slug = await unitOf(files, named);
      const plan_md = (await files.read(`${slug}/plan.md`)) ?? "";
      const { title, status, tasks, errors } = parsePlan(plan_md);
      if (errors.length > 0)
        throw failure(
          `${recordPath(`${slug}/plan.md`)} is not in the grammar of plans; nothing of it is carried out until it is:\n${renderErrors(errors)}`,
          "Correct these lines: by update_plan, or the user in the file.",
        );
      const approval = await planApprovalOf(context, files, slug, plan_md);
      return { slug, title, status, tasks, plan_md, ...approval };
    }),
    /** Updates a plan and tells its state. A rejected plan is neither ticked nor begun. */
    updatePlan: clean(async ({ slug, ...update }: PlanUpdate & UnitRef) =>
      tellPlan(
        await inUnit(files, slug, async (writer, unit) => {
          const path = `${unit}/plan.md` as const;
          const before = (await writer.read(path)) ?? "";
          const { standing } = await planApprovalOf(context, writer, unit, before);
          let after = before;
          const state = await changeDocument(writer, path, (text) => {
            const changed = updatePlan(text, update);
            if (!changed.ok) return changed;
            after = changed.text;
            const begins = update.status === "in-progress" || update.status === "complete";
            const done = newlyDone(text, after);
            if (standing !== "rejected" || (done.length === 0 && !begins)) return changed;
            return refuseChange(
              "The user said no to this plan: it is neither ticked nor begun.",
              "Change it as they wish and call request_approval with kind plan; until then nothing of it counts as done.",
            );
          });
          const isEnded =
            standing === "approved" &&
            (await planApprovalOf(context, writer, unit, after)).standing !== "approved";
          return { path: recordPath(path), ...state, ...(isEnded ? { approval_ended: ENDED } : {}) };
        }),
      ),
    ),
  };
};
