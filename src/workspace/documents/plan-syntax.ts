import { excerpt } from "../../lib/excerpt.ts";
import type { MarkdownDocument } from "../markdown/document.ts";
import { findAround } from "../markdown/section.ts";
import { linesUnder, readTasks, tasksSections } from "./plan-tasks.ts";
import { isKeyed } from "./task-details.ts";
import { TASK_SYNTAX } from "./task-syntax.ts";

const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+\S/;
const BULLET_NOTE =
  /^ {0,3}[-*+][ \t]+[*_`]*(?:notes?|wave|agent|candidates?|files?|needs?|skills?|verify)\b/i;
const NUMBERED = /^ {0,3}\d/;
/** A number, or a box that is none: what stands behind either is meant as a task. */
const MEANT =
  /^ {0,3}(?:\d{1,9}[.)][ \t]+|(?:[-*+][ \t]+)?(?:\[.?\]|\( ?[xX]? ?\)|[\u2610-\u2612]))[ \t\u00A0]*(\S.*)$/u;
const MAX_LISTED = 4;

/** A line under Tasks that belongs to no task. */
export interface UnreadLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** List items under Tasks that have no box and belong to no task. */
function unreadItems(document: MarkdownDocument): UnreadLine[] {
  const around = findAround(tasksSections(document));
  const isRead = new Set<number>();
  for (const { start, end } of [
    ...readTasks(document).map(({ block }) => ({ start: block.start, end: linesUnder(document, block).end })),
    ...document.blocks.filter(({ kind }) => kind !== "text"),
  ])
    for (let at = start; at < end; at += 1) isRead.add(at);
  return document.lines
    .map(({ text }, at) => ({ text, at }))
    .filter(({ text }) => (ITEM.test(text) || MEANT.test(text)) && !BULLET_NOTE.test(text) && !isKeyed(text))
    .filter(({ at }) => !isRead.has(at) && around(at).length > 0)
    .map(({ text, at }) => ({ line: at + 1, text: text.trim() }));
}

/** What stands among the tasks, is written as one and cannot be read as one: `4. Ship it`, `- [~] Ship it`. */
export function unreadTasks(document: MarkdownDocument): UnreadLine[] {
  const first = readTasks(document)[0]?.block.start ?? Infinity;
  return unreadItems(document).filter(
    // A list above the tasks may say how to go about them.
    ({ line, text }) => MEANT.test(text) && (line > first || !NUMBERED.test(text)),
  );
}

/** The same, one sentence for all of them; none for none. */
export function findUnreadTasks(document: MarkdownDocument): string[] {
  const unread = unreadTasks(document);
  if (unread.length === 0) return [];
  const shown = unread.slice(0, MAX_LISTED).map(({ line, text }) => `line ${line} "${excerpt(text, 60)}"`);
  const more = unread.length > MAX_LISTED ? ` and ${unread.length - MAX_LISTED} more` : "";
  const title = MEANT.exec(unread[0]?.text ?? "")?.[1] ?? "";
  return [
    `no task for want of a box: ${shown.join(", ")}${more}; written as \`- [ ] ${excerpt(title, 40)}\`, or indented below its task`,
  ];
}

/**
 * What of a plan was not read as a task although it may be meant as one: prose and tables where there is no task at all,
 * list items under Tasks that have no box. Null for a plan that says what it means.
 */
export function hintAtTasks(document: MarkdownDocument): string | null {
  if (readTasks(document).length === 0) return `No task was read in this plan. ${TASK_SYNTAX}`;
  const items = unreadItems(document);
  if (items.length === 0) return null;
  const what =
    items.length === 1 ? "1 list item under Tasks is" : `${items.length} list items under Tasks are`;
  const lines = items.slice(0, MAX_LISTED).map(({ line }) => line);
  const where = `line ${lines.join(", ")}${items.length > MAX_LISTED ? ", …" : ""}`;
  return `${what} no task, for want of a box (${where}). ${TASK_SYNTAX}`;
}
