import { divideTasks, type DividedPlan } from "../../plan/divide.ts";
import { newlyDone, updatePlan, type PlanState, type PlanUpdate } from "../../plan/update.ts";
import { refuseChange } from "../documents/document.ts";
import { planApprovalOf } from "./approval-notes.ts";
import {
  changeDocument,
  inUnit,
  recordPath,
  type OperationContext,
  type UnitRef,
  type Written,
} from "./context.ts";

/** What a change of a plan came to. */
export interface PlanChange extends PlanState, Written {
  /** Set when the plan was approved before, and does not read as it was approved any more. */
  readonly approval_ended?: string;
}

const ENDED =
  "The user approved another text: nothing more of this plan is carried out before request_approval with kind plan.";

/**
 * Divides the open tasks of a plan that ask for it, as it reads now; nothing of one that reads as it was approved.
 * @param files see `divideTasks`
 */
export async function divideWritten(
  context: OperationContext,
  { slug, files }: UnitRef & { files: ReadonlyMap<number, readonly string[]> },
): Promise<Written & Pick<DividedPlan, "told">> {
  return inUnit(context.files, slug, async (writer, unit) => {
    const path = `${unit}/plan.md` as const;
    const { standing } = await planApprovalOf(context, writer, unit, (await writer.read(path)) ?? "");
    const told = await changeDocument(writer, path, (text) => {
      const divided = standing === "approved" ? { markdown: text, told: [] } : divideTasks(text, files);
      return { ok: true, text: divided.markdown, result: divided.told };
    });
    return { path: recordPath(path), told };
  });
}

/**
 * Applies an update to a unit's plan and tells its state afterwards. A plan to which the user said no is neither ticked nor
 * begun, in whatever form a model writes that.
 */
export async function changePlan(
  context: OperationContext,
  { slug, ...update }: PlanUpdate & UnitRef,
): Promise<PlanChange> {
  return inUnit(context.files, slug, async (writer, unit) => {
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
      standing === "approved" && (await planApprovalOf(context, writer, unit, after)).standing !== "approved";
    return { path: recordPath(path), ...state, ...(isEnded ? { approval_ended: ENDED } : {}) };
  });
}
