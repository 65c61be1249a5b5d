import type { TaskItem } from "./block.ts";
import { parseMarkdown, renderMarkdown, type MarkdownDocument } from "./document.ts";

/** Replaces the text of one line; its ending stays. */
export function setLine(document: MarkdownDocument, at: number, text: string): MarkdownDocument {
  const lines = document.lines.with(at, { text, end: document.lines[at]?.end ?? "" });
  return parseMarkdown(renderMarkdown({ ...document, lines }));
}

/** Ticks or unticks a task; changes one character, and none when it is so already. */
export function setTask(document: MarkdownDocument, task: TaskItem, done: boolean): MarkdownDocument {
  if (task.done === done) return document;
  const line = document.lines[task.start]?.text ?? "";
  return setLine(document, task.start, line.replace(/\[[ xX]\]/, done ? "[x]" : "[ ]"));
}
