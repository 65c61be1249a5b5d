import { posix } from "node:path";
import { excerpt, head } from "../../lib/excerpt.ts";
import type { PlanTask } from "../../plan/task.ts";

/** Of more tasks beside one another only the files are named, which is what matters of them. */
const MAX_TITLES = 6;
const MAX_LINE = 200;
const MAX_PLACE = 100;
const MAX_PLACES = 2_400;

/**
 * One task of a plan in the words that its specialist reads; what is known around it is told by the briefing.
 * @param now its files as they are
 * @param beside tasks that others work on at the same time
 */
export function renderAssignment(
  { text, files = [], verify, details }: PlanTask,
  now: string,
  beside: readonly PlanTask[],
): string {
  const places = beside.length > MAX_TITLES ? placesOf(beside) : beside.map(describe);
  const lines = [
    `TASK: ${text}`,
    details.trim(),
    files.length === 0 ? "" : `Its files: ${files.join(", ")}`,
    now,
  ];
  const proof = `EXPECTED\n\`${verify}\` passes. It is run for you once all of this wave have handed over, and comes back where it fails.`;
  return [
    lines.filter(Boolean).join("\n"),
    verify === undefined ? "" : proof,
    places.length === 0 ? "" : ["MUST NOT", "Repair what others work on beside you:", ...places].join("\n"),
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** For a session that has begun the task and was interrupted. */
export function renderGoOn(task: PlanTask): string {
  return `TASK: ${task.text}\nYou had begun this and were interrupted. Look at what stands in the files, finish what is missing, and hand over the whole.`;
}

/** For a reviewer whose findings were sent back. */
export const LOOK_AGAIN =
  "TASK: Look again: what you found was sent back and changed since. Judge it as it is now.";

/** For a reviewer who may not know any more what they found, or for another in their place; empty for nothing. */
export function renderFound(found: string): string {
  return found === "" ? "" : `FOUND BEFORE, by you or another in your place\n${found}`;
}

/** For the session that wrote what fails. @param problem what failed and what it said */
export function renderFix(task: PlanTask, problem: string): string {
  return `TASK: ${task.text}\nIt is not done yet. Find the cause, fix it within the task, and hand over again.\n${problem}`;
}

function describe(task: PlanTask): string {
  const named = task.files === undefined || task.files.length === 0 ? "" : ` (${placeOf(task)})`;
  return `- ${task.number}. ${excerpt(task.text, MAX_LINE)}${named}`;
}

/** Where all of them work, by folder. */
function placesOf(tasks: readonly PlanTask[]): string[] {
  const folders = new Map<string, string[]>();
  for (const path of tasks.flatMap(({ files = [] }) => files)) {
    const folder = posix.dirname(path);
    folders.set(folder, [...(folders.get(folder) ?? []), posix.basename(path)]);
  }
  const named = [...folders].map(([folder, names]) => `- ${folder}/: ${names.join(", ")}`);
  const others = tasks.filter(({ files = [] }) => files.length === 0).map((task) => `- ${placeOf(task)}`);
  return head([...named, ...others].join("\n"), MAX_PLACES).split("\n");
}

/** Where someone works: the files, or what it is about where the plan names none. */
function placeOf({ text, files = [] }: PlanTask): string {
  return excerpt(files.length === 0 ? text : files.join(", "), MAX_PLACE);
}
