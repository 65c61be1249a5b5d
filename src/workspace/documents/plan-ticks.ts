import { foreignLine } from "../markdown/foreign-text.ts";
import type { PlanTask } from "./plan-tasks.ts";

/** `tick 2`, `[x] 2`, `- [x] the task's text`: plain words such as "2 was not done" tick nothing. */
const TICK = /^(?:[-*+]\s+)?(?:tick:?\s+|\[[xX]\]\s+)(?:task\s+)?#?(.+?)[.\s]*$/;

/** What a historian says of the plan: the tasks that are done, by number, and what is no such thing. */
export interface PlanTicks {
  readonly ticks: readonly number[];
  readonly notes: readonly string[];
}

/** Reads which open tasks are to be ticked; what names none, or more than one, is a note. */
export function readTicks(updates: readonly string[], tasks: readonly PlanTask[]): PlanTicks {
  const ticks = new Set<number>();
  const notes: string[] = [];
  for (const update of updates.map(foreignLine).filter((line) => line !== "")) {
    const wanted = TICK.exec(update)?.[1];
    const found = tasks.filter(({ number, text }) => wanted === String(number) || wanted === text);
    const [only] = found;
    if (only === undefined || found.length > 1) notes.push(update);
    else if (!only.done) ticks.add(only.number);
  }
  return { ticks: [...ticks], notes };
}
