/** One task as a line of text: `[ ] 1 Buy milk`. */
export function renderTask(task) {
  return `[${task.done ? "x" : " "}] ${task.id} ${task.title}`;
}

/** Tasks as text, one per line. */
export function renderList(tasks) {
  if (tasks.length === 0) return "Nothing to do.";
  return tasks.map((task) => renderTask(task)).join("\n");
}
