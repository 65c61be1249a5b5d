import { nearestName } from "../lib/nearest-name.ts";
import {
  lettersOf,
  parseMarkdown,
  type Markdown,
  type Section,
  type TextSpan,
  renderMarkdown,
} from "../lib/markdown.ts";
import {
  FIELDS,
  KEYS,
  nearestValue,
  partsOf,
  type Key,
  type Values,
  PLAN_STATUSES,
  type Plan,
  type PlanCondition,
  type PlanError,
  type PlanStatus,
} from "./task.ts";
import { head } from "../lib/excerpt.ts";

const SECTIONS = ["Goal", "Context", "Guardrails", "Tasks", "Done When"] as const;
const TASK = /^- \[([ xX])\] ([1-9]\d{0,3})\. (\S.*)$/u;
const KEY = /^(?: {2,}|\t+)- ([a-z]+): +(\S.*)$/u;
const CONDITION = /^- (?:\[([ xX])\] )?([^[\s].*)$/u;
const COMMAND = /^`([^`]+)`(?:$|:(?:\s|$)| - )/u;

/** The parts of a line that is meant as an item: heading, bullet, box, number, text. */
const ITEM =
  /^\s*(#{1,6}\s+)?([*+•|\p{Pd}]\s+|\d{1,4}[.)]\s+(?=\[))?(\[.?.?\]\s*|[☐☑☒]\s*)?(?:[*_#(]*(\d{1,4})[.):]+[*_]*(?:\s+|$))?(.*)$/u;
const KEYED = /^\s*(?:[*+•\p{Pd}]\s+)?[*_`]*([a-z][a-z _-]{1,20}?)[*_`]*\s*[:：][*_`]*\s*(.*)$/iu;
const TICK = /[xX✓✔☑]/u;
const FENCE = /^(?:`{3}|~{3})/u;

const MAX_DETAILS = 8_000;
/** Marks that are never closed are taken away this often. */
const MAX_ROUNDS = 30;

/** The newest reading: one call of a tool asks for the same plan many times, and a long one takes a while. */
let newest: { readonly text: string; readonly plan: Plan } | null = null;

export function parsePlan(text: string): Plan {
  if (newest?.text !== text) newest = { text, plan: new Reading(text).plan() };
  return newest.plan;
}

export function statusIn(line: string): string | null {
  return /^\s*>\s*Status\s*:(.*)$/u.exec(line)?.[1]?.trim() ?? null;
}

interface Draft extends TextSpan {
  end: number;
  indent: number;
  readonly number: number;
  readonly text: string;
  readonly done: boolean;
  /** By key; null for a value that is wrong. */
  readonly said: { [Name in Key]?: Values[Name] | null };
  readonly details: string[];
}

class Reading {
  #doc: Markdown;
  readonly #raw: string[];
  readonly #errors: PlanError[] = [];
  readonly #drafts: Draft[] = [];
  readonly #conditions: PlanCondition[] = [];
  readonly #shown = new Set<number>();
  readonly #used = new Set<number>();
  #next = 1;

  constructor(text: string) {
    this.#doc = parseMarkdown(text);
    this.#raw = this.#doc.lines.map((line) => line.text);
  }

  plan(): Plan {
    this.#takeMarksAway();
    const { sections } = this.#doc;
    const title = sections[0]?.level === 1 ? sections[0] : null;
    const status = this.#status(title?.start ?? 0);
    this.#sections(title === null ? sections : sections.slice(1));
    const isRight = this.#errors.length === 0;
    const drafts = isRight ? this.#drafts : [];
    return {
      title: title?.title ?? "",
      status,
      tasks: drafts.map(({ number, text, done, said, details }) => {
        const values = said as Values;
        return { needs: [], skills: [], number, text, done, ...values, details: dedent(details) };
      }),
      conditions: isRight ? this.#conditions : [],
      places: drafts.map(({ start, end }) => ({ start, end })),
      errors: this.#errors.toSorted((a, b) => a.line - b.line),
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

  #said(at: number): string | null {
    const kind = this.#doc.kinds[at];
    return kind === "code" || kind === "comment" ? null : (this.#raw[at] ?? null);
  }

  /** Marks that hide what a plan says, and those of a merge, go first: the rest is read as if they were not there. */
  #takeMarksAway(): void {
    const drop = (at: number, message: string, fix: readonly string[] = []): void => {
      this.#error(at, message, fix);
      this.#raw[at] = "";
    };
    for (let round = 0; round < MAX_ROUNDS && this.#doc.unclosed !== null; round += 1) {
      const { line, closer } = this.#doc.unclosed;
      drop(line, "this is never closed", closer === "-->" ? [`${this.#raw[line] ?? ""} -->`] : []);
      this.#doc = parseMarkdown(this.#raw.join("\n"));
    }
    if (!this.#raw.some((line) => line.startsWith("<<<<<<< "))) return;
    for (const at of this.#raw.keys())
      if (/^(?:<{7} |={7}$|>{7} )/u.test(this.#said(at) ?? ""))
        drop(at, "unresolved merge conflict: keep the lines that hold");
    this.#doc = parseMarkdown(this.#raw.join("\n"));
  }

  #status(from: number): PlanStatus | null {
    for (let at = from; at < this.#raw.length; at += 1) {
      const line = this.#said(at) ?? "";
      if (line.trim() !== "" && !line.startsWith(">")) return null;
      const value = statusIn(line);
      const found = PLAN_STATUSES.find((status) => status === value);
      if (found !== undefined) return found;
      const near = nearestName(value ?? "", PLAN_STATUSES) ?? "draft";
      if (value !== null) this.#error(at, `a status is ${PLAN_STATUSES.join(", ")}`, [`> Status: ${near}`]);
    }
    return null;
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
    const isIn = (section: Section | undefined, at: number): boolean =>
      section !== undefined && at >= section.start && at < section.end;
    const lines = [...this.#raw.keys()].filter((at) => TASK.test(this.#said(at) ?? ""));
    const stray = lines.find((at) => !isIn(tasks, at) && !isIn(doneWhen, at));
    if (stray !== undefined && tasks === undefined)
      this.#error(stray, "tasks stand under ## Tasks", ["## Tasks", "", this.#raw[stray] ?? ""]);
    else if (stray !== undefined && tasks !== undefined) {
      const around = headings.findLast(({ start, level }) => start <= stray && level === 2);
      if (around?.title !== "Tasks")
        this.#join(tasks, around ?? { start: stray + 1, end: stray + 1 }, "tasks stand under ## Tasks");
    }
    if (tasks === undefined) for (const at of this.#raw.keys()) this.#fence(at, /^## Tasks$/u);
    else this.#tasks(tasks);
    if (doneWhen !== undefined) this.#doneWhen(doneWhen);
  }

  #join(first: TextSpan, { start, end }: TextSpan, message: string): void {
    const at = start - 1;
    const body = this.#raw.slice(start, end);
    if (body.at(-1) !== "") body.push("");
    if (first.end === at) this.#error(at, message, []);
    else if (first.end < at)
      this.#error(first.end, message, [...body, ...this.#raw.slice(first.end, at)], end);
    else this.#error(at, message, [...this.#raw.slice(end, first.end), ...body], first.end);
  }

  /** An error for a fence that begins at a line and holds what is meant as the plan's. @returns the line behind a fence */
  #fence(at: number, what: RegExp, write = (line: string): string => line): number {
    const { kinds } = this.#doc;
    if (kinds[at] !== "code" || !FENCE.test(this.#raw[at] ?? "") || (kinds[at - 1] === "code" && at > 0))
      return at + 1;
    const end = kinds.findIndex((kind, index) => index > at && kind !== "code");
    const until = end < 0 ? kinds.length : end;
    const inside = this.#raw.slice(at, until).filter((line) => !FENCE.test(line));
    if (inside.some((line) => what.test(line)))
      this.#error(at, "what is the plan's does not stand in a fence", inside.map(write), until);
    return until;
  }

  #doneWhen({ start, end }: TextSpan): void {
    for (let at = start; at < end; at += 1) {
      const line = this.#raw[at] ?? "";
      if (/^(?:\s|#|$)/u.test(line) || this.#doc.kinds[at] === "comment") continue;
      if (this.#doc.kinds[at] === "code")
        at = this.#fence(at, /\S/u, (each) => `- \`${each.replaceAll("`", "").trim()}\``) - 1;
      else this.#condition(line, at);
    }
  }

  #condition(line: string, at: number): void {
    const [, box = "", text = ""] = CONDITION.exec(line) ?? [];
    const command = COMMAND.exec(text)?.[1]?.trim() ?? null;
    const number = this.#conditions.length + 1;
    if (text !== "") this.#conditions.push({ number, text: text.trim(), done: TICK.test(box), command });
    else {
      const [, , , mark = "", shown = "", rest = ""] = ITEM.exec(line) ?? [];
      const bare = (rest.trim() || shown).replaceAll("[", "(");
      const fix = bare === "" ? [] : [`- ${mark === "" ? "" : boxOf(mark)}${bare}`];
      this.#error(at, "a condition is - text, or - `command`: text", fix);
    }
  }

  #tasks({ start, end }: TextSpan): void {
    const { kinds } = this.#doc;
    for (let at = start; at < end; at += 1)
      this.#shown.add(Number(ITEM.exec(this.#said(at) ?? "")?.[4] ?? 0));
    let draft: Draft | null = null;
    for (let at = start; at < end; at += 1) {
      const raw = this.#raw[at] ?? "";
      const line = this.#said(at);
      const isBelow = draft !== null && /^(?: {2}|\t)/u.test(raw);
      if (raw.trim() === "" || (isBelow && line === null)) {
        if (kinds[at] !== "comment") draft?.details.push(raw);
        if (raw.trim() !== "" && draft !== null) draft.end = at + 1;
        continue;
      }
      if (isBelow && draft !== null) draft.indent ||= indentOf(raw);
      const key = this.#keyOf(line ?? "", draft !== null && isBelow && indentOf(raw) <= draft.indent);
      const isNext = draft !== null && draft.end === at;
      if (key !== null && draft !== null && (isBelow || isNext)) at = this.#key(draft, at, key, end);
      else if (key !== null) this.#error(at, `- ${key.name}: stands indented below each task`, []);
      else if (line === null) {
        at = this.#fence(at, TASK) - 1;
        draft = null;
      } else if (kinds[at] === "table") at = this.#table(at);
      else if (this.#isTask(at, isBelow)) this.#drafts.push((draft = this.#task(line, at)));
      else if (isBelow && draft !== null) draft.details.push(raw);
      else if (kinds[at] === "heading")
        this.#error(at, "no heading stands under ## Tasks; write `- wave: 1` below each task", []);
      else if (isNext && draft !== null)
        this.#error(at, `indent what belongs to task ${draft.number}`, [`  ${raw.trim()}`]);
      else draft = null;
      if (draft !== null) draft.end = at + 1;
    }
  }

  /** Whether a line is meant as a task: below one it has box and number, as a task's own lists have one of them. */
  #isTask(at: number, isBelow: boolean): boolean {
    const [, heading, bullet, box, shown] = ITEM.exec(this.#said(at) ?? "") ?? [];
    if (isBelow) return box !== undefined && shown !== undefined;
    if (heading === undefined) return [bullet, box, shown].some((mark) => mark !== undefined);
    // A heading with a list below it groups tasks; another is one itself.
    const next = ITEM.exec(this.#raw.slice(at + 1).find((line) => line.trim() !== "") ?? "") ?? [];
    return next[1] !== undefined || next.slice(2, 5).every((mark) => mark === undefined);
  }

  #task(line: string, at: number): Draft {
    const [, , , box = "", shown = "0", rest = ""] = ITEM.exec(line) ?? [];
    const given = Number(shown);
    const isTaken = this.#used.has(given);
    const number = given > 0 && !isTaken ? given : this.#nextNumber();
    this.#used.add(number);
    const text = rest.trim() || `Task ${number}`;
    if (number !== given || !TASK.test(line)) {
      const message = isTaken ? `another task has the number ${given}` : "a task is `- [ ] 1. title`";
      this.#error(at, message, [`- ${boxOf(box)}${number}. ${text}`]);
    }
    return { start: at, end: at + 1, indent: 0, number, text, done: TICK.test(box), said: {}, details: [] };
  }

  #nextNumber(): number {
    while (this.#used.has(this.#next) || this.#shown.has(this.#next)) this.#next += 1;
    return this.#next;
  }

  /** What a line says by a key, however it is written; null is the name of an unknown one. @param isOwn it may be unknown */
  #keyOf(line: string, isOwn: boolean): { readonly name: Key | null; readonly value: string } | null {
    const [, given = "", value = ""] = KEYED.exec(line) ?? [];
    const name = given.trim().toLowerCase();
    const isListed = name !== "" && line.trimStart().startsWith("- ") && !value.startsWith("//");
    const near = KEYS.some((key) => key === name) || !isListed ? name : nearestName(name, KEYS);
    const found = KEYS.find((key) => key === near) ?? null;
    return found === null && !(isListed && isOwn) ? null : { name: found, value: value.trim() };
  }

  /** @returns the last line that belongs to the key */
  #key(draft: Draft, at: number, key: { name: Key | null; value: string }, end: number): number {
    const raw = this.#raw[at] ?? "";
    const { name, value } = key;
    const [, exact, plain] = KEY.exec(raw) ?? [];
    if (name === null) {
      const text = raw.trim().slice(2);
      this.#error(at, `a key is ${KEYS.join(", ")}; any other line has no bullet`, [`  ${text}`]);
    } else if (draft.said[name] !== undefined && name !== "approach")
      this.#error(at, `task ${draft.number} says ${name} once`, []);
    else {
      const parts = exact === name && plain?.trimEnd() === value ? partsOf(name, value) : null;
      if (parts === null) return this.#wrongValue(draft, at, name, value, end);
      const all = name === "approach" ? [...(draft.said.approach ?? []), ...parts] : parts;
      Object.assign(draft.said, { [name]: FIELDS[name].read(all) });
    }
    return at;
  }

  #wrongValue(draft: Draft, at: number, name: Key, value: string, end: number): number {
    const isDeeper = (line = ""): boolean => indentOf(line) > indentOf(this.#raw[at] ?? "");
    let until = at + 1;
    if (value === "") while (until < end && isDeeper(this.#raw[until])) until += 1;
    const listed = this.#raw.slice(at + 1, until).map((line) => ITEM.exec(line)?.[5] ?? "");
    const { form, join = ", " }: { form: string; join?: string } = FIELDS[name];
    const given = value || listed.filter((line) => line !== "" && !FENCE.test(line)).join(join);
    const meant = partsOf(name, given) === null ? nearestValue(name, given) : given;
    const fix = meant === "" ? [] : [`  - ${name}: ${meant}`];
    this.#error(at, `indented below its task, "- ${name}: " takes ${form}`, fix, until);
    draft.said[name] = null;
    return until - 1;
  }

  #table(at: number): number {
    const { rows, end } = this.#doc.tables.find(({ start }) => start === at) ?? { rows: [], end: at + 1 };
    const fix = rows.map(({ cells }) => {
      const number = this.#nextNumber();
      this.#used.add(number);
      return `- [ ] ${number}. ${cells.filter((cell) => !/^\d*$/u.test(cell)).join(", ")}`;
    });
    this.#error(at, "no table stands under ## Tasks; a task is `- [ ] 1. title`", fix, end);
    return end - 1;
  }
}

function dedent(lines: readonly string[]): string {
  const shared = Math.min(...lines.filter((line) => line.trim() !== "").map(indentOf));
  const text = lines.map((line) => line.slice(Math.min(shared, indentOf(line))).trimEnd()).join("\n");
  const all = text.replace(/^\n+/u, "").trimEnd();
  return all.length <= MAX_DETAILS ? all : `${all.slice(0, MAX_DETAILS)}…`;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function boxOf(mark: string): string {
  return TICK.test(mark) ? "[x] " : "[ ] ";
}

const MAX_ERRORS = 30;
const MAX_TOLD = 3_000;
const MAX_FIX = 400;
/** Corrections uncover more, as what stood in a fence. */
const MAX_CORRECTIONS = 6;

export function correctPlan(text: string): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  let corrected = text;
  for (let round = 0; round < MAX_CORRECTIONS; round += 1) {
    const { errors } = parsePlan(corrected);
    if (errors.length === 0) break;
    const { bom, lines } = parseMarkdown(corrected);
    const edited = [...lines];
    let from = Infinity;
    for (const { line, count, fix } of errors.toReversed()) {
      // Of two that overlap the first is made, the other in the next round.
      if (line - 1 + count > from) continue;
      from = line - 1;
      edited.splice(from, count, ...fix.map((each) => ({ text: each, end })));
    }
    corrected = renderMarkdown({ bom, lines: edited });
  }
  return corrected;
}

/** Errors with line, column and what to write instead, bounded. @param offset what to take from each line */
export function renderErrors(errors: readonly PlanError[], offset = 0): string {
  const told = errors.slice(0, MAX_ERRORS).map(({ line, column, count, message, fix }) => {
    const place = `${line - offset}${count > 1 ? `-${line - offset + count - 1}` : ""}:${column}`;
    const what = fix.length === 0 ? "Remove it." : `Write: ${head(fix.join("\n"), MAX_FIX)}`;
    return `${place} ${message}. ${what}`;
  });
  let room = MAX_TOLD;
  const shown = told.filter((line) => (room -= line.length + 1) >= 0);
  const more = errors.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}
