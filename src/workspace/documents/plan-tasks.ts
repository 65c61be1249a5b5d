import type { TaskItem } from "../markdown/block.ts";
import { setLine, type MarkdownDocument } from "../markdown/document.ts";
import { foreignLine } from "../markdown/foreign-text.ts";
import { indentOf } from "../markdown/lines.ts";
import { sectionsOf, type Section } from "../markdown/section.ts";
import { readFiles } from "./plan-files.ts";
import { findPlanSection } from "./plan-sections.ts";

/** One task of a plan, as the comment in the plan's template describes it. */
export interface PlanTask {
  /** The number that the task shows when all of them show different ones, else its place, from 1. */
  readonly number: number;
  readonly text: string;
  readonly done: boolean;
  readonly wave?: string;
  readonly agent?: string;
  readonly files?: readonly string[];
  /** Of these files the plan says that the task makes them, or that they are there to be changed. */
  readonly made?: readonly string[];
  readonly there?: readonly string[];
  readonly verify?: string;
}

/** A task together with the block it was read from. */
export interface PlacedTask {
  readonly task: PlanTask;
  readonly block: TaskItem;
}

const WAVE = /^[*_`]*wave[ \t:#*`]+([\w.-]+)/i;
const NUMBERED = /^\(?(\d{1,4})[.):]\s+(.*)$/s;
const ITEM = /^[ \t]+[-*+][ \t]+(.*)$/s;
const DETAIL = /^[ \t]+[-*+][ \t]+[*_`]*(wave|agent|files?|verify)[*_`]*[ \t]*:[*_`]*(.*)$/is;
/** Lists of files by what is done with them. */
const FILES =
  /^[ \t]+[-*+][ \t]+[*_`]*(modif(?:y|ies|ied)|edits?|creates?|new|deletes?|removes?)[*_`]*[ \t]*:(.*)$/is;

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
  const under = boxes.filter(({ start }) => titled.some((section) => within(section, start)));
  const blocks = under.length > 0 ? under : boxes;
  const shown = shownNumbers(blocks);
  return blocks.map((block, index) => ({ block, task: readTask(document, block, index + 1, shown) }));
}

/** The section Tasks, and waves that stand beside it instead of below it. */
function tasksSections(document: MarkdownDocument): Section[] {
  const tasks = findPlanSection(document, "Tasks");
  const waves = sectionsOf(document).filter(({ heading }) => WAVE.test(heading.text));
  return [...(tasks === null ? [] : [tasks]), ...waves];
}

/** The number that stands before a task's text; NaN for none. */
export function shownNumber(text: string): number {
  return Number(NUMBERED.exec(text)?.[1] ?? Number.NaN);
}

/** The numbers that the tasks show, or null unless every task shows one of its own. */
function shownNumbers(blocks: readonly TaskItem[]): readonly number[] | null {
  const numbers = blocks.map(({ text }) => shownNumber(text));
  const distinct = new Set(numbers);
  return distinct.has(Number.NaN) || distinct.size < numbers.length ? null : numbers;
}

function readTask(
  document: MarkdownDocument,
  block: TaskItem,
  place: number,
  shown: readonly number[] | null,
): PlanTask {
  const details = readDetails(document, block);
  const { files, made, there } = readFiles(details.get("files") ?? "");
  const wave = details.get("wave") ?? waveAbove(document, block.start);
  const agent = details.get("agent")?.toLowerCase();
  const verify = details.get("verify")?.replace(/^`([^`]*)`$/, "$1");
  return {
    number: shown?.[place - 1] ?? place,
    text: foreignLine(shown === null ? block.text : (NUMBERED.exec(block.text)?.[2] ?? "")),
    done: block.done,
    ...(wave === undefined ? {} : { wave }),
    ...(agent === undefined ? {} : { agent }),
    ...(files.length === 0 ? {} : { files }),
    ...(made.length === 0 ? {} : { made }),
    ...(there.length === 0 ? {} : { there }),
    ...(verify === undefined ? {} : { verify }),
  };
}

/** The `- key: value` lines that are indented under a task, as far as the next task; code and comments say nothing. */
function readDetails(document: MarkdownDocument, block: TaskItem): Map<string, string> {
  const details = new Map<string, string>();
  let list: { readonly key: string; readonly indent: number } | null = null;
  for (const line of linesUnder(document, block)) {
    const [key, value] = detailOf(line) ?? [];
    const item = ITEM.exec(line)?.[1]?.trim() ?? "";
    if (key !== undefined) {
      if (value !== "") details.set(key, joined(details.get(key), value ?? "", key));
      list = { key, indent: indentOf(line) };
    } else if (list !== null && item !== "" && indentOf(line) > list.indent) {
      details.set(list.key, joined(details.get(list.key), item, list.key));
    } else if (line.trim() !== "") list = null;
  }
  return details;
}

/** Key and value of a line; files that are listed by what is done with them belong to the files. */
function detailOf(line: string): readonly [key: string, value: string] | null {
  const [, key, value = ""] = DETAIL.exec(line) ?? [];
  if (key !== undefined) return [key.toLowerCase().replace(/^file$/, "files"), value.trim()];
  const [, how, paths = ""] = FILES.exec(line) ?? [];
  return how === undefined ? null : ["files", paths.trim() === "" ? "" : `${how}: ${paths.trim()}`];
}

/** Files may stand in several lines; of anything else the last word counts. */
function joined(before: string | undefined, value: string, key: string): string {
  return before === undefined || key !== "files" ? value : `${before}, ${value}`;
}

/** What is indented below a task, as far as the next one. */
function linesUnder(document: MarkdownDocument, block: TaskItem): string[] {
  const found: string[] = [];
  for (const { kind, start, end } of document.blocks) {
    if (start < block.end) continue;
    if (kind === "task" || kind === "heading") break;
    if (kind !== "text") continue;
    for (const { text } of document.lines.slice(start, end)) {
      if (text.trim() !== "" && indentOf(text) <= block.indent) return found;
      found.push(text);
    }
  }
  return found;
}

/** The id in the nearest heading `Wave <id>` above a task. */
function waveAbove(document: MarkdownDocument, at: number): string | undefined {
  const around = sectionsOf(document).filter((section) => section.start <= at && at < section.end);
  const titles = around.map(({ heading }) => WAVE.exec(heading.text)?.[1]);
  return titles.findLast((id) => id !== undefined);
}

/** Ticks or unticks a task; changes one character, and none when it is so already. */
export function setTask(document: MarkdownDocument, task: TaskItem, done: boolean): MarkdownDocument {
  if (task.done === done) return document;
  const line = document.lines[task.start]?.text ?? "";
  return setLine(document, task.start, line.replace(/\[[ xX]\]/, done ? "[x]" : "[ ]"));
}
