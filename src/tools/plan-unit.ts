import type { Conversation } from "../conversation/conversation.ts";
import type { Found } from "../conversation/conversations.ts";
import { refuse, type Refusal } from "../lib/refusal.ts";
import type { Workspace } from "../record/workspace.ts";

/** Operations about one work unit. Only reading may begin with the project's active one: that is how work is resumed. */
const OF_A_UNIT = new Set([
  "update_plan",
  "write_spec",
  "append_log",
  "append_decisions",
  "open_wave",
  "complete_wave",
  "request_approval",
  "archive_work_unit",
  "run",
]);

/**
 * Which unit an operation is about: the one that it names, else that of this conversation or of the specialist's task,
 * never that of another conversation, which may have made its own the active one.
 * @returns null where it needs none
 */
export async function unitFor(
  { op, slug }: { readonly op: string; readonly slug?: string | undefined },
  found: Found | null,
  sessionId: string,
  workspace: Pick<Workspace, "activeWorkUnit">,
): Promise<string | null | Refusal> {
  if (slug !== undefined || found === null) return slug ?? null;
  const { conversation, session } = found;
  const place =
    session.specialist === null ? null : conversation.parts.delegations.placeOf(sessionId, session).workUnit;
  const own = place ?? conversation.state.workUnit;
  if (own !== null || !OF_A_UNIT.has(op)) return own;
  const active = await workspace.activeWorkUnit();
  const name = active.ok ? active.slug : null;
  return refuse(
    "This conversation is about no work unit.",
    name === null
      ? "Pass a slug, or create_work_unit first."
      : `Pass slug, or read_work_unit to go on with the one that was active last (${name}).`,
  );
}

/** Whether the active unit is that of another conversation, which leaving one's own must not take from it. */
export async function isActiveElsewhere(
  workspace: Pick<Workspace, "activeWorkUnit">,
  conversation: Conversation | null,
): Promise<boolean> {
  const own = conversation?.state.workUnit ?? null;
  const active = await workspace.activeWorkUnit();
  return own !== null && active.ok && active.slug !== null && active.slug !== own;
}
