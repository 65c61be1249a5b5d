import type { PlanTask } from "./plan-tasks.ts";
import { wavesOf } from "./plan-waves.ts";

/**
 * What keeps a plan's order from being carried out, one sentence each, empty for nothing: needs that name no task, circles,
 * and tasks that need one of a later wave.
 */
export function findNeedProblems(tasks: readonly PlanTask[]): string[] {
  const known = new Set(tasks.map(({ number }) => number));
  const circle = circular(tasks);
  const waves = wavesOf(tasks);
  const placed = new Map(
    waves.flatMap((wave, at) => wave.tasks.map(({ number }) => [number, { at, id: wave.id }])),
  );
  return [
    ...tasks.flatMap(({ number, unclearNeeds }) =>
      unclearNeeds === undefined ? [] : [`needs of task ${number} name no task by number: ${unclearNeeds}`],
    ),
    ...tasks.flatMap(({ number, needs }) =>
      needs
        .filter((need) => !known.has(need))
        .map((need) => `task ${number} needs ${need}, which is no task`),
    ),
    ...(circle.size === 0 ? [] : [`tasks ${[...circle].join(", ")} need each other in a circle`]),
    ...tasks.flatMap(({ number, needs }) =>
      needs.flatMap((need) => {
        const [own, other] = [placed.get(number), placed.get(need)];
        // Within a wave what is needed is worked on first.
        if (own === undefined || other === undefined || other.at <= own.at) return [];
        if (circle.has(number) && circle.has(need)) return [];
        return [
          `task ${number} of wave ${own.id} needs task ${need} of wave ${other.id}, which comes after it`,
        ];
      }),
    ),
  ];
}

/** The tasks that stand in a circle of needs, or between two of them. */
function circular(tasks: readonly PlanTask[]): ReadonlySet<number> {
  let left = new Map(tasks.map(({ number, needs }) => [number, needs]));
  for (let size = -1; size !== left.size;) {
    size = left.size;
    const needed = new Set([...left.values()].flat());
    const inside = new Set(left.keys());
    left = new Map(
      [...left].filter(([number, needs]) => needed.has(number) && needs.some((need) => inside.has(need))),
    );
  }
  return new Set(left.keys());
}
