import { refuse } from "../../lib/refusal.ts";
import { normalisePath } from "../../plan/files.ts";
import type { StandingPlan } from "../../record/operations/approvals.ts";
import { hasUncommittedWork, hostCommit } from "../commit/host-commit.ts";
import { elsewhere, haltOf, type Halt } from "./halt.ts";
import { proveAgain } from "./prove.ts";
import { planNow, type Run } from "./run.ts";

/** Commits the change, through the gate of every commit: the user is asked where they decide. @returns why it was not */
export async function commitWork(run: Run): Promise<Halt | null> {
  const { runtime, conversation, call, unit } = run;
  const away = elsewhere(run);
  if (away !== null) return away;
  const plan = await planNow(run);
  let unproven: Halt | null = null;
  const end = await hostCommit({
    runtime,
    conversation,
    call,
    unit,
    message: run.commit?.message.trim() || plan.title,
    planned: plannedBy(plan),
    only: undefined,
    async prove() {
      unproven = await proveAgain(run);
      return unproven === null ? null : refuse(unproven.why, unproven.next);
    },
  });
  if (end.kind === "refused") return unproven ?? haltOf(end, end.isOurs === true ? "decision" : "user");
  if (end.kind === "made") run.notes.push(`revision: ${end.id}`, ...end.notes);
  else run.notes.push(`revision: none, ${end.why}`);
  return null;
}

/** Whether something of the work is in no commit yet, as far as can be told. */
export async function hasUncommitted(run: Run): Promise<boolean> {
  return hasUncommittedWork({ ...run, planned: plannedBy(await planNow(run)), only: undefined });
}

/** The files that a plan names. */
export function plannedBy({ tasks }: StandingPlan): readonly string[] {
  return tasks.flatMap(({ files = [] }) => files.map(normalisePath));
}
