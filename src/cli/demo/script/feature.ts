/** What the demo's user asks for, scripted model or not. */
export const REQUEST =
  "Add due dates to tasks. test/due-dates.test.js describes the feature and fails today; make it pass, " +
  "keep the house rules of the README, and commit the work.";

/** The work unit of the scripted run. */
export const SLUG = "due-dates";

/** One replacement in a file of the sample, as OpenCode's `edit` tool takes it. */
export interface Edit {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** The feature itself: what the scripted hephaestus writes. */
export const FEATURE_EDITS: readonly Edit[] = [
  {
    file: "src/task.js",
    before: `/**
 * Makes a task: \`{ id, title, done }\`, frozen.
 * @param {number} id
 * @param {{ title: string }} fields
 */
export function createTask(id, { title }) {
  if (typeof title !== "string" || title.trim() === "") {
    throw new TypeError(\`A task needs a title, not \${JSON.stringify(title)}.\`);
  }
  return Object.freeze({ id, title: title.trim(), done: false });
}
`,
    after: `import { isDay } from "./day.js";

/**
 * Makes a task: \`{ id, title, done }\`, with \`due\` when it has a due date; frozen.
 * @param {number} id
 * @param {{ title: string, due?: string }} fields \`due\` is the last day for it, as YYYY-MM-DD
 */
export function createTask(id, { title, due }) {
  if (typeof title !== "string" || title.trim() === "") {
    throw new TypeError(\`A task needs a title, not \${JSON.stringify(title)}.\`);
  }
  if (due !== undefined && !isDay(due)) {
    throw new TypeError(\`A due date is a day as YYYY-MM-DD, not \${JSON.stringify(due)}.\`);
  }
  const dated = due === undefined ? {} : { due };
  return Object.freeze({ id, title: title.trim(), done: false, ...dated });
}

/** Whether an open task should have been done before \`today\` (YYYY-MM-DD). */
export function isOverdue(task, today) {
  return !task.done && task.due !== undefined && task.due < today;
}
`,
  },
  {
    file: "src/task-list.js",
    before: `import { completeTask, createTask } from "./task.js";`,
    after: `import { completeTask, createTask, isOverdue } from "./task.js";`,
  },
  {
    file: "src/task-list.js",
    before: `      return current.filter((task) => !task.done);
    },`,
    after: `      return current.filter((task) => !task.done);
    },

    /** The open tasks whose due date lies before \`today\` (YYYY-MM-DD), the oldest first. */
    overdue(today) {
      return current
        .filter((task) => isOverdue(task, today))
        .sort((a, b) => a.due.localeCompare(b.due));
    },`,
  },
  {
    file: "src/render.js",
    before: `/** One task as a line of text: \`[ ] 1 Buy milk\`. */
export function renderTask(task) {
  return \`[\${task.done ? "x" : " "}] \${task.id} \${task.title}\`;
}

/** Tasks as text, one per line. */
export function renderList(tasks) {
  if (tasks.length === 0) return "Nothing to do.";
  return tasks.map((task) => renderTask(task)).join("\\n");
}`,
    after: `import { isOverdue } from "./task.js";

/**
 * One task as a line of text: \`[ ] 1 Buy milk\`, with its due date when it has one.
 * @param {string} [today] YYYY-MM-DD; with it, what is overdue says so
 */
export function renderTask(task, today) {
  return \`[\${task.done ? "x" : " "}] \${task.id} \${task.title}\${renderDue(task, today)}\`;
}

/** Tasks as text, one per line. \`today\` as in \`renderTask\`. */
export function renderList(tasks, today) {
  if (tasks.length === 0) return "Nothing to do.";
  return tasks.map((task) => renderTask(task, today)).join("\\n");
}

function renderDue(task, today) {
  if (task.due === undefined) return "";
  const overdue = today !== undefined && isOverdue(task, today);
  return overdue ? \` (overdue since \${task.due})\` : \` (due \${task.due})\`;
}`,
  },
  {
    file: "README.md",
    before: `
## Planned

- **Due dates.** A task may have a day until which it must be done; the list can say what is overdue, and the
  rendered list shows it. \`test/due-dates.test.js\` describes it and fails until it is there.
`,
    after: `
## Due dates

\`list.add({ title: "Pay rent", due: "2026-03-01" })\` sets the last day for a task. \`list.overdue(today)\` gives what
should have been done before, and \`renderList(tasks, today)\` says so in the list.
`,
  },
];

/** A new file of the feature. */
export const DAY_MODULE = {
  file: "src/day.js",
  content: `const FORMAT = /^\\d{4}-\\d{2}-\\d{2}$/;

/** Whether \`text\` is a day of the calendar, written as YYYY-MM-DD. */
export function isDay(text) {
  if (typeof text !== "string" || !FORMAT.test(text)) return false;
  const date = new Date(\`\${text}T00:00:00Z\`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
`,
} as const;

/** What the scripted artemis adds. */
export const EDGE_TESTS = {
  file: "test/overdue.test.js",
  content: `import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTask, createTaskList, renderTask } from "../src/index.js";

describe("overdue", () => {
  it("begins on the day after the due date", () => {
    const list = createTaskList();
    list.add({ title: "Pay rent", due: "2026-03-01" });
    assert.deepEqual(list.overdue("2026-03-01"), []);
    assert.equal(list.overdue("2026-03-02").length, 1);
  });

  it("ends when the task is done", () => {
    const list = createTaskList();
    list.add({ title: "Pay rent", due: "2026-03-01" });
    const done = list.complete(1);
    assert.deepEqual(list.overdue("2027-01-01"), []);
    assert.equal(renderTask(done, "2027-01-01"), "[x] 1 Pay rent (due 2026-03-01)");
  });

  it("knows the 29th of February in a leap year only", () => {
    assert.equal(createTask(1, { title: "Leap", due: "2028-02-29" }).due, "2028-02-29");
    assert.throws(() => createTask(1, { title: "Leap", due: "2027-02-29" }), TypeError);
  });
});
`,
} as const;

/** The message of the commit that the scripted GAIA asks for. */
export const COMMIT_MESSAGE = "Add due dates: validated days, overdue tasks, shown in the list";
