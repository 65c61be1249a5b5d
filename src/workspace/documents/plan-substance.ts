import { createHash } from "node:crypto";
import { parseMarkdown, type MarkdownDocument } from "../markdown/document.ts";
import { isBlank } from "../markdown/lines.ts";
import { findPlanSection } from "./plan-sections.ts";
import { unreadTasks } from "./plan-syntax.ts";
import { inShort, readTasks } from "./plan-tasks.ts";

/** What an approval covers beside the tasks; context and notes may change. */
const APPROVED_SECTIONS = ["Goal", "Done When", "Guardrails"] as const;
/** Marks an unfilled place in the template's own words. */
const COMMENT = /^\s*<!--[^]*?-->\s*$/;

/**
 * A short name for what a plan says is to be done. Ticks, status and notes do not change it, so that an approval holds
 * while the work goes on; any other goal, task or condition does, and so does what was meant as a task and is none.
 */
export function digestPlan(text: string): string {
  const document = parseMarkdown(text);
  // What a task does not say changes no approval that was given before it could be said.
  const tasks = readTasks(document).map(({ task: { done: _done, ...task } }) => ({
    ...inShort(task),
    ...(task.details === "" ? {} : { details: task.details }),
  }));
  const sections = APPROVED_SECTIONS.map((title) => sectionLines(document, title));
  const unread = unreadTasks(document).map(({ text: line }) => line);
  const substance = { tasks, sections, ...(unread.length === 0 ? {} : { unread }) };
  return createHash("sha256").update(JSON.stringify(substance)).digest("hex").slice(0, 32);
}

/** The lines of a section that say something, without ticks; none when it is missing or empty. */
export function sectionLines(document: MarkdownDocument, title: string): string[] {
  const section = findPlanSection(document, title);
  if (section === null) return [];
  const lines = document.lines.slice(section.start, section.end).map(({ text }) => text);
  return lines
    .filter((line) => !isBlank(line) && !COMMENT.test(line))
    .map((line) => line.replace(/^(\s*[-*+]\s+)\[[ xX]\]/, "$1[ ]").trim());
}

/** The conditions of a plan, one line each, without ticks. */
export function conditionsOf(document: MarkdownDocument): string[] {
  return sectionLines(document, "Done When");
}
