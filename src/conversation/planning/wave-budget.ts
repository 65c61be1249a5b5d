import type { ResolvedConfig } from "../../config/schema.ts";
import type { PlanTask } from "../../plan/task.ts";
import { wavesOf } from "../../plan/waves.ts";

/** Tool calls that a task takes at least: it looks at what it changes. */
const CALLS_PER_TASK = 2;

/** Waves that cannot come to their end within their budget of tool calls, one sentence each; empty for none. Pure. */
export function findWavesBeyondBudget(
  tasks: readonly PlanTask[],
  { maxToolCallsPerWave: limit }: Pick<ResolvedConfig["autopilotSafeguards"], "maxToolCallsPerWave">,
): string[] {
  return wavesOf(tasks).flatMap(({ id, tasks: of }) => {
    const open = of.filter(({ done }) => !done).length;
    return open * CALLS_PER_TASK <= limit
      ? []
      : [
          `wave ${id} has ${open} tasks and stops after every ${limit} tool calls until /next (autopilotSafeguards.maxToolCallsPerWave)`,
        ];
  });
}
