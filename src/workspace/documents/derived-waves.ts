import { neededFirst } from "../../lib/needed-first.ts";
import { commonPaths } from "./plan-files.ts";
import type { PlanTask } from "./plan-tasks.ts";
import type { PlanWave } from "./plan-waves.ts";

/** More tasks than this are not compared with each other; they come one after another. */
const MAX_COMPARED = 400;
/** More tasks than this are not worked on side by side: a wave is also what the user approves and what its budget is for. */
export const MAX_BESIDE = 8;
const TEST = /(?:^|\/)(?:tests?|__tests__|specs?)\/|[._-](?:test|spec)s?\.|(?:^|\/)test_/i;

/**
 * Waves of tasks that name none: a task stands in the first wave after all that it needs. One that names no needs comes
 * after those before it in the list that it shares files with, that say nothing of their files, or that it
 * tests. No two tasks of a wave change one file, and no wave has more than eight. Who looks at everything names no files, and so comes after all before it.
 */
export function deriveWaves(tasks: readonly PlanTask[]): PlanWave[] {
  const places = new Map(tasks.map((task, place) => [task, place]));
  const numbered = new Map(tasks.map((task) => [task.number, task]));
  const needed = (task: PlanTask): PlanTask[] => task.needs.flatMap((number) => numbered.get(number) ?? []);
  const collide = collisionsOf(tasks);
  const levels = new Map<PlanTask, number>();
  const full = new Map<number, number>();
  for (const task of neededFirst(tasks, needed)) {
    const placed = [...levels];
    const isEarlier = (other: PlanTask): boolean => (places.get(other) ?? 0) < (places.get(task) ?? 0);
    const isAfter = (other: PlanTask): boolean =>
      isEarlier(other) && (collide(task, other) || (isTest(task) && !isTest(other)));
    const listed = isFree(task) ? placed.filter(([other]) => isAfter(other)).map(([, at]) => at) : [];
    const after = needed(task).map((other) => levels.get(other) ?? 0);
    let level = Math.max(0, ...after, ...listed) + 1;
    const taken = new Set(placed.filter(([other]) => collide(task, other)).map(([, at]) => at));
    while (taken.has(level) || (full.get(level) ?? 0) >= MAX_BESIDE) level += 1;
    levels.set(task, level);
    full.set(level, (full.get(level) ?? 0) + 1);
  }
  const count = Math.max(0, ...levels.values());
  return Array.from({ length: count }, (_wave, index) => {
    return {
      id: String(index + 1),
      title: "",
      tasks: tasks.filter((task) => levels.get(task) === index + 1),
    };
  });
}

/** Whether a task leaves its place to the plugin. What names no task by its number says nothing that can be held. */
function isFree({ needs, unclearNeeds }: PlanTask): boolean {
  return needs.length === 0 || unclearNeeds !== undefined;
}

/** Whether a task changes tests and nothing else. */
function isTest({ files = [] }: PlanTask): boolean {
  return files.length > 0 && files.every((file) => TEST.test(file));
}

/** Whether two tasks must not run side by side. */
function collisionsOf(tasks: readonly PlanTask[]): (a: PlanTask, b: PlanTask) => boolean {
  if (tasks.length > MAX_COMPARED) return () => true;
  const isUnsaid = (task: PlanTask): boolean => task.files === undefined && isFree(task);
  return (a, b) => isUnsaid(a) || isUnsaid(b) || commonPaths(a, b).length > 0;
}
