import type { HostEvent } from "../../host/port.ts";
import { bounded } from "../../lib/async.ts";
import { excerpt } from "../../lib/text.ts";
import { logFailure } from "../../lib/error.ts";
import type { PlanTask } from "../../plan/task.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { tally } from "../../checks/evidence/claims.ts";
import type { Checks } from "../checks/checks.ts";
import type { PanelUnit } from "../display/panel-snapshot.ts";

/** How long reading a plan may take, in milliseconds. */
const LIMIT_MS = 5_000;
const MAX_NEXT = 120;

/**
 * How far the conversation's work unit is: read when a turn begins or ends, for a person may have ticked a task in between,
 * and whenever the record was written, also in the middle of a call.
 */
export function createUnitProgress(
  conversation: ConversationCore,
  { workspace, clock, host }: ConversationServices,
  checks: Pick<Checks, "claims">,
) {
  const read = async (slug: string | null): Promise<PanelUnit | null> => {
    const found = slug === null ? null : await workspace.readWorkUnit({ slug });
    if (found?.ok !== true) return null;
    const [wrong] = found.problem?.split("\n") ?? [];
    const open = found.tasks.filter(({ done }) => !done);
    const [next] = open;
    return {
      slug: found.slug,
      done: found.tasks.length - open.length,
      total: found.tasks.length,
      evidence: tally(await checks.claims(found.slug)),
      next: wrong === undefined ? nameOf(next) : excerpt(`plan.md:${wrong}`, MAX_NEXT),
    };
  };
  let unit: PanelUnit | null = null;
  const look = async (): Promise<void> => {
    waiting = null;
    const now = bounded(read(conversation.state.workUnit), LIMIT_MS, clock, "the work unit");
    const seen = await now.catch(logFailure(host.logger, "debug", "unit-progress"));
    if (seen === undefined) return;
    unit = seen;
    conversation.touch();
  };
  let last: Promise<void> = Promise.resolve();
  /** One that has not begun sees all that is written until then. */
  let waiting: Promise<void> | null = null;
  const refresh = async (): Promise<void> => {
    waiting ??= last = last.then(look);
    return waiting;
  };
  const unsubscribe = workspace.onPlanChanged((path) => {
    const { workUnit } = conversation.state;
    if (workUnit !== null && path.endsWith(`/${workUnit}/plan.md`)) void refresh();
  });
  return {
    /** Never rejects. */
    refresh,
    shown: () => ({ unit }),
    /** The unit, once everything that was written before is known. Never rejects. */
    settled: async () => last.then(() => unit),
    dispose: unsubscribe,
    heard(event) {
      if (event.type === "work-unit-changed") void refresh();
    },
    observe(event, isRoot) {
      if ((isRoot && event.type === "session.status") || isRecordWritten(event)) void refresh();
    },
  } satisfies Part & Record<string, unknown>;
}

function nameOf(task: PlanTask | undefined): string {
  return task === undefined ? "" : `${task.number}. ${excerpt(task.text, MAX_NEXT)}`;
}

function isRecordWritten(event: HostEvent): boolean {
  return event.type === "tool.activity" && event.tool === "plan_gaia" && event.status === "completed";
}
