import { isNamed } from "../../plan/files.ts";
import { listed } from "../../lib/figures.ts";
import type { ChangedFile, Changes } from "../../snapshot/vcs.ts";
import { excerpt } from "../../lib/text.ts";
import type { PlanTask } from "../../plan/task.ts";
import { renderRow } from "../../lib/markdown.ts";

const MAX_UNPLANNED = 30;
const MAX_FILES = 8;

/** Compares planned and delivered, by the files that the tasks name; pure. @param where what the base is */
export function reconcile(
  tasks: readonly PlanTask[],
  delivered: Changes,
  where = "where the project was when the plan was approved",
) {
  const filesOf = ({ files = [] }: PlanTask): ChangedFile[] =>
    delivered.files.filter(({ path }) => isNamed(files, path));
  const planned = new Set(tasks.flatMap(filesOf).map(({ path }) => path));
  const unplanned = delivered.files.filter(({ path }) => !planned.has(path));
  const rows = [
    ...tasks.map((task) => [
      `${task.number}. ${excerpt(task.text, 120)}`,
      listed(task.files ?? [], MAX_FILES) || "–",
      listed(filesOf(task).map(describeFile), MAX_FILES) || "–",
      stateOf(task, filesOf(task).length, delivered.known),
    ]),
    ...unplanned.slice(0, MAX_UNPLANNED).map((file) => ["–", "–", describeFile(file), "not planned"]),
  ];
  const more = unplanned.length - MAX_UNPLANNED;
  const head = [
    ["Task", "Planned", "Delivered", "State"],
    ["---", "---", "---", "---"],
  ];
  return {
    markdown: [
      ...[...head, ...rows].map(renderRow),
      ...(more > 0 ? ["", `… and ${more} more files that no task names`] : []),
      "",
      describeBase(delivered, where),
    ].join("\n"),
    open: tasks.filter(({ done }) => !done),
  };
}

function stateOf({ done, files = [] }: PlanTask, changed: number, known: boolean): string {
  if (!known || files.length === 0) return done ? "done" : "open";
  if (done) return changed > 0 ? "delivered" : "ticked, but none of its files changed";
  return changed > 0 ? "open, its files changed" : "open";
}

function describeFile({ path, added, removed }: ChangedFile): string {
  return added + removed === 0 ? path : `${path} (+${added} −${removed})`;
}

function describeBase({ base, known }: Changes, where: string): string {
  if (!known) return "What was changed is not known: the files could not be compared.";
  return base === null
    ? "Compared is what no commit holds, or without version control what changed since OpenCode was started: it is not known where this work began."
    : `Compared with ${base.slice(0, 12)}, ${where}.`;
}
