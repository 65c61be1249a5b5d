import { completeTask, createTask, isOverdue } from "./task.js";

/**
 * A list of tasks. Ids count up from 1 and are never used twice.
 * @param {readonly object[]} tasks tasks of an earlier list, as `all()` gave them
 */
export function createTaskList(tasks = []) {
  let current = [...tasks];
  let nextId = Math.max(0, ...current.map((task) => task.id)) + 1;

  return {
    /** Adds a task and returns it. */
    add(fields) {
      const task = createTask(nextId, fields);
      nextId += 1;
      current = [...current, task];
      return task;
    },

    /** Marks a task as done and returns it. */
    complete(id) {
      const found = current.find((task) => task.id === id);
      if (found === undefined) throw new TypeError(`There is no task ${JSON.stringify(id)}.`);
      const done = completeTask(found);
      current = current.map((task) => (task.id === id ? done : task));
      return done;
    },

    /** Every task, in the order of adding. */
    all() {
      return [...current];
    },

    /** The tasks that are not done. */
    open() {
      return current.filter((task) => !task.done);
    },

    /** The open tasks whose due date lies before `today` (YYYY-MM-DD), the oldest first. */
    overdue(today) {
      return current
        .filter((task) => isOverdue(task, today))
        .sort((a, b) => a.due.localeCompare(b.due));
    },
  };
}
