import type { Conversation } from "../../conversation/conversation.ts";
import type { ToolCall } from "../../host/port.ts";
import { pathIn } from "../../lib/path-in.ts";
import { refuse } from "../../lib/refusal.ts";
import type { Runtime } from "../../runtime.ts";
import type { StandingPlan } from "../../workspace/operations/approvals.ts";
import { normalisePath } from "../files.ts";
import { proveAgain } from "../run/prove.ts";
import { elsewhere, haltOf, planNow, type Halt, type Run } from "../run/run.ts";
import { hostCommit, hasUncommittedWork } from "./host-commit.ts";

/** What `plan_gaia commit` reads of its arguments. */
interface CommitArgs {
  readonly slug?: string | undefined;
  /** The message. */
  readonly commit?: string | undefined;
  readonly files?: readonly string[] | undefined;
}

/** Commits the work of a conversation, in a unit or without one. */
export async function commit(
  runtime: Runtime,
  conversation: Conversation,
  { slug, commit: message, files }: CommitArgs,
  call: ToolCall,
): Promise<object> {
  const unit = slug ?? null;
  const plan = unit === null ? null : await runtime.workspace.planStanding({ slug: unit });
  const { project, directory } = conversation.tree.place;
  // What is gone is named from the project.
  const only =
    files && (await Promise.all(files.map(async (name) => (await pathIn(project, directory, name)) ?? name)));
  const end = await hostCommit({
    runtime,
    conversation,
    call,
    unit,
    message: message ?? "",
    planned: plan?.ok === true ? plannedBy(plan) : [],
    only,
    async prove() {
      const unproven = await proveAgain({ conversation, call, unit });
      return unproven === null ? null : refuse(unproven.why, unproven.next);
    },
  });
  if (end.kind === "none") return { ok: true, revision: null, why: end.why };
  return end.kind === "refused" ? end : { ok: true, revision: end.id, notes: end.notes };
}

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
function plannedBy({ tasks }: StandingPlan): readonly string[] {
  return tasks.flatMap(({ files = [] }) => files.map(normalisePath));
}
