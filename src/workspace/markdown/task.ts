import type { TaskItem } from "./block.ts";
import { setLine, type MarkdownDocument } from "./document.ts";

/** Ticks or unticks a task; changes one character, and none when it is so already. */
export function setTask(document: MarkdownDocument, task: TaskItem, done: boolean): MarkdownDocument {
  if (task.done === done) return document;
  const line = document.lines[task.start]?.text ?? "";
  return setLine(document, task.start, line.replace(/\[[ xX]\]/, done ? "[x]" : "[ ]"));
}
