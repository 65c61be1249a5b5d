import type { HostEvent } from "../../host/port.ts";
import { bounded } from "../../lib/bounded.ts";
import type { Clock } from "../../lib/clock.ts";
import { describeError } from "../../lib/error.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { SNAPSHOT_KEY } from "../display/metadata-keys.ts";
import type { PanelUnit } from "../display/panel-snapshot.ts";
import type { Conversation } from "../conversation.ts";
import type { Conversations } from "../conversations.ts";

/** How long reading a plan may take, in milliseconds. */
const LIMIT_MS = 5_000;

/**
 * Tells the conversations how far their work unit is: read when a turn begins or ends, when the record was written, for a person may
 * have ticked a task in between, and when a conversation is forked.
 */
export function followUnits(
  conversations: Conversations,
  workspace: Workspace,
  clock: Clock,
  logger: Logger,
): (event: HostEvent) => void {
  const read = async (slug: string | null): Promise<PanelUnit | null> => {
    const unit = await workspace.readWorkUnit(slug === null ? {} : { slug });
    if (!unit.ok) return null;
    return { slug: unit.slug, done: unit.tasks.filter(({ done }) => done).length, total: unit.tasks.length };
  };
  const refresh = async (conversation: Conversation | undefined): Promise<void> => {
    if (conversation === undefined) return;
    conversation.learn({
      unit: await bounded(read(conversation.state.workUnit), LIMIT_MS, clock, "the work unit"),
    });
  };
  const opened = async (sessionId: string): Promise<void> =>
    refresh((await conversations.of(sessionId))?.conversation);
  const follow = async (event: HostEvent): Promise<void> => {
    if (event.type === "session.status") await refresh(conversations.peek(event.sessionId));
    // A fork, with the snapshot of its original: the panel shows nothing before it has one of its own.
    if (event.type === "session.created" && event.session.metadata[SNAPSHOT_KEY] !== undefined)
      await opened(event.session.id);
    if (event.type !== "tool.activity" || event.tool !== "plan_gaia") return;
    if (event.status === "completed") await opened(event.sessionId);
  };
  return (event) => {
    follow(event).catch((error: unknown) => {
      logger.log("debug", "unit-progress", describeError(error));
    });
  };
}
