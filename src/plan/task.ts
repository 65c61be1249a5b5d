import type { TextSpan } from "../lib/markdown.ts";

export const PLAN_STATUSES = ["draft", "approved", "in-progress", "complete"] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

export interface PlanTask extends Omit<Values, "needs" | "skills"> {
  readonly number: number;
  readonly text: string;
  readonly done: boolean;
  /** Numbers of the tasks that have to be done before this one. */
  readonly needs: readonly number[];
  readonly skills: readonly string[];
  /** What else is indented below it, as it reads; at most 8,000 characters. */
  readonly details: string;
}

export interface PlanCondition {
  readonly number: number;
  readonly text: string;
  readonly done: boolean;
  /** What shows it; null for a condition in words. */
  readonly command: string | null;
}

/** A line that is not in the grammar. */
export interface PlanError {
  readonly line: number;
  /** What is expected there. */
  readonly message: string;
  /** What to write in its place, where the line itself says enough; else null. */
  readonly fix: string | null;
}

/** A plan as it reads. One with errors has neither tasks nor conditions: a wrong plan is never half read. */
export interface Plan {
  readonly title: string;
  readonly status: PlanStatus | null;
  readonly tasks: readonly PlanTask[];
  readonly conditions: readonly PlanCondition[];
  readonly places: readonly TextSpan[];
  readonly errors: readonly PlanError[];
}

export function renderTask(task: PlanTask): string[] {
  const values = KEYS.flatMap((key) => renderValue(key, task[key]).map((value) => `  - ${key}: ${value}`));
  // Deeper where its first line would be read as a key.
  const indent = task.details.startsWith("- ") ? "    " : "  ";
  const details = task.details === "" ? [] : task.details.split("\n").map((line) => line && indent + line);
  return [`- [${task.done ? "x" : " "}] ${task.number}. ${task.text}`, ...values, ...details];
}

type Parts = readonly string[];

/** One key of a task: the grammar of what stands behind it. */
interface Field<T> {
  /** What is accepted, as `docs/plans.md` says it. */
  readonly form: string;
  readonly item: RegExp;
  /** Whether it is a list. */
  readonly join?: ", ";
  read(parts: Parts): T;
}

const NUMBER = /^[1-9]\d{0,3}$/u;
const NAME = /^(?=[\d_.-]*\p{L})[\p{L}\d_.-]+$/u;
const COMMAND = {
  form: "a command, bare or in one pair of backticks",
  item: /^[^`\s].*$/u,
  read: ([command = ""]: Parts) => command,
} as const;

/** Every key of a task, in the order in which they are written. */
export const FIELDS = {
  agent: { form: "one agent", item: NAME, read: ([name = ""]: Parts) => name },
  wave: {
    form: "one word or number; without any, waves follow from `needs` and `files`",
    item: /^[\p{L}\d_][\p{L}\d_.-]*$/u,
    read: ([id = ""]: Parts) => id,
  },
  files: {
    form: "paths, folders and globs, separated by commas; in backticks where a name has blanks or commas",
    item: /^(?:`[^`]*[^\s`][^`]*`|(?!.*\]\()[^\s`"(][^\s`"]*)$/u,
    join: ", ",
    read: (paths: Parts) => paths,
  },
  needs: {
    form: "numbers of tasks, separated by commas",
    item: NUMBER,
    join: ", ",
    read: (parts: Parts) => parts.map(Number),
  },
  verify: COMMAND,
  skills: { form: "names, separated by commas", item: NAME, join: ", ", read: (names: Parts) => names },
  candidates: {
    form: "a number, or names of agents separated by commas",
    item: /^(?:[1-9]\d?|(?=[\d_.-]*\p{L})[\p{L}\d_.-]+)$/u,
    join: ", ",
    read: (parts: Parts): Parts =>
      NUMBER.test(parts[0] ?? "") ? Array.from({ length: Number(parts[0]) }, () => "") : parts,
  },
  approach: {
    form: "the way of one candidate; a line for each",
    item: /\S/u,
    read: (ways: Parts) => ways,
  },
  each: {
    form: "`file`, or how many files a part has",
    item: /^(?:file|[1-9]\d?)$/u,
    read: ([count]: Parts) => (count === "file" ? 0 : Number(count)),
  },
} as const satisfies Record<string, Field<string | number | Parts | readonly number[]>>;

export type Key = keyof typeof FIELDS;
export const KEYS = Object.keys(FIELDS) as Key[];
export type Values = { [Name in Key]?: ReturnType<(typeof FIELDS)[Name]["read"]> };

/** The parts of a value, without their backticks; null for one that is not in the grammar. */
export function partsOf(key: Key, value: string): Parts | null {
  const { item, join }: Field<unknown> = FIELDS[key];
  const parts = join === ", " ? splitList(value) : [value];
  const bare = parts.map((part) => /^`([^`]+)`$/u.exec(part)?.[1]?.trim() ?? part);
  return parts.every((part, at) => item.test(part) || item.test(bare[at] ?? "")) ? bare : null;
}

function renderValue(key: Key, value: string | number | Parts | readonly number[] | undefined): Parts {
  if (value === undefined) return [];
  if (typeof value !== "object") return [key === "each" && value === 0 ? "file" : String(value)];
  const parts = value.map(String);
  if (key === "approach") return parts;
  if (key === "candidates" && !parts.some(Boolean)) return [String(parts.length)];
  return parts.length === 0 ? [] : [parts.map(quote).join(", ")];
}

function quote(name: string): string {
  return FIELDS.files.item.test(name) && splitList(name).length === 1 ? name : `\`${name}\``;
}

/** Parts between commas; those within backticks and a glob's braces separate nothing. */
function splitList(value: string): string[] {
  const parts = [""];
  let [isQuoted, braces] = [false, 0];
  for (const char of value) {
    if (char === "`") isQuoted = !isQuoted;
    if (!isQuoted) braces = Math.max(0, braces + Number(char === "{") - Number(char === "}"));
    if (char === "," && !isQuoted && braces === 0) parts.push("");
    else parts.push((parts.pop() ?? "") + char);
  }
  return parts.map((part) => part.trim());
}

/** How a task is written, for a model. */
export const TASK_SYNTAX =
  "Under ## Tasks: `- [ ] 1. What, and where`; indented below `- agent: …`, `- files: a.ts, b.ts`, `- needs: 1` or `- wave: 1`, `- verify: command`.";
