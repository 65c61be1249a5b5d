import type { TaskItem } from "../markdown/block.ts";
import { setLine, type MarkdownDocument } from "../markdown/document.ts";
import { foreignLine } from "../markdown/foreign-text.ts";
import { indentOf } from "../markdown/lines.ts";
import { findSection, sectionsOf, type Section } from "../markdown/section.ts";

/** One task of a plan, as the comment in the plan's template describes it. */
export interface PlanTask {
  /** The number that the task shows when all of them show different ones, else its place, from 1. */
  readonly number: number;
  readonly text: string;
  readonly done: boolean;
  readonly wave?: string;
  readonly agent?: string;
  readonly files?: readonly string[];
  readonly verify?: string;
}

/** A task together with the block it was read from. */
export interface PlacedTask {
  readonly task: PlanTask;
  readonly block: TaskItem;
}

const NUMBERED = /^\(?(\d{1,4})[.):]\s+(.*)$/s;
const TASK = /^[ \t]*[-*+][ \t]+\[[ xX]\]/;
const DETAIL = /^[ \t]+[-*+][ \t]+(wave|agent|files|verify)[ \t]*:(.*)$/is;

/**
 * The tasks of a plan: every `- [ ]` item under the heading Tasks, or, without that heading, every one outside of
 * Done When.
 */
export function readTasks(document: MarkdownDocument): PlacedTask[] {
  const tasks = findSection(document, "Tasks");
  const conditions = findSection(document, "Done When");
  const within = (section: Section, at: number): boolean => at >= section.start && at < section.end;
  const blocks = document.blocks
    .filter((block) => block.kind === "task")
    .filter(({ start }) => {
      if (tasks !== null) return within(tasks, start);
      return conditions === null || !within(conditions, start);
    });
  const shown = shownNumbers(blocks);
  return blocks.map((block, index) => ({ block, task: readTask(document, block, index + 1, shown) }));
}

/** The numbers that the tasks show, or null unless every task shows one of its own. */
function shownNumbers(blocks: readonly TaskItem[]): readonly number[] | null {
  const numbers = blocks.map(({ text }) => Number(NUMBERED.exec(text)?.[1] ?? Number.NaN));
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
  const files = details
    .get("files")
    ?.replaceAll("`", "")
    .split(/[\s,]+/)
    .filter((path) => path !== "");
  const wave = details.get("wave") ?? waveAbove(document, block.start);
  const agent = details.get("agent")?.toLowerCase();
  const verify = details.get("verify")?.replace(/^`([^`]*)`$/, "$1");
  return {
    number: shown?.[place - 1] ?? place,
    text: foreignLine(shown === null ? block.text : (NUMBERED.exec(block.text)?.[2] ?? "")),
    done: block.done,
    ...(wave === undefined ? {} : { wave }),
    ...(agent === undefined ? {} : { agent }),
    ...(files === undefined || files.length === 0 ? {} : { files }),
    ...(verify === undefined ? {} : { verify }),
  };
}

/** The `- key: value` lines that are indented under a task. */
function readDetails(document: MarkdownDocument, block: TaskItem): Map<string, string> {
  const details = new Map<string, string>();
  for (let at = block.end; at < document.lines.length; at += 1) {
    const text = document.lines[at]?.text ?? "";
    if (indentOf(text) <= block.indent || TASK.test(text)) break;
    const [, key, value = ""] = DETAIL.exec(text) ?? [];
    if (key !== undefined && value.trim() !== "") details.set(key.toLowerCase(), value.trim());
  }
  return details;
}

/** The id in the nearest heading `Wave <id>` above a task. */
function waveAbove(document: MarkdownDocument, at: number): string | undefined {
  const around = sectionsOf(document).filter((section) => section.start <= at && at < section.end);
  const titles = around.map(({ heading }) => /^wave[ \t]+([\w.-]+)/i.exec(heading.text)?.[1]);
  return titles.findLast((id) => id !== undefined);
}

/** Ticks or unticks a task; changes one character, and none when it is so already. */
export function setTask(document: MarkdownDocument, task: TaskItem, done: boolean): MarkdownDocument {
  if (task.done === done) return document;
  const line = document.lines[task.start]?.text ?? "";
  return setLine(document, task.start, line.replace(/\[[ xX]\]/, done ? "[x]" : "[ ]"));
}
