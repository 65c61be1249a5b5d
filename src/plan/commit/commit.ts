import { pathIn } from "../../lib/path-in.ts";
import { refuse } from "../../lib/refusal.ts";
import type { StandingPlan } from "../../record/operations/plans.ts";
import { normalisePath } from "../files.ts";
import type { PlanArgs } from "../operations/args.ts";
import type { PlanCall } from "../operations/ask.ts";
import { proveAgain } from "../run/prove.ts";
import { elsewhere, haltOf, planNow, type Halt, type Run } from "../run/run.ts";
import { hasUncommittedWork, hostCommit, type CommitOrder, type CommitResult } from "./host-commit.ts";

/** Commits the work of a conversation, in a unit or without one: `plan_gaia commit`. */
export async function commit(
  scene: PlanCall,
  { slug, commit: message = "", files }: Pick<PlanArgs, "slug" | "commit" | "files">,
): Promise<object> {
  const { runtime, conversation } = scene;
  const plan = slug === undefined ? null : await runtime.workspace.planStanding({ slug });
  const { project, directory } = conversation.tree.place;
  // What is gone is named from the project.
  const only =
    files && (await Promise.all(files.map(async (name) => (await pathIn(project, directory, name)) ?? name)));
  const planned = plan?.ok === true ? plannedBy(plan) : [];
  const { end } = await commitProven({ ...scene, unit: slug ?? null, message, planned, only });
  if (end.kind === "none") return { ok: true, revision: null, why: end.why };
  return end.kind === "refused" ? end : { ok: true, revision: end.id, notes: end.notes };
}

/** Commits what a run has done. @returns why it was not */
export async function commitWork(run: Run): Promise<Halt | null> {
  const away = elsewhere(run);
  if (away !== null) return away;
  const plan = await planNow(run);
  const message = run.commit?.message.trim() || plan.title;
  const { end, unproven } = await commitProven({
    ...run,
    message,
    planned: plannedBy(plan),
    only: undefined,
  });
  if (end.kind === "refused") return unproven ?? haltOf(end, end.isOurs === true ? "decision" : "user");
  if (end.kind === "made") run.notes.push(`revision: ${end.id}`, ...end.notes);
  else run.notes.push(`revision: none, ${end.why}`);
  return null;
}

/** Through the gate of every commit: what changed since the checks passed is proven again, and the user is asked where they decide. */
async function commitProven(
  order: Omit<CommitOrder, "prove">,
): Promise<{ readonly end: CommitResult; readonly unproven: Halt | null }> {
  let unproven: Halt | null = null;
  const end = await hostCommit({
    ...order,
    async prove() {
      unproven = await proveAgain(order);
      return unproven === null ? null : refuse(unproven.why, unproven.next);
    },
  });
  return { end, unproven };
}

/** Whether something of the work is in no commit yet, as far as can be told. */
export async function hasUncommitted(run: Run): Promise<boolean> {
  return hasUncommittedWork({ ...run, planned: plannedBy(await planNow(run)), only: undefined });
}

/** The files that a plan names. */
function plannedBy({ tasks }: StandingPlan): readonly string[] {
  return tasks.flatMap(({ files = [] }) => files.map(normalisePath));
}
