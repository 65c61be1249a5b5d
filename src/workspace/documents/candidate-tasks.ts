import type { PlanTask } from "./plan-tasks.ts";

/** So many may try one task. */
const FEWEST = 2;
const MOST = 4;

/** One way to do the task, the first for the first candidate. */
const APPROACH = /^[ \t]*(?:[-*+][ \t]+)?[*_`]*approach(?: \d)?[*_`]*[ \t]*:[*_`]*[ \t]*(.*)$/gimu;

/**
 * Each try at a task as a task of its own, with the number `<task>.<candidate>` and its own approach: nothing of it tells of
 * the others.
 */
export function candidatesOf({ candidates = [], details, ...task }: PlanTask): PlanTask[] {
  const shared = details.replaceAll(APPROACH, "").replaceAll(/\n{2,}/g, "\n");
  return candidates.slice(0, MOST).map((name, at) => {
    const approach = approachesIn(details)[at] ?? "";
    return {
      ...task,
      ...(name === "" ? {} : { agent: name }),
      number: Number(`${task.number}.${at + 1}`),
      details: [shared.trim(), approach === "" ? "" : `Approach: ${approach}`].filter(Boolean).join("\n"),
    };
  });
}

/** What of these tasks cannot be tried by several, one sentence each. @param judged whether something but verify shows that it works */
export function findCandidateGaps(
  tasks: readonly PlanTask[],
  edits: (agent: string | undefined) => boolean,
  isJudged: (task: PlanTask) => boolean,
): string[] {
  return tasks.flatMap((task) => {
    const { number, agent, candidates = [], details } = task;
    if (candidates.length === 0) return [];
    const of = `candidates of task ${number}`;
    const readers = [...new Set(candidates.map((name) => name || agent))].filter((name) => !edits(name));
    const ways = approachesIn(details).length;
    return [
      ...(candidates.length < FEWEST || candidates.length > MOST
        ? [`${of}: ${FEWEST} to ${MOST}, not ${candidates.length}`]
        : []),
      ...(readers.length === 0 ? [] : [`${of}: ${readers.join(", ")} changes no files`]),
      ...(isJudged(task) ? [] : [`nothing judges the ${of}: it needs verify, or the project checks`]),
      ...(ways > candidates.length ? [`${of}: ${ways} approaches for ${candidates.length}`] : []),
    ];
  });
}

function approachesIn(details: string): string[] {
  return [...details.matchAll(APPROACH)].map(([, text = ""]) => text.trim()).filter(Boolean);
}
