/** What a task says of the tasks that come before it. */
export interface Needs {
  /** Numbers of tasks, each once, in the order written. */
  readonly needs: readonly number[];
  /** Words that name no task by its number; empty for none. */
  readonly unclear: string;
}

const MAX_NEEDS = 100;
const NONE = /^(?:none|nothing|no(?: tasks?)?|n\/a|null|[-–—])?$/i;
/** `task 1`, `T1`, `no. 1`: the number alone counts. */
const CALLED = /\b(?:tasks?|steps?|t|numbers?|no\.?|nr\.?)[-_ ]?(?=\d)/gi;
const RANGE = /\b(\d{1,4})\s*(?:-|–|—|\.\.+|\bto\b|\bthrough\b)\s*(\d{1,4})\b/gi;

/** A task named in so many words, and what would turn that around. */
const MENTION = /(?:\b(?:tasks?|steps?)[-_ ]?#?|#)(\d{1,4})\b/gi;
const TURNED = /\b(?:not|no|none|without|except|or|either|unless|but|wave|phase|stage)\b/i;

/** Reads `1, 2`, `#1 and #2`, `task 1`, `1-3`, `none`; a remark in brackets is one, and so is a title behind `task 1`. */
export function readNeeds(value: string): Needs {
  const plain = value
    .replaceAll(/[*_`"'#[\]]/g, "")
    .replaceAll(/\([^)]*\)/g, " ")
    .replace(/[.\s]+$/, "")
    .trim();
  if (NONE.test(plain)) return { needs: [], unclear: "" };
  if (/\b(?:waves?|phases?|stages?)\b/i.test(plain)) return { needs: [], unclear: plain };
  const words = plain
    .replaceAll(CALLED, "")
    .replaceAll(RANGE, (_range, from: string, to: string) => between(Number(from), Number(to)))
    .split(/[\s,;&+]+|\band\b/i)
    .filter((word) => word !== "");
  const numbers = words.filter((word) => /^\d{1,4}$/.test(word)).map(Number);
  const unclear = words.filter((word) => !/^\d{1,4}$/.test(word)).join(" ");
  if (unclear === "") return needsOf(numbers);
  return namedIn(value) ?? { ...needsOf(numbers), unclear };
}

function needsOf(numbers: readonly number[]): Needs {
  return { needs: [...new Set(numbers)].slice(0, MAX_NEEDS), unclear: "" };
}

/** Tasks that are named with what they are: `Task 1: Limiter, Task 2 (done first)`. A number alone may count something else. */
function namedIn(value: string): Needs | null {
  const mentions = [...value.matchAll(MENTION)].map(([, number]) => Number(number));
  const rest = value.replaceAll(MENTION, "");
  return mentions.length === 0 || /\d/.test(rest) || TURNED.test(rest) ? null : needsOf(mentions);
}

function between(from: number, to: number): string {
  const count = to - from + 1;
  // A range that runs backwards or names half a thousand tasks is no range.
  if (count < 1 || count > MAX_NEEDS) return `${from}-${to}`;
  return Array.from({ length: count }, (_each, index) => from + index).join(" ");
}
