import type { PlanTask } from "../../plan/task.ts";
import { landLanes } from "./land.ts";
import { findLanes, noLanes, openTaskLanes, worktreeOf } from "./lanes.ts";
import type { Run } from "./run.ts";
import type { Apart } from "./tasks.ts";

/**
 * Worktrees for the tasks of a batch that edit; what came of them lands before anyone judges it.
 * @param editing the tasks; they are enough for worktrees
 * @param mayLand whether anything may be changed now
 * @returns null where they are worked on in the project's own tree
 */
export async function openApart(
  run: Run,
  wave: string,
  editing: readonly PlanTask[],
  mayLand: () => boolean,
): Promise<Apart | null> {
  const lanes = await findLanes(run);
  if (lanes === null) return null;
  const opened = await openTaskLanes(run, lanes, wave, editing);
  if (typeof opened === "string") return noLanes(run, opened);
  let { open } = opened;
  return {
    whyNot: (task) => opened.unready.get(task) ?? null,
    worktreeOf(task) {
      const own = open.find((each) => each.task === task);
      return own && worktreeOf(run, own);
    },
    async land() {
      const { halt, landed } = await landLanes(run, lanes, open, mayLand);
      open = open.filter((each) => !landed.includes(each));
      return halt;
    },
  };
}
