/**
 * Makes a task: `{ id, title, done }`, frozen.
 * @param {number} id
 * @param {{ title: string }} fields
 */
export function createTask(id, { title }) {
  if (typeof title !== "string" || title.trim() === "") {
    throw new TypeError(`A task needs a title, not ${JSON.stringify(title)}.`);
  }
  return Object.freeze({ id, title: title.trim(), done: false });
}

/** The same task, done. */
export function completeTask(task) {
  return Object.freeze({ ...task, done: true });
}
