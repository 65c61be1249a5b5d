import { isOverdue } from "./task.js";

/**
 * One task as a line of text: `[ ] 1 Buy milk`, with its due date when it has one.
 * @param {string} [today] YYYY-MM-DD; with it, what is overdue says so
 */
export function renderTask(task, today) {
  return `[${task.done ? "x" : " "}] ${task.id} ${task.title}${renderDue(task, today)}`;
}

/** Tasks as text, one per line. `today` as in `renderTask`. */
export function renderList(tasks, today) {
  if (tasks.length === 0) return "Nothing to do.";
  return tasks.map((task) => renderTask(task, today)).join("\n");
}

function renderDue(task, today) {
  if (task.due === undefined) return "";
  const overdue = today !== undefined && isOverdue(task, today);
  return overdue ? ` (overdue since ${task.due})` : ` (due ${task.due})`;
}
