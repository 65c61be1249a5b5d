import { nearestName } from "../config/nearest-name.ts";
import { readConditions } from "./conditions.ts";
import { readLines, sectionsOf, type Lines, type Section, type Span } from "./lines.ts";
import {
  indentOf,
  isTaskLike,
  titlesIn,
  isDeeper,
  isTicked,
  ITEM,
  itemOf,
  keyOf,
  lettersOf,
  statusIn,
  type Keyed,
} from "./marks.ts";
import {
  PLAN_STATUSES,
  readTask,
  type Plan,
  type PlanCondition,
  type PlanError,
  type PlanStatus,
} from "./task.ts";
import { isNothing, mendValue, TASK_KEYS, VALUES, type TaskKey } from "./values.ts";

const SECTIONS = ["Goal", "Context", "Guardrails", "Tasks", "Done When"] as const;

const TASK = /^- \[([ xX])\] ([1-9]\d{0,3})\. (\S.*)$/u;
const KEY = /^(?: {2,}|\t+)- ([a-z]+): +(\S.*)$/u;

export function parsePlan(text: string): Plan {
  return new Reading(readLines(text)).plan();
}

interface Draft {
  readonly start: number;
  end: number;
  /** Of the first line below it. */
  indent: number;
  readonly task: { number: number; text: string; done: boolean };
  readonly values: Map<TaskKey, string>;
  readonly details: string[];
}

/** One reading of one text. */
class Reading {
  readonly #lines: Lines;
  readonly #seen: (string | null)[];
  readonly #raw: string[];
  readonly #errors: PlanError[] = [];
  readonly #drafts: Draft[] = [];
  readonly #conditions: PlanCondition[] = [];
  /** Numbers that lines show, and those that tasks have already. */
  readonly #shown = new Set<number>();
  readonly #used = new Set<number>();
  #next = 1;

  constructor(lines: Lines) {
    this.#lines = lines;
    this.#seen = [...lines.seen];
    this.#raw = lines.raw.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  }

  plan(): Plan {
    this.#openFences();
    this.#checkMarks();
    const headings = sectionsOf({ seen: this.#seen });
    const title = headings[0]?.level === 1 ? headings[0] : null;
    const status = this.#status(title?.start ?? 0);
    this.#sections(title === null ? headings : headings.slice(1));
    const errors = this.#errors.toSorted((a, b) => a.line - b.line);
    const drafts = errors.length === 0 ? this.#drafts : [];
    return {
      title: title?.title ?? "",
      status,
      tasks: drafts.map(({ task, values, details }) => readTask(task, values, details)),
      conditions: errors.length === 0 ? this.#conditions : [],
      places: drafts.map(({ start, end }) => ({ start, end })),
      errors,
    };
  }

  /** The column is that of the first difference. @param until the line behind the last one that is replaced */
  #error(at: number, message: string, fix: readonly string[], until = at + 1): void {
    const line = this.#raw[at] ?? "";
    const [meant = ""] = fix;
    let column = 0;
    while (column < line.length && line[column] === meant[column]) column += 1;
    const isWhole = fix.length === 0 || column >= line.length;
    this.#errors.push({ line: at + 1, column: isWhole ? 1 : column + 1, message, fix, count: until - at });
  }

  /** Tasks in a fence are meant as such; any other fence is prose. */
  #openFences(): void {
    if (this.#lines.fences.length === 0) return;
    const hasTasks = this.#seen.some((line) => line?.startsWith("#") === true && lettersOf(line) === "tasks");
    let [above, from] = ["", 0];
    for (const { start, end } of this.#lines.fences) {
      for (; from < start; from += 1) {
        const line = this.#seen[from] ?? "";
        if (line.startsWith("## ")) above = line;
      }
      const inside = this.#raw.slice(start + 1, end - 1);
      const isMeant =
        lettersOf(above) === "tasks"
          ? inside.some((line) => line.startsWith("- ["))
          : !hasTasks && inside.includes("## Tasks");
      if (!isMeant || indentOf(this.#raw[start] ?? "") > 0) continue;
      for (const at of [start, end - 1]) this.#drop(at, "tasks do not stand in a fence");
      for (const [at, line] of inside.entries()) this.#seen[start + 1 + at] = line;
    }
  }

  /** A line that is to go, or to read otherwise, and that is read as if it were gone. */
  #drop(at: number, message: string, fix: readonly string[] = []): void {
    this.#error(at, message, fix);
    this.#seen[at] = this.#raw[at] = "";
  }

  #checkMarks(): void {
    for (const at of this.#lines.unclosed) {
      const line = this.#raw[at] ?? "";
      this.#drop(at, "this is never closed", line.trimStart().startsWith("<") ? [`${line} -->`] : []);
    }
    let isOpen = false;
    for (const [at, line] of this.#seen.entries()) {
      const mark = line === "=======" ? line : (line ?? "").slice(0, 8);
      if (mark !== "<<<<<<< " && !(isOpen && ["=======", ">>>>>>> "].includes(mark))) continue;
      this.#drop(at, "unresolved merge conflict: keep the lines that hold");
      isOpen = mark !== ">>>>>>> ";
    }
  }

  #status(from: number): PlanStatus | null {
    let found: PlanStatus | null = null;
    for (let at = from; at < this.#seen.length; at += 1) {
      const line = this.#seen[at]?.trim() ?? "";
      if (line !== "" && !line.startsWith(">")) break;
      const value = statusIn(line);
      if (value === null) continue;
      found = PLAN_STATUSES.find((status) => status === value) ?? null;
      const near = nearestName(value, PLAN_STATUSES) ?? "draft";
      if (found === null) this.#error(at, `a status is ${PLAN_STATUSES.join(", ")}`, [`> Status: ${near}`]);
    }
    return found;
  }

  #sections(headings: readonly Section[]): void {
    const known = new Map<string, Section>();
    const own = new Set(headings.flatMap(({ level, title }) => (level === 2 ? lettersOf(title) : [])));
    for (const section of headings) {
      const letters = lettersOf(section.title);
      const name = SECTIONS.find((each) => lettersOf(each) === letters);
      // Deeper it is a part of someone's own section, unless it stands nowhere else.
      if (name === undefined || (section.level > 2 && own.has(letters))) continue;
      const first = known.get(name);
      if (first !== undefined) this.#join(first, section, `## ${name} stands there once`);
      else known.set(name, section);
      if (first === undefined && (section.level !== 2 || section.title !== name))
        this.#error(section.start - 1, `a section is written ## ${name}`, [`## ${name}`]);
    }
    const [tasks, doneWhen] = [known.get("Tasks"), known.get("Done When")];
    const isStray = (line: string | null, at: number): boolean =>
      TASK.test(line ?? "") &&
      [tasks, doneWhen].every((each) => each === undefined || at < each.start || at >= each.end);
    const stray = this.#seen.findIndex(isStray);
    const around = headings.findLast(({ start, level }) => start <= stray && level === 2);
    if (stray >= 0 && tasks === undefined)
      this.#error(stray, "tasks stand under ## Tasks", ["## Tasks", "", this.#raw[stray] ?? ""]);
    else if (stray >= 0 && tasks !== undefined && around?.title !== "Tasks")
      this.#join(tasks, around ?? { start: stray + 1, end: stray + 1 }, "tasks stand under ## Tasks");
    if (tasks !== undefined) this.#tasks(tasks);
    if (doneWhen !== undefined) {
      const lines = { raw: this.#raw, seen: this.#seen, fences: this.#lines.fences };
      this.#conditions.push(...readConditions(lines, doneWhen, this.#error.bind(this)));
    }
  }

  /** What stands under a second heading belongs to the end of the first section. */
  #join(first: Span, { start, end }: Span, message: string): void {
    const at = start - 1;
    const body = this.#raw.slice(start, end);
    if (first.end === at) this.#error(at, message, []);
    else if (first.end < at)
      this.#error(first.end, message, [...body, ...this.#raw.slice(first.end, at)], end);
    else this.#error(at, message, [...this.#raw.slice(end, first.end), ...body], first.end);
  }

  #tasks({ start, end }: Span): void {
    for (const line of this.#seen.slice(start, end)) this.#shown.add(Number(ITEM.exec(line ?? "")?.[4] ?? 0));
    let draft: Draft | null = null;
    for (let at = start; at < end; at += 1) {
      const raw = this.#raw[at] ?? "";
      const line = this.#seen[at] ?? null;
      const isBelow = draft !== null && (raw.startsWith("  ") || raw.startsWith("\t"));
      if (raw.trim() === "" || (isBelow && line === null)) {
        const isComment =
          line === null && !this.#lines.fences.some((each) => at >= each.start && at < each.end);
        if (!isComment) draft?.details.push(raw);
        if (raw.trim() !== "" && draft !== null) draft.end = at + 1;
        continue;
      }
      if (isBelow && draft !== null) draft.indent ||= indentOf(raw);
      const found = keyOf(line ?? "");
      // Deeper lists, and those that belong to no task, have words of their own.
      const isOwn = draft === null || !isBelow || indentOf(raw) > draft.indent;
      const key = found?.name === null && isOwn ? null : found;
      const isNext = draft !== null && draft.end === at;
      if (key !== null && draft !== null && (isBelow || isNext)) at = this.#key(draft, at, key, end);
      else if (key !== null) this.#error(at, `- ${key.name}: stands indented below each task`, []);
      else if (line?.startsWith("|") === true) at = this.#table(at, end);
      else if (isTaskLike(line ?? "", isBelow)) this.#drafts.push((draft = this.#task(line ?? "", at)));
      else if (isBelow && draft !== null) draft.details.push(raw);
      else if (line?.startsWith("#") === true)
        this.#error(at, "no heading stands under ## Tasks; write `- wave: 1` below each task", []);
      else if (isNext && line !== null && draft !== null) {
        this.#error(at, `indent what belongs to task ${draft.task.number}`, [`  ${raw.trim()}`]);
      } else draft = null;
      if (draft !== null) draft.end = at + 1;
    }
  }

  #task(line: string, at: number): Draft {
    const [, , , box = "", shown = "0", rest = ""] = ITEM.exec(line.trim()) ?? [];
    const given = Number(shown);
    const isFree = given > 0 && !this.#used.has(given);
    const number = isFree ? given : this.#nextNumber();
    this.#used.add(number);
    const text = rest.trim() || `Task ${number}`;
    const done = isTicked(box);
    if (!isFree || !TASK.test(line)) {
      const message =
        given === 0 || isFree ? "a task is `- [ ] 1. title`" : `another task has the number ${given}`;
      this.#error(at, message, [`- [${done ? "x" : " "}] ${number}. ${text}`]);
    }
    return {
      start: at,
      end: at + 1,
      indent: 0,
      task: { number, text, done },
      values: new Map(),
      details: [],
    };
  }

  #nextNumber(): number {
    while (this.#used.has(this.#next) || this.#shown.has(this.#next)) this.#next += 1;
    return this.#next;
  }

  /** @returns the last line that belongs to the key */
  #key(draft: Draft, at: number, { name, value }: Keyed, end: number): number {
    const raw = this.#raw[at] ?? "";
    const [, exact, plain] = KEY.exec(raw) ?? [];
    if (name === null) {
      const text = raw.trim().slice(2);
      this.#error(at, `a key is ${TASK_KEYS.join(", ")}; any other line has no bullet`, [`  ${text}`]);
      return at;
    }
    const before = draft.values.get(name);
    if (before !== undefined && name !== "approach") {
      this.#error(at, `task ${draft.task.number} says ${name} once`, []);
      return at;
    }
    const isRead = !isNothing(value) && VALUES[name].read(value) !== null;
    if (exact === name && plain?.trimEnd() === value && isRead) {
      draft.values.set(name, before === undefined ? value : `${before}\n${value}`);
      return at;
    }
    let until = at + 1;
    if (value === "") while (until < end && isDeeper(this.#raw[until], raw)) until += 1;
    const listed = this.#raw.slice(at + 1, until).flatMap(itemOf);
    const given = listed.length === 0 ? value : listed.join(VALUES[name] === VALUES.verify ? " && " : ", ");
    const earlier = [...this.#used].filter((number) => number !== draft.task.number);
    const mended = mendValue(name, given, earlier);
    draft.values.set(name, mended);
    const fix = mended === "" ? [] : [`  - ${name}: ${mended}`];
    this.#error(at, `indented below its task, "- ${name}: " takes ${VALUES[name].form}`, fix, until);
    return until - 1;
  }

  /** Rows as tasks. @returns the last line of the table */
  #table(at: number, end: number): number {
    let until = at;
    while (until < end && this.#seen[until]?.startsWith("|") === true) until += 1;
    const fix = titlesIn(this.#raw.slice(at, until)).map((title) => {
      const number = this.#nextNumber();
      this.#used.add(number);
      return `- [ ] ${number}. ${title}`;
    });
    this.#error(at, "no table stands under ## Tasks; a task is `- [ ] 1. title`", fix, until);
    return until - 1;
  }
}
