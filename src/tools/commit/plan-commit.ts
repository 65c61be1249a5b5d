import type { Conversation } from "../../conversation/conversation.ts";
import type { ToolCall } from "../../host/port.ts";
import { pathIn } from "../../lib/path-in.ts";
import { refuse } from "../../lib/refusal.ts";
import type { Runtime } from "../../runtime.ts";
import { plannedBy } from "../plan-run/commit.ts";
import { proveAgain } from "../plan-run/prove.ts";
import { hostCommit } from "./host-commit.ts";

/** What `plan_gaia commit` reads of its arguments. */
export interface CommitArgs {
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
