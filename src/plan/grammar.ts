import { nearestName } from "../lib/nearest-name.ts";
import { lettersOf, parseMarkdown, type Markdown, type Section, type TextSpan } from "../lib/markdown.ts";
import {
  FIELDS,
  KEYS,
  partsOf,
  type Key,
  type Values,
  PLAN_STATUSES,
  type Plan,
  type PlanCondition,
  type PlanError,
  type PlanStatus,
} from "./task.ts";
import { head } from "../lib/text.ts";

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
const CONFLICT = /^(?:<{7} |={7}$|>{7} )/u;
const CONFLICT_BEGINS = "<<<<<<< ";

const MAX_DETAILS = 8_000;

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
  readonly #doc: Markdown;
  readonly #raw: readonly string[];
  readonly #errors: PlanError[] = [];
  readonly #drafts: Draft[] = [];
  readonly #conditions: PlanCondition[] = [];
  readonly #used = new Set<number>();
  /** A line of `=` alone is no mark of a merge where none begins. */
  readonly #isMerged: boolean;
  #next = 1;

  constructor(text: string) {
    this.#doc = parseMarkdown(text);
    this.#raw = this.#doc.lines.map((line) => line.text);
    this.#isMerged = this.#raw.some((_line, at) => this.#said(at).startsWith(CONFLICT_BEGINS));
  }

  plan(): Plan {
    const { sections, unclosed } = this.#doc;
    const title = sections[0]?.level === 1 ? sections[0] : null;
    // What follows a fence or comment that is never closed cannot be told.
    if (unclosed !== null) this.#error(unclosed.line, "this is never closed");
    else {
      for (const at of this.#raw.keys())
        if (this.#isMark(this.#said(at)))
          this.#error(at, "unresolved merge conflict: keep the lines that hold");
      this.#sections(title === null ? sections : sections.slice(1));
    }
    const status = this.#status(title?.start ?? 0);
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

  #error(at: number, message: string, fix: string | null = null): void {
    this.#errors.push({ line: at + 1, message, fix });
  }

  /** A line that is neither code nor a comment; else nothing. */
  #said(at: number): string {
    const kind = this.#doc.kinds[at];
    return kind === "code" || kind === "comment" ? "" : (this.#raw[at] ?? "");
  }

  #isMark(line: string): boolean {
    return this.#isMerged && CONFLICT.test(line);
  }

  #status(from: number): PlanStatus | null {
    for (let at = from; at < this.#raw.length; at += 1) {
      const line = this.#said(at);
      if (line.trim() !== "" && !line.startsWith(">")) return null;
      const value = statusIn(line);
      const found = PLAN_STATUSES.find((status) => status === value);
      if (found !== undefined) return found;
      const near = nearestName(value ?? "", PLAN_STATUSES) ?? "draft";
      if (value !== null) this.#error(at, `a status is ${PLAN_STATUSES.join(", ")}`, `> Status: ${near}`);
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
      if (known.has(name)) this.#error(section.start - 1, `## ${name} stands there once: join both`);
      else if (section.level !== 2 || section.title !== name)
        this.#error(section.start - 1, `a section is written ## ${name}`, `## ${name}`);
      known.set(name, known.get(name) ?? section);
    }
    const [tasks, doneWhen] = [known.get("Tasks"), known.get("Done When")];
    const isIn = (section: Section | undefined, at: number): boolean =>
      section !== undefined && at >= section.start && at < section.end;
    const stray = [...this.#raw.keys()].find(
      (at) => TASK.test(this.#said(at)) && !isIn(tasks, at) && !isIn(doneWhen, at),
    );
    if (stray !== undefined) this.#error(stray, "tasks stand under ## Tasks: move it there");
    if (tasks !== undefined) this.#tasks(tasks);
    if (doneWhen !== undefined) this.#doneWhen(doneWhen);
  }

  #doneWhen({ start, end }: TextSpan): void {
    for (let at = start; at < end; at += 1) {
      const line = this.#raw[at] ?? "";
      const kind = this.#doc.kinds[at];
      const isBegun = kind === "code" && this.#doc.kinds[at - 1] === "code";
      if (/^(?:\s|#|$)/u.test(line) || kind === "comment" || isBegun) continue;
      const [, box = "", text = ""] = CONDITION.exec(this.#said(at)) ?? [];
      const command = COMMAND.exec(text)?.[1]?.trim() ?? null;
      const number = this.#conditions.length + 1;
      if (text !== "") this.#conditions.push({ number, text: text.trim(), done: TICK.test(box), command });
      else {
        const [, , , mark = "", shown = "", rest = ""] = ITEM.exec(this.#said(at)) ?? [];
        const bare = (rest.trim() || shown).replaceAll("[", "(");
        const fix = bare === "" ? null : `- ${mark === "" ? "" : boxOf(mark)}${bare}`;
        this.#error(at, "a condition is - text, or - `command`: text", fix);
      }
    }
  }

  #tasks({ start, end }: TextSpan): void {
    const { kinds } = this.#doc;
    let draft: Draft | null = null;
    for (let at = start; at < end; at += 1) {
      const raw = this.#raw[at] ?? "";
      const line = this.#said(at);
      if (this.#isMark(line)) continue;
      const isBelow = draft !== null && /^(?: {2}|\t)/u.test(raw);
      if (raw.trim() === "" || (isBelow && line === "")) {
        if (kinds[at] !== "comment") draft?.details.push(raw);
        if (raw.trim() !== "" && draft !== null) draft.end = at + 1;
        continue;
      }
      if (isBelow && draft !== null) draft.indent ||= indentOf(raw);
      const key = keyOf(line, draft !== null && isBelow && indentOf(raw) <= draft.indent);
      const isNext = draft !== null && draft.end === at;
      if (key !== null && draft !== null && (isBelow || isNext)) this.#key(draft, at, key);
      else if (key !== null) this.#error(at, `- ${key.name}: stands indented below each task`);
      else if (kinds[at] === "comment") draft = null;
      else if (kinds[at] === "text" && isTask(line, isBelow)) this.#drafts.push((draft = this.#task(at)));
      else if (isBelow && draft !== null) draft.details.push(raw);
      else if (line === "" || kinds[at] === "heading" || kinds[at] === "table") {
        draft = null;
        const isBegun = kinds[at] !== "heading" && kinds[at - 1] === kinds[at];
        if (!isBegun)
          this.#error(at, "no heading, table or code stands under ## Tasks; a task is `- [ ] 1. title`");
      } else if (isNext && draft !== null)
        this.#error(at, `indent what belongs to task ${draft.number}`, `  ${raw.trim()}`);
      else draft = null;
      if (draft !== null) draft.end = at + 1;
    }
  }

  #task(at: number): Draft {
    const line = this.#said(at);
    const [, , , box = "", shown = "0", rest = ""] = ITEM.exec(line) ?? [];
    const given = Number(shown);
    const isTaken = this.#used.has(given);
    while (this.#used.has(this.#next)) this.#next += 1;
    const number = given > 0 && !isTaken ? given : this.#next;
    this.#used.add(number);
    const text = rest.trim() || `Task ${number}`;
    if (number !== given || !TASK.test(line)) {
      const message = isTaken ? `another task has the number ${given}` : "a task is `- [ ] 1. title`";
      this.#error(at, message, `- ${boxOf(box)}${number}. ${text}`);
    }
    return { start: at, end: at + 1, indent: 0, number, text, done: TICK.test(box), said: {}, details: [] };
  }

  #key(draft: Draft, at: number, { name, value }: Keyed): void {
    const [, exact, plain] = KEY.exec(this.#raw[at] ?? "") ?? [];
    if (name === null) {
      const fix = `  ${(this.#raw[at] ?? "").trim().slice(2)}`;
      this.#error(at, `a key is ${KEYS.join(", ")}; any other line has no bullet`, fix);
      return;
    }
    const parts = partsOf(name, value);
    if (draft.said[name] !== undefined && name !== "approach")
      this.#error(at, `task ${draft.number} says ${name} once`);
    else if (parts === null || exact !== name || plain?.trimEnd() !== value) {
      const fix = parts === null ? null : `  - ${name}: ${value}`;
      this.#error(at, `indented below its task, "- ${name}: " takes ${FIELDS[name].form}`, fix);
      draft.said[name] = null;
    } else {
      const all = name === "approach" ? [...(draft.said.approach ?? []), ...parts] : parts;
      Object.assign(draft.said, { [name]: FIELDS[name].read(all) });
    }
  }
}

/** Whether a line is meant as a task: below one it has box and number, as a task's own lists have one of them. */
function isTask(line: string, isBelow: boolean): boolean {
  const [, , bullet, box, shown] = ITEM.exec(line) ?? [];
  if (isBelow) return box !== undefined && shown !== undefined;
  return [bullet, box, shown].some((mark) => mark !== undefined);
}

interface Keyed {
  readonly name: Key | null;
  readonly value: string;
}

/** What a line says by a key, however it is written; null is the name of an unknown one. @param isOwn it may be unknown */
function keyOf(line: string, isOwn: boolean): Keyed | null {
  const [, given = "", value = ""] = KEYED.exec(line) ?? [];
  const name = given.trim().toLowerCase();
  const isListed = name !== "" && line.trimStart().startsWith("- ") && !value.startsWith("//");
  const near = KEYS.some((key) => key === name) || !isListed ? name : nearestName(name, KEYS);
  const found = KEYS.find((key) => key === near) ?? null;
  return found === null && !(isListed && isOwn) ? null : { name: found, value: value.trim() };
}

function dedent(lines: readonly string[]): string {
  const shared = Math.min(...lines.filter((line) => line.trim() !== "").map(indentOf));
  const text = lines.map((line) => line.slice(Math.min(shared, indentOf(line))).trimEnd()).join("\n");
  return head(text.replace(/^\n+/u, "").trimEnd(), MAX_DETAILS);
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

/** Errors with their lines and what to write there, bounded. @param offset what to take from each line */
export function renderErrors(errors: readonly PlanError[], offset = 0): string {
  const told = errors.slice(0, MAX_ERRORS).map(({ line, message, fix }) => {
    const what = fix === null ? "" : ` Write: ${head(fix, MAX_FIX)}`;
    return `line ${line - offset}: ${message}.${what}`;
  });
  let room = MAX_TOLD;
  const shown = told.filter((line) => (room -= line.length + 1) >= 0);
  const more = errors.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}
