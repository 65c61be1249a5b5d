import { createOverlap, TEST_PATH } from "./files.ts";
import type { PlanTask } from "./task.ts";

/** More tasks than this are not compared with each other; they come one after another. */
const MAX_COMPARED = 400;
/** More tasks than this are not worked on side by side: a wave is also what the user approves and what its budget is for. */
export const MAX_BESIDE = 10;

export interface PlanWave {
  readonly id: string;
  readonly tasks: readonly PlanTask[];
}

/** The waves of a plan in their order, named or derived. Give it all tasks, done ones too, so that derived ids stay what they are. */
export function wavesOf(tasks: readonly PlanTask[]): readonly PlanWave[] {
  const isNamed = tasks.some(({ wave }) => wave !== undefined);
  return isNamed ? inOrder(namedWaves(tasks)) : deriveWaves(tasks);
}

/** The wave that goes by a name in the ledger: one whose own was used before is called `1.2`, and models write w1. */
export function waveNamed(waves: readonly PlanWave[], name: string): PlanWave | undefined {
  const bare = name.replace(/^w(?:ave)?[ -]?(?=\d)/i, "");
  return (
    waves.find(({ id }) => id === name) ??
    waves.find(({ id }) => id === bare) ??
    waves.find(({ id }) => bare.startsWith(`${id}.`))
  );
}

function namedWaves(tasks: readonly PlanTask[]): PlanWave[] {
  const waves = new Map<string, PlanTask[]>();
  for (const task of tasks) {
    const id = task.wave ?? `task-${task.number}`;
    waves.set(id, [...(waves.get(id) ?? []), task]);
  }
  const all = [...waves].map(([id, of]) => ({ id, tasks: of }));
  const isNumbered = all.every(({ id }) => Number.isInteger(Number(id)));
  return isNumbered ? all.toSorted((a, b) => Number(a.id) - Number(b.id)) : all;
}

/** Moves a wave behind those that its tasks need; where waves need each other, their order holds. */
function inOrder(waves: readonly PlanWave[]): PlanWave[] {
  const waveOf = new Map(waves.flatMap((wave) => wave.tasks.map(({ number }) => [number, wave] as const)));
  const before = ({ tasks }: PlanWave): PlanWave[] =>
    tasks.flatMap(({ needs }) => needs).flatMap((number) => waveOf.get(number) ?? []);
  return neededFirst(waves, before);
}

/** A task comes after all it needs; without needs, after earlier ones that share files, name none, or that it tests. At most eight share a wave. */
function deriveWaves(tasks: readonly PlanTask[]): PlanWave[] {
  const places = new Map(tasks.map((task, place) => [task, place]));
  const numbered = new Map(tasks.map((task) => [task.number, task]));
  const needed = (task: PlanTask): PlanTask[] => task.needs.flatMap((number) => numbered.get(number) ?? []);
  const ordered = neededFirst(tasks, needed);
  if (tasks.length > MAX_COMPARED) return ordered.map((task, at) => ({ id: String(at + 1), tasks: [task] }));
  const overlap = createOverlap(tasks);
  const isUnsaid = ({ files, needs }: PlanTask): boolean => files === undefined && needs.length === 0;
  const collide = (a: PlanTask, b: PlanTask): boolean => isUnsaid(a) || isUnsaid(b) || overlap(a, b);
  const levels = new Map<PlanTask, number>();
  const placed: { readonly other: PlanTask; readonly at: number }[] = [];
  const full = new Map<number, number>();
  for (const task of ordered) {
    const place = places.get(task) ?? 0;
    const taken = new Set<number>();
    let after = Math.max(0, ...needed(task).map((other) => levels.get(other) ?? 0));
    for (const { other, at } of placed) {
      const isTaken = collide(task, other);
      if (isTaken) taken.add(at);
      const isEarlier = task.needs.length === 0 && (places.get(other) ?? 0) < place;
      if (isEarlier && (isTaken || (isTest(task) && !isTest(other)))) after = Math.max(after, at);
    }
    let level = after + 1;
    while (taken.has(level) || (full.get(level) ?? 0) >= MAX_BESIDE) level += 1;
    levels.set(task, level);
    placed.push({ other: task, at: level });
    full.set(level, (full.get(level) ?? 0) + 1);
  }
  const count = Math.max(0, ...levels.values());
  return Array.from({ length: count }, (_wave, index) => ({
    id: String(index + 1),
    tasks: tasks.filter((task) => levels.get(task) === index + 1),
  }));
}

function isTest({ files = [] }: PlanTask): boolean {
  return files.length > 0 && files.every((file) => TEST_PATH.test(file));
}

/** Items in their order, each behind what has to be before it. Ends for circles too, which it cuts where it meets them. */
function neededFirst<T>(items: readonly T[], before: (item: T) => readonly T[]): T[] {
  const seen = new Set<T>();
  const order: T[] = [];
  for (const item of items) {
    // A stack of its own: a chain may be as long as the plan.
    const stack = seen.has(item) ? [] : [{ item, rest: [...before(item)] }];
    seen.add(item);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.rest.shift();
      if (next === undefined) {
        order.push(top.item);
        stack.pop();
      } else if (!seen.has(next)) {
        seen.add(next);
        stack.push({ item: next, rest: [...before(next)] });
      }
    }
  }
  return order;
}
