import type { HostEvent } from "../../host/port.ts";
import { bounded } from "../../lib/async.ts";
import { excerpt } from "../../lib/text.ts";
import { describeError } from "../../lib/error.ts";
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
    const unit = slug === null ? null : await workspace.readWorkUnit({ slug });
    if (unit?.ok !== true) return null;
    const [wrong] = unit.problem?.split("\n") ?? [];
    const open = unit.tasks.filter(({ done }) => !done);
    const [next] = open;
    return {
      slug: unit.slug,
      done: unit.tasks.length - open.length,
      total: unit.tasks.length,
      evidence: tally(await checks.claims(unit.slug)),
      next: wrong === undefined ? nameOf(next) : excerpt(`plan.md:${wrong}`, MAX_NEXT),
    };
  };
  const look = async (): Promise<void> => {
    waiting = null;
    try {
      const unit = read(conversation.state.workUnit);
      conversation.learn({ unit: await bounded(unit, LIMIT_MS, clock, "the work unit") });
    } catch (error) {
      host.logger.log("debug", "unit-progress", describeError(error));
    }
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
    /** Resolves when everything that was written before is known. Never rejects. */
    settled: async () => last,
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
