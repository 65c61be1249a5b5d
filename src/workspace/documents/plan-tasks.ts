import type { TaskItem } from "../markdown/block.ts";
import { setLine, type MarkdownDocument } from "../markdown/document.ts";
import { foreignLine } from "../markdown/foreign-text.ts";
import { indentOf, type Line } from "../markdown/lines.ts";
import { findAround, firstBlockFrom, sectionsOf, type Section } from "../markdown/section.ts";
import { readFiles } from "./plan-files.ts";
import { findPlanSection } from "./plan-sections.ts";
import { readCandidates } from "./task-candidates.ts";
import { headsWave, readWave, waveAbove, type WaveName } from "./wave-names.ts";
import { settleNeeds } from "./settled-needs.ts";
import { isKeyed, readDetails, type DetailKey, type DetailLine } from "./task-details.ts";
import { readNeeds } from "./task-needs.ts";

/** One task of a plan, as the comment in the plan's template describes it. */
export interface PlanTask {
  /** The number that the task shows when all of them show different ones, else its place, from 1. */
  readonly number: number;
  readonly text: string;
  readonly done: boolean;
  readonly wave?: string;
  /** What the wave's heading says behind its id. */
  readonly waveTitle?: string;
  readonly agent?: string;
  /** Who tries it, each by themselves, where several do; an empty name is its agent. */
  readonly candidates?: readonly string[];
  readonly files?: readonly string[];
  /** Of these files the plan says that the task makes them, or that they are there to be changed. */
  readonly made?: readonly string[];
  readonly there?: readonly string[];
  readonly verify?: string;
  /** What judges candidates beside it, and is not told to them. */
  readonly hidden?: string;
  /** Numbers of the tasks that have to be done before this one. */
  readonly needs: readonly number[];
  /** What of its needs names no task by number. */
  readonly unclearNeeds?: string;
  readonly skills: readonly string[];
  /** What else is indented below it, as it reads; at most 8,000 characters. */
  readonly details: string;
}

/** A task together with the block it was read from. */
export interface PlacedTask {
  readonly task: PlanTask;
  readonly block: TaskItem;
}

/** `1. x`, `(1) x`, `T1: x`, `**Task 1:** x`, `**1. x**`. */
const NUMBERED =
  /^([*_]{0,3})(?:(?:task|step|t)[ \t#-]{0,2})?\(?(\d{1,4})([*_]{0,3}[.):][*_]{0,3})\s+(.*)$/is;
const NOTHING = /^(?:none|nothing|n\/a|null|no|[-–—])?$/i;
const MAX_SKILLS = 20;
/** A longer plan is not carried out: {@link findPlanProblems} says so. */
export const MAX_TASKS = 500;

type Around = ReturnType<typeof findAround>;

/**
 * The tasks of a plan: every `- [ ]` item under the heading Tasks and under headings `Wave …`, or, where there is none,
 * every one outside of Done When.
 */
export function readTasks(document: MarkdownDocument): PlacedTask[] {
  const conditions = findPlanSection(document, "Done When");
  const within = (section: Section | null, at: number): boolean =>
    section !== null && at >= section.start && at < section.end;
  const boxes = document.blocks
    .filter((block) => block.kind === "task")
    .filter(({ start }) => !within(conditions, start));
  const titled = tasksSections(document);
  const around = findAround(titled);
  const under = boxes.filter(({ start }) => around(start).length > 0);
  const blocks = (under.length > 0 ? under : boxes).slice(0, MAX_TASKS);
  const shown = shownNumbers(blocks);
  const shared = sharedDetails(document, titled, around);
  const tasks = blocks.map((block, index) => readTask(document, block, index + 1, shown, shared, around));
  const settled = settleNeeds(
    tasks.map((task, index) => ({ task, shown: splitTitle(blocks[index]?.text ?? "").number })),
  );
  return blocks.flatMap((block, index) => {
    const task = settled[index];
    return task === undefined ? [] : [{ block, task }];
  });
}

/** What holds for each task that says nothing else of it. */
const SHARED: ReadonlySet<DetailKey> = new Set(["agent", "verify", "skills"]);

/** Keyed lines right below the heading Tasks or that of a wave, before its first task; those of the wave come first. */
function sharedDetails(
  document: MarkdownDocument,
  titled: readonly Section[],
  around: Around,
): (block: TaskItem) => ReadonlyMap<DetailKey, string> {
  const details = new Map(
    titled.map((section) => {
      const lines: Line[] = [];
      for (let at = firstBlockFrom(document, section.start); ; at += 1) {
        const block = document.blocks[at];
        // Of a section without a task nobody asks.
        if (block === undefined || block.kind === "task" || block.kind === "heading") break;
        if (block.kind === "text") lines.push(...document.lines.slice(block.start, block.end));
      }
      const keyed = lines.filter(({ text }) => isKeyed(text));
      return [section, readDetails(keyed.map(({ text }) => ({ text, isCode: false }))).keyed];
    }),
  );
  return ({ start }) =>
    new Map(
      around(start)
        .flatMap((section) => [...(details.get(section) ?? [])])
        .filter(([key]) => SHARED.has(key)),
    );
}

/** The section Tasks, and waves that stand beside it instead of below it. */
export function tasksSections(document: MarkdownDocument): Section[] {
  const tasks = findPlanSection(document, "Tasks");
  const waves = sectionsOf(document).filter(({ heading, start }) => {
    const isInside = tasks === null || (start >= tasks.start && start < tasks.end);
    return headsWave(heading.text, isInside);
  });
  return [...(tasks === null ? [] : [tasks]), ...waves];
}

/** A task's text without the number that stands before it, and the marks around both; NaN for none. */
export function splitTitle(text: string): { readonly number: number; readonly title: string } {
  const [, opened = "", digits, behind = "", title = ""] = NUMBERED.exec(text) ?? [];
  if (digits === undefined) return { number: Number.NaN, title: text };
  return { number: Number(digits), title: behind.length > 1 ? title : title.replace(opened, "") };
}

/** The numbers that the tasks show, or null unless every task shows one of its own. */
function shownNumbers(blocks: readonly TaskItem[]): readonly number[] | null {
  const numbers = blocks.map(({ text }) => splitTitle(text).number);
  const distinct = new Set(numbers);
  return distinct.has(Number.NaN) || distinct.size < numbers.length ? null : numbers;
}

function readTask(
  document: MarkdownDocument,
  block: TaskItem,
  place: number,
  shown: readonly number[] | null,
  shared: ReturnType<typeof sharedDetails>,
  around: Around,
): PlanTask {
  const { keyed: own, free } = readDetails(linesUnder(document, block).lines);
  const keyed = new Map([...shared(block), ...own]);
  const { files, made, there, remarks } = readFiles(keyed.get("files") ?? "");
  const wave = waveOf(around(block.start), keyed.get("wave") ?? "");
  const agent = readAgent(keyed.get("agent") ?? "");
  const candidates = readCandidates(keyed.get("candidates") ?? "");
  const [verify, hidden] = (["verify", "hidden"] as const).map((key) => keyed.get(key));
  const { needs, unclear } = readNeeds(keyed.get("needs") ?? "");
  return {
    number: shown?.[place - 1] ?? place,
    text: foreignLine(shown === null ? block.text : splitTitle(block.text).title),
    done: block.done,
    ...(wave === null ? {} : { wave: wave.id }),
    ...(wave === null || wave.title === "" ? {} : { waveTitle: wave.title }),
    ...(agent === "" ? {} : { agent }),
    ...(candidates.length === 0 ? {} : { candidates }),
    ...(files.length === 0 ? {} : { files }),
    ...(made.length === 0 ? {} : { made }),
    ...(there.length === 0 ? {} : { there }),
    ...(verify === undefined ? {} : { verify }),
    ...(hidden === undefined ? {} : { hidden }),
    needs,
    ...(unclear === "" ? {} : { unclearNeeds: unclear }),
    skills: readSkills(keyed.get("skills") ?? ""),
    details: [free, remarks === "" ? "" : `files: ${remarks}`].filter(Boolean).join("\n"),
  };
}

/** A name without markup, address and a remark behind it, as `**@name** (implements)`. */
function readAgent(value: string): string {
  return value
    .replace(/\s+(?:\(.*|[-–—]\s.*)$/s, "")
    .replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "")
    .toLowerCase();
}

function readSkills(value: string): string[] {
  const names = value.split(/[\s,;]+|\band\b/i).map((name) => name.replaceAll(/[*`"'[\]()]/g, ""));
  return [...new Set(names.filter((name) => !NOTHING.test(name)))].slice(0, MAX_SKILLS);
}

/** What is indented below a task, or says something of it by a key, as far as the next one; comments say nothing. `end` is the line behind all of it. */
export function linesUnder(
  document: MarkdownDocument,
  block: TaskItem,
): { readonly lines: readonly DetailLine[]; readonly end: number } {
  const found: DetailLine[] = [];
  let last = block.end;
  for (let at = firstBlockFrom(document, block.end); ; at += 1) {
    const { kind = "heading", start = 0, end = 0 } = document.blocks[at] ?? {};
    if (kind === "task" || kind === "heading") break;
    const lines = document.lines.slice(start, end).map(({ text }) => text);
    // Models forget the indent; a line with a key is about the task above it.
    const isInside = (text = ""): boolean =>
      text.trim() === "" ||
      indentOf(text) > block.indent ||
      (indentOf(text) === block.indent && isKeyed(text));
    if (kind === "text") {
      const inside = lines.findIndex((text) => !isInside(text));
      const mine = lines.slice(0, inside < 0 ? lines.length : inside);
      found.push(...mine.map((text) => ({ text, isCode: false })));
      if (last === start) last += mine.length;
      if (inside >= 0) break;
    } else if (kind === "opaque" && isInside(lines[0])) {
      if (last === start) last = end;
      if (!/^\s*<!--/.test(lines[0] ?? "")) found.push(...lines.map((text) => ({ text, isCode: true })));
    }
  }
  while (last > block.end && document.lines[last - 1]?.text.trim() === "") last -= 1;
  return { lines: found, end: last };
}

/** The wave that a task names, else that of the nearest heading `Wave <id>` above it. */
function waveOf(around: readonly Section[], value: string): WaveName | null {
  const above = waveAbove(around.map(({ heading }) => heading.text).filter((text) => headsWave(text, true)));
  const own = NOTHING.test(value.trim()) ? null : readWave(value);
  if (own === null) return above;
  return own.title === "" && own.id === above?.id ? above : own;
}

/** A task without its details, and without the needs and skills that it does not name. */
export function inShort({ needs, skills, details: _details, ...task }: Omit<PlanTask, "done">): object {
  return {
    ...task,
    ...(needs.length === 0 ? {} : { needs }),
    ...(skills.length === 0 ? {} : { skills }),
  };
}

/** Ticks or unticks a task; changes one character, and none when it is so already. */
export function setTask(document: MarkdownDocument, task: TaskItem, done: boolean): MarkdownDocument {
  if (task.done === done) return document;
  const line = document.lines[task.start]?.text ?? "";
  return setLine(document, task.start, line.replace(/\[[ xX]\]/, done ? "[x]" : "[ ]"));
}
