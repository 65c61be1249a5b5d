import type { MarkdownDocument } from "../markdown/document.ts";
import { findPlanSection } from "./plan-sections.ts";
import { readTasks } from "./plan-tasks.ts";
import { isKeyed } from "./task-details.ts";
import { TASK_SYNTAX } from "./task-syntax.ts";

const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+\S/;
const CHECKBOX = /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX]\]/;
const BULLET_NOTE =
  /^ {0,3}[-*+][ \t]+[*_`]*(?:notes?|wave|agent|candidates?|files?|needs?|skills?|verify)\b/i;

/**
 * What of a plan was not read as a task although it may be meant as one: prose and tables where there is no task at all,
 * list items under Tasks that have no box. Null for a plan that says what it means.
 */
export function hintAtTasks(document: MarkdownDocument): string | null {
  const tasks = readTasks(document).length;
  if (tasks === 0) return `No task was read in this plan. ${TASK_SYNTAX}`;
  const section = findPlanSection(document, "Tasks");
  if (section === null) return null;
  const items = document.blocks
    .filter(({ kind, start, end }) => kind === "text" && start >= section.start && end <= section.end)
    .flatMap(({ start, end }) => document.lines.slice(start, end))
    .filter(
      ({ text }) => ITEM.test(text) && !CHECKBOX.test(text) && !BULLET_NOTE.test(text) && !isKeyed(text),
    ).length;
  if (items === 0) return null;
  const what = items === 1 ? "1 list item under Tasks is" : `${items} list items under Tasks are`;
  return `${what} no task, for want of a box. ${TASK_SYNTAX}`;
}
