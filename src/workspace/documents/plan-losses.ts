import type { MarkdownDocument } from "../markdown/document.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { conditionsOf } from "./plan-substance.ts";
import { readTasks, setTask } from "./plan-tasks.ts";

const MAX_LISTED = 12;
/** What a list item begins with. */
const BOX = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s*)?/;

/** What a change takes out of a plan, as people read it; empty for nothing. A task that only moved is still there. */
export function findLosses(before: MarkdownDocument, after: MarkdownDocument): string[] {
  const tasks = missing(
    readTasks(before).map(({ task }) => ({
      key: keyOf(task.text),
      shown: `task ${task.number}. ${task.text}`,
    })),
    readTasks(after).map(({ task }) => keyOf(task.text)),
  );
  const conditions = missing(
    conditionsOf(before).map((line) => ({ key: keyOf(line), shown: `done when: ${line.replace(BOX, "")}` })),
    conditionsOf(after).map(keyOf),
  );
  return [...tasks, ...conditions].map((line) => excerpt(line, 120));
}

/** The list of what would be lost, for a refusal. */
export function renderLosses(losses: readonly string[]): string {
  const more = losses.length - MAX_LISTED;
  return [...losses.slice(0, MAX_LISTED), ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

/** The numbers of tasks that are done after a change and were not before. */
export function newlyDone(before: MarkdownDocument, after: MarkdownDocument): number[] {
  const done = readTasks(before)
    .filter(({ task }) => task.done)
    .map(({ task }) => keyOf(task.text));
  return readTasks(after)
    .filter(({ task }) => task.done && !takeOne(done, keyOf(task.text)))
    .map(({ task }) => task.number);
}

/** Ticks the tasks of a new text that were done in the old one: a text that is written again takes no tick away. */
export function keepTicks(before: MarkdownDocument, after: MarkdownDocument): MarkdownDocument {
  const done = readTasks(before)
    .filter(({ task }) => task.done)
    .map(({ task }) => keyOf(task.text));
  return readTasks(after).reduce(
    (document, { task, block }) =>
      takeOne(done, keyOf(task.text)) ? setTask(document, block, true) : document,
    after,
  );
}

function missing(items: readonly { key: string; shown: string }[], left: readonly string[]): string[] {
  const rest = [...left];
  return items.filter(({ key }) => !takeOne(rest, key)).map(({ shown }) => shown);
}

/** Takes one of that name out of a list; false when there is none. */
function takeOne(list: string[], key: string): boolean {
  const at = list.indexOf(key);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}

/** A line without what another hand may write differently: markup, number, case, the final point. */
function keyOf(line: string): string {
  return line
    .replace(BOX, "")
    .replace(/^\(?\d{1,4}[.):]\s+/, "")
    .replaceAll(/[*_`]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/[.;]+$/, "")
    .toLowerCase();
}
