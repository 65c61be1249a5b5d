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

/** Reads `1, 2`, `#1 and #2`, `task 1`, `1-3`, `none`; a remark in brackets is one. */
export function readNeeds(value: string): Needs {
  const plain = value
    .replaceAll(/[*_`"'#[\]]/g, "")
    .replaceAll(/\([^)]*\)/g, " ")
    .replace(/[.\s]+$/, "")
    .trim();
  if (NONE.test(plain)) return { needs: [], unclear: "" };
  const words = plain
    .replaceAll(CALLED, "")
    .replaceAll(RANGE, (_range, from: string, to: string) => between(Number(from), Number(to)))
    .split(/[\s,;&+]+|\band\b/i)
    .filter((word) => word !== "");
  const numbers = words.filter((word) => /^\d{1,4}$/.test(word)).map(Number);
  const unclear = words.filter((word) => !/^\d{1,4}$/.test(word)).join(" ");
  return { needs: [...new Set(numbers)].slice(0, MAX_NEEDS), unclear };
}

function between(from: number, to: number): string {
  const count = to - from + 1;
  // A range that runs backwards or names half a thousand tasks is no range.
  if (count < 1 || count > MAX_NEEDS) return `${from}-${to}`;
  return Array.from({ length: count }, (_each, index) => from + index).join(" ");
}
