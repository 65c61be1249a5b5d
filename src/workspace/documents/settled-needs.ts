import type { PlanTask } from "./plan-tasks.ts";
import { waveKey } from "./wave-names.ts";

/** A task and the number that it shows itself; NaN for none. */
export interface NumberedTask {
  readonly task: PlanTask;
  readonly shown: number;
}

const ALL =
  /^(?:all|every(?:thing)?)(?: the)?(?: (?:previous|prior|preceding|earlier|other))?(?: (?:tasks?|steps?))?( (?:above|before)(?: (?:it|this))?)?$/i;
const EARLIER = /\b(?:previous|prior|preceding|earlier|above|before)\b/i;
const LAST = /^(?:the )?(?:previous|prior|preceding)(?: (?:task|one|step))?$/i;
const WAVE = /^(?:all (?:tasks )?(?:of|in) )?(?:wave|phase|stage)[\s#_-]*([\w.-]*\w)$/i;

/**
 * Needs as the numbers that the tasks have: of a task that shows another number than it has, of the tasks of a wave, of all
 * that stand before. What could be this task or that one stays unclear.
 */
export function settleNeeds(all: readonly NumberedTask[]): PlanTask[] {
  const showing = new Map<number, number[]>();
  for (const { task, shown } of all) {
    const before = showing.get(shown);
    if (before === undefined) showing.set(shown, [task.number]);
    else before.push(task.number);
  }
  return all.map(({ task }, place) => {
    const found = task.needs.map((need) => ({ need, meant: showing.get(need) ?? [] }));
    const doubtful = found.filter(({ meant }) => meant.length > 1);
    const called = task.needs.length > 0 ? "" : (task.unclearNeeds ?? "");
    const words = called === "" ? null : tasksCalled(all, called, place);
    const { unclearNeeds, ...rest } = task;
    const unclear = [
      words === null ? (unclearNeeds ?? "") : "",
      ...doubtful.map(({ need, meant }) => `${need}, which tasks ${meant.join(" and ")} show`),
    ].filter(Boolean);
    const needs =
      words ?? found.filter(({ meant }) => meant.length < 2).map(({ need, meant: [only] }) => only ?? need);
    return { ...rest, needs, ...(unclear.length === 0 ? {} : { unclearNeeds: unclear.join("; ") }) };
  });
}

/** The tasks that words name without doubt, or null. */
function tasksCalled(all: readonly NumberedTask[], words: string, place: number): number[] | null {
  const numbers = (tasks: readonly NumberedTask[]): number[] => tasks.map(({ task }) => task.number);
  const before = all.slice(0, place);
  if (LAST.test(words)) return before.length === 0 ? null : numbers(before.slice(-1));
  // From a task in the middle all may be those before it or all others.
  if (ALL.test(words)) return EARLIER.test(words) || place === all.length - 1 ? numbers(before) : null;
  const wave = WAVE.exec(words)?.[1];
  if (wave === undefined) return null;
  const inWave = all.filter(({ task }) => task.wave !== undefined && waveKey(task.wave) === waveKey(wave));
  return inWave.length === 0 ? null : numbers(inWave);
}
