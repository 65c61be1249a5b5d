/** What a task says by keys, in the order in which they are written. */
export const TASK_KEYS = [
  "agent",
  "wave",
  "files",
  "needs",
  "verify",
  "hidden",
  "skills",
  "candidates",
  "approach",
  "each",
] as const;
export type TaskKey = (typeof TASK_KEYS)[number];

/** One key of a task: what may stand behind it. */
interface Value<T> {
  /** What is accepted, in a few words. */
  readonly form: string;
  /** Null for what is not. */
  read(value: string): T | null;
  /** What was probably meant; empty where the line says nothing. @param earlier numbers of the tasks above */
  mend(value: string, earlier: readonly number[]): string;
}

const WORD = /^[\p{L}\d_.-]+$/u;
const BETWEEN = /[\s,;`"'()[\]<>*@]+/u;
/** What no path holds that stands there bare. */
const SPACED = /[\s`"]/u;
const MARKS = /^["'(<]+|["')>,;:]+$/gu;
/** What people write where a line says nothing. */
const NOTHING = new Set(["", "-", "–", "—", "none", "nothing", "n/a", "null", "tbd"]);
const MAX_PARTS = 99;

const word: Value<string> = {
  form: "one name",
  read: (value) => (WORD.test(value) ? value : null),
  mend: (value) => wordsIn(value).find((each) => WORD.test(each)) ?? "",
};
const words: Value<readonly string[]> = {
  form: "names, separated by commas",
  read: (value) => listOf(value, (item) => WORD.test(item) && Number.isNaN(Number(item))),
  mend: (value) => namesIn(value).join(", "),
};
const command: Value<string> = {
  form: "a command, bare or in one pair of backticks",
  read(value) {
    if (!value.startsWith("`")) return value;
    const inside = value.slice(1, -1).trim();
    return value.endsWith("`") && inside !== "" && !inside.includes("`") ? inside : null;
  },
  mend: (value) =>
    value
      .split("`")
      .filter((span, at) => at % 2 === 1 && span.trim() !== "")
      .map((span) => span.trim())
      .join(" && ") || value.replaceAll("`", ""),
};

/** Each key with what may stand behind it: the grammar of values. */
export const VALUES = {
  agent: word,
  wave: { ...word, mend: (value) => wordsIn(value).findLast((each) => WORD.test(each)) ?? "" },
  files: {
    form: "paths or globs, separated by commas, in backticks where a name has blanks or commas",
    read: (value) => listOf(value, (item) => !SPACED.test(item)),
    mend: (value) =>
      splitList(value)
        .flatMap((part) =>
          part.includes("`") ? part.split("`").filter((_, at) => at % 2 === 1) : pathsIn(part),
        )
        .map(quotePath)
        .join(", "),
  },
  needs: {
    form: "numbers of tasks, separated by commas",
    read: (value): readonly number[] | null => listOf(value, isNumber)?.map(Number) ?? null,
    mend(value, earlier) {
      const all = namesIn(value.toLowerCase()).filter((each) => each !== "task" && each !== "tasks");
      const numbers = all.map((each) =>
        each.startsWith("#") || each.startsWith("t") ? each.slice(1) : each,
      );
      return (numbers.every(isNumber) ? numbers : earlier).join(", ");
    },
  },
  verify: command,
  hidden: command,
  skills: words,
  candidates: {
    form: "a number, or names of agents separated by commas",
    read(value) {
      const count = isNumber(value) ? Math.min(Number(value), MAX_PARTS) : 0;
      return count > 0 ? Array.from({ length: count }, () => "") : words.read(value);
    },
    mend: (value) => wordsIn(value).find(isNumber) ?? words.mend(value, []),
  },
  approach: {
    form: "words, a line for each candidate",
    read: (value): readonly string[] => value.split("\n"),
    mend: (value) => value,
  },
  each: {
    form: "`file`, or how many files a part has",
    read: (value) =>
      value === "file" ? 0 : isNumber(value) && Number(value) <= MAX_PARTS ? Number(value) : null,
    mend: (value) => wordsIn(value).find((each) => isNumber(each) && Number(each) <= MAX_PARTS) ?? "file",
  },
} as const satisfies Record<TaskKey, Value<unknown>>;

/** What a value of a key is once it is read. */
export type Values = { [Key in TaskKey]?: NonNullable<ReturnType<(typeof VALUES)[Key]["read"]>> };

/** A line's value as it should read; empty where the line is to go. */
export function mendValue(key: TaskKey, value: string, earlier: readonly number[]): string {
  if (isNothing(value)) return "";
  if (VALUES[key].read(value) !== null) return value;
  const mended = VALUES[key].mend(value, earlier);
  return mended === "" || VALUES[key].read(mended) === null ? "" : mended;
}

export function isNothing(value: string): boolean {
  return NOTHING.has(value.toLowerCase());
}

export function isNumber(text: string): boolean {
  return (
    text.length <= 4 && Number(text) > 0 && Number.isInteger(Number(text)) && String(Number(text)) === text
  );
}

/** A path as it stands in a list. */
export function quotePath(path: string): string {
  return SPACED.test(path) || path.startsWith("(") || splitList(path).length > 1 ? `\`${path}\`` : path;
}

function wordsIn(value: string): string[] {
  return value.split(BETWEEN).filter((each) => each !== "" && !isNothing(each));
}

/** Words without those that join them. */
function namesIn(value: string): string[] {
  return wordsIn(value).filter((each) => each !== "and" && each !== "&");
}

/** What looks like a path in a part of a list, else its first word. */
function pathsIn(part: string): string[] {
  const all = part.split(" ").map((each) => (each.startsWith("(") ? "" : each.replaceAll(MARKS, "")));
  const paths = all.filter((each) => each.includes("/") || each.includes("."));
  return (paths.length > 0 ? paths : all.slice(0, 1)).filter((each) => !isNothing(each));
}

function listOf(value: string, fits: (item: string) => boolean): readonly string[] | null {
  const items = splitList(value).map((item) => {
    const bare = item.slice(1, -1);
    if (item.startsWith("`") && item.endsWith("`") && bare.trim() !== "" && !bare.includes("`")) return bare;
    return item !== "" && !item.startsWith("(") && fits(item) ? item : null;
  });
  const read = items.filter((item) => item !== null);
  return read.length === items.length ? read : null;
}

/** Parts between commas; those within backticks and a glob's braces separate nothing. */
function splitList(value: string): string[] {
  const parts = [""];
  let [isQuoted, braces] = [false, 0];
  for (const char of value) {
    if (char === "`") isQuoted = !isQuoted;
    if (!isQuoted && char === "{") braces += 1;
    if (!isQuoted && char === "}") braces = Math.max(0, braces - 1);
    if (char === "," && !isQuoted && braces === 0) parts.push("");
    else parts.push((parts.pop() ?? "") + char);
  }
  return parts.map((part) => part.trim());
}
