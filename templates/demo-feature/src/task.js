import { isDay } from "./day.js";

/**
 * Makes a task: `{ id, title, done }`, with `due` when it has a due date; frozen.
 * @param {number} id
 * @param {{ title: string, due?: string }} fields `due` is the last day for it, as YYYY-MM-DD
 */
export function createTask(id, { title, due }) {
  if (typeof title !== "string" || title.trim() === "") {
    throw new TypeError(`A task needs a title, not ${JSON.stringify(title)}.`);
  }
  if (due !== undefined && !isDay(due)) {
    throw new TypeError(`A due date is a day as YYYY-MM-DD, not ${JSON.stringify(due)}.`);
  }
  const dated = due === undefined ? {} : { due };
  return Object.freeze({ id, title: title.trim(), done: false, ...dated });
}

/** Whether an open task should have been done before `today` (YYYY-MM-DD). */
export function isOverdue(task, today) {
  return !task.done && task.due !== undefined && task.due < today;
}

/** The same task, done. */
export function completeTask(task) {
  return Object.freeze({ ...task, done: true });
}
