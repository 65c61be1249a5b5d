import { neededFirst } from "../../lib/needed-first.ts";
import { deriveWaves } from "./derived-waves.ts";
import type { PlanTask } from "./plan-tasks.ts";
import { waveKey } from "./wave-names.ts";

/** Tasks that are carried out side by side. */
export interface PlanWave {
  readonly id: string;
  /** What its heading says behind the id; empty for none. */
  readonly title: string;
  readonly tasks: readonly PlanTask[];
}

/**
 * The waves of a plan in the order in which they are carried out. A plan that names waves has these, a task without one
 * being a wave by itself in its place; else they follow from what the tasks need and which files they change, with the
 * ids "1", "2" and so on. Give it all tasks, done ones too, so that ids stay what they are while the work goes on. Where
 * {@link findNeedProblems} finds something, the order is that of the list as far as nothing else holds.
 */
export function wavesOf(tasks: readonly PlanTask[]): readonly PlanWave[] {
  const isNamed = tasks.some(({ wave }) => wave !== undefined);
  return isNamed ? inOrder(namedWaves(tasks)) : deriveWaves(tasks);
}

/** The wave that somebody means who names it as it is called, numbered or headed. */
export function waveNamed(waves: readonly PlanWave[], name: string): PlanWave | undefined {
  const wanted = waveKey(name);
  return (
    waves.find(({ id }) => id === name) ??
    waves.find(({ id }) => waveKey(id) === wanted) ??
    waves.find(({ title }) => wanted !== "" && waveKey(title) === wanted)
  );
}

/** The waves that a plan names, by number where all of them have one, else as they first appear. */
function namedWaves(tasks: readonly PlanTask[]): PlanWave[] {
  const waves = new Map<string, { id: string; title: string; tasks: PlanTask[] }>();
  const ids = new Set(tasks.flatMap(({ wave }) => wave ?? []));
  for (const task of tasks) {
    const id = task.wave ?? freeId(`task-${task.number}`, ids);
    const wave = waves.get(id) ?? { id, title: "", tasks: [] };
    if (wave.title === "") wave.title = task.waveTitle ?? "";
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
  const first = blocks.findIndex(([wave]) => wave?.tasks[0]?.wave !== undefined);
  const named = blocks.slice(first);
  const numbers = named.map(([wave]) => /^([a-z_-]*)(\d+)([a-z]?)$/i.exec(wave?.id ?? ""));
  const isNumbered = new Set(numbers.map((found) => found?.[1]?.toLowerCase())).size === 1;
  if (!isNumbered || numbers.includes(null)) return blocks.flat();
  const sorted = named
    .map((block, index) => ({
      block,
      number: Number(numbers[index]?.[2]),
      letter: numbers[index]?.[3] ?? "",
    }))
    .toSorted((a, b) => a.number - b.number || a.letter.localeCompare(b.letter));
  return [...blocks.slice(0, first), ...sorted.map(({ block }) => block)].flat();
}

/** Moves a wave behind those that its tasks need; where waves need each other, the order of the list holds. */
function inOrder(waves: readonly PlanWave[]): PlanWave[] {
  const waveOf = new Map(waves.flatMap((wave) => wave.tasks.map(({ number }) => [number, wave] as const)));
  const before = ({ tasks }: PlanWave): PlanWave[] =>
    tasks.flatMap(({ needs }) => needs).flatMap((number) => waveOf.get(number) ?? []);
  return neededFirst(waves, before);
}
