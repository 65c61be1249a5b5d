import type { PlanTask } from "../../src/plan/task.ts";

/** A task that says no more than what is given. */
export function planTask(said: Partial<PlanTask> & Pick<PlanTask, "number">): PlanTask {
  return { text: "Do it", done: false, needs: [], skills: [], details: "", ...said };
}
