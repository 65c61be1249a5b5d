import { neededFirst } from "../lib/needed-first.ts";
import { TEST_PATH } from "../lib/test-path.ts";
import { createCommonPaths } from "./files.ts";
import type { PlanTask } from "./task.ts";

/** More tasks than this are not compared with each other; they come one after another. */
const MAX_COMPARED = 400;
/** More tasks than this are not worked on side by side: a wave is also what the user approves and what its budget is for. */
export const MAX_BESIDE = 8;

/** Tasks that are carried out side by side. */
export interface PlanWave {
  readonly id: string;
  readonly tasks: readonly PlanTask[];
}

/**
 * The waves of a plan in the order in which they are carried out. A plan that names waves has these, a task without one
 * being a wave by itself in its place; else they follow from what the tasks need and which files they change, with the
 * ids "1", "2" and so on. Give it all tasks, done ones too, so that ids stay what they are while the work goes on.
 */
export function wavesOf(tasks: readonly PlanTask[]): readonly PlanWave[] {
  const isNamed = tasks.some(({ wave }) => wave !== undefined);
  return isNamed ? inOrder(namedWaves(tasks)) : deriveWaves(tasks);
}

/** The wave that somebody means; `wave 2`, `w2` and `2` are one. */
export function waveNamed(waves: readonly PlanWave[], name: string): PlanWave | undefined {
  const wanted = keyOf(name);
  return waves.find(({ id }) => id === name) ?? waves.find(({ id }) => keyOf(id) === wanted);
}

function keyOf(name: string): string {
  const plain = name.trim().toLowerCase();
  const prefix = ["wave", "w"].find((each) => plain.startsWith(each)) ?? "";
  const rest = plain.slice(prefix.length).trim();
  return rest !== "" && !Number.isNaN(Number(rest)) ? rest : plain;
}

/** The waves that a plan names, by number where all of them have one and are called alike, else as they first appear. */
function namedWaves(tasks: readonly PlanTask[]): PlanWave[] {
  const waves = new Map<string, { id: string; tasks: PlanTask[] }>();
  const ids = new Set(tasks.flatMap(({ wave }) => wave ?? []));
  for (const task of tasks) {
    const id = task.wave ?? freeId(`task-${task.number}`, ids);
    const wave = waves.get(id) ?? { id, tasks: [] };
    wave.tasks.push(task);
    waves.set(id, wave);
    ids.add(id);
  }
  return sortNumbered([...waves.values()]);
}

/** A name that no wave has. */
function freeId(name: string, taken: ReadonlySet<string>): string {
  let id = name;
  for (let copy = 2; taken.has(id); copy += 1) id = `${name}-${copy}`;
  return id;
}

/** Puts `w2` behind `w1` wherever they stand in the list; a wave without a name stays behind the one before it. */
function sortNumbered(waves: readonly PlanWave[]): PlanWave[] {
  const blocks: PlanWave[][] = [];
  for (const wave of waves) {
    const isUnnamed = wave.tasks[0]?.wave === undefined;
    const last = blocks.at(-1);
    if (isUnnamed && last !== undefined) last.push(wave);
    else blocks.push([wave]);
  }
  const isNamed = ([wave]: readonly PlanWave[]): boolean => wave?.tasks[0]?.wave !== undefined;
  const named = blocks.filter(isNamed);
  const names = named.map(([wave]) => splitNumber(wave?.id ?? ""));
  if (names.some((name) => name === null) || new Set(names.map((name) => name?.prefix)).size !== 1)
    return blocks.flat();
  const { compare } = new Intl.Collator("en", { numeric: true });
  const sorted = named.toSorted(([a], [b]) => compare(a?.id ?? "", b?.id ?? ""));
  return [...blocks.filter((block) => !isNamed(block)), ...sorted].flat();
}

/** `w12` as its prefix and the rest; null without a number. */
function splitNumber(id: string): { readonly prefix: string } | null {
  const at = id.search(/\d/u);
  return at < 0 ? null : { prefix: id.slice(0, at).toLowerCase() };
}

/** Moves a wave behind those that its tasks need; where waves need each other, the order of the list holds. */
function inOrder(waves: readonly PlanWave[]): PlanWave[] {
  const waveOf = new Map(waves.flatMap((wave) => wave.tasks.map(({ number }) => [number, wave] as const)));
  const before = ({ tasks }: PlanWave): PlanWave[] =>
    tasks.flatMap(({ needs }) => needs).flatMap((number) => waveOf.get(number) ?? []);
  return neededFirst(waves, before);
}

/**
 * Waves of tasks that name none: a task stands in the first wave after all that it needs. One that names no needs comes
 * after those before it in the list that it shares files with, that say nothing of their files, or that it
 * tests. No two tasks of a wave change one file, and no wave has more than eight. Who looks at everything names no files,
 * and so comes after all before it.
 */
function deriveWaves(tasks: readonly PlanTask[]): PlanWave[] {
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
    const listed =
      task.needs.length === 0 ? placed.filter(([other]) => isAfter(other)).map(([, at]) => at) : [];
    const after = needed(task).map((other) => levels.get(other) ?? 0);
    let level = Math.max(0, ...after, ...listed) + 1;
    const taken = new Set(placed.filter(([other]) => collide(task, other)).map(([, at]) => at));
    while (taken.has(level) || (full.get(level) ?? 0) >= MAX_BESIDE) level += 1;
    levels.set(task, level);
    full.set(level, (full.get(level) ?? 0) + 1);
  }
  const count = Math.max(0, ...levels.values());
  return Array.from({ length: count }, (_wave, index) => ({
    id: String(index + 1),
    tasks: tasks.filter((task) => levels.get(task) === index + 1),
  }));
}

/** Whether a task changes tests and nothing else. */
function isTest({ files = [] }: PlanTask): boolean {
  return files.length > 0 && files.every((file) => TEST_PATH.test(file));
}

/** Whether two tasks must not run side by side. */
function collisionsOf(tasks: readonly PlanTask[]): (a: PlanTask, b: PlanTask) => boolean {
  if (tasks.length > MAX_COMPARED) return () => true;
  const commonPaths = createCommonPaths();
  const isUnsaid = ({ files, needs }: PlanTask): boolean => files === undefined && needs.length === 0;
  return (a, b) => isUnsaid(a) || isUnsaid(b) || commonPaths(a, b).length > 0;
}
