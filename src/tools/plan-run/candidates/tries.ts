import type { PlanTask } from "../../../plan/task.ts";

const MOST = 4;

/**
 * Each try at a task as a task of its own, with the number `<task>.<candidate>` and its own approach: nothing of it tells of
 * the others.
 */
export function candidatesOf({ candidates = [], approach = [], details, ...task }: PlanTask): PlanTask[] {
  return candidates.slice(0, MOST).map((name, at) => ({
    ...task,
    ...(name === "" ? {} : { agent: name }),
    number: Number(`${task.number}.${at + 1}`),
    details: [details, approach[at] === undefined ? "" : `Approach: ${approach[at]}`]
      .filter(Boolean)
      .join("\n"),
  }));
}
