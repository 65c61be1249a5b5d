import type { PlanTask } from "./task.ts";

/** So many may try one task. */
const FEWEST = 2;
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

/** What of these tasks cannot be tried by several, one sentence each. @param isJudged whether something but verify shows that it works */
export function findCandidateGaps(
  tasks: readonly PlanTask[],
  edits: (agent: string | undefined) => boolean,
  isJudged: (task: PlanTask) => boolean,
): string[] {
  return tasks.flatMap((task) => {
    const { number, agent, candidates = [], approach = [] } = task;
    if (candidates.length === 0) return [];
    const of = `candidates of task ${number}`;
    const readers = [...new Set(candidates.map((name) => name || agent))].filter((name) => !edits(name));
    return [
      ...(candidates.length < FEWEST || candidates.length > MOST
        ? [`${of}: ${FEWEST} to ${MOST}, not ${candidates.length}`]
        : []),
      ...(readers.length === 0 ? [] : [`${of}: ${readers.join(", ")} changes no files`]),
      ...(isJudged(task) ? [] : [`nothing judges the ${of}: it needs verify, or the project checks`]),
      ...(approach.length > candidates.length
        ? [`${of}: ${approach.length} approaches for ${candidates.length}`]
        : []),
    ];
  });
}
