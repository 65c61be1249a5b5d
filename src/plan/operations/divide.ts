import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { refuse, type Refusal } from "../../lib/error.ts";
import { findBelow, type Search } from "../../lib/find-below.ts";
import { editLines, parseMarkdown, renderMarkdown } from "../../lib/markdown.ts";
import { parsePattern } from "../../lib/path-pattern.ts";
import { isSensitivePath } from "../../policy/sensitive-path.ts";
import { isPattern } from "../files.ts";
import { parsePlan } from "../grammar.ts";
import { renderTask, type PlanTask } from "../task.ts";
import { MAX_BESIDE } from "../waves.ts";

/** More files than this are too many for one task, however it is divided. */
const MAX_FILES = 200;
const MAX_FOLDERS = 5_000;

/** A plan whose tasks that ask for it (`each: file`) are divided by their files; null where none asks. */
export async function divideByFiles(
  allowSensitive: readonly string[],
  project: string,
  markdown: string,
  signal: AbortSignal,
): Promise<DividedPlan | Refusal | null> {
  const files = new Map<number, readonly string[]>();
  for (const { number, files: named = [] } of findWholeTasks(markdown)) {
    const found = new Set<string>();
    for (const file of named)
      for (const path of await pathsOf(allowSensitive, project, file, signal)) found.add(path);
    const wrong = `Task ${number} is to be divided by its files, `;
    if (found.size === 0)
      return refuse(
        `${wrong}and ${named.length === 0 ? "it names none" : `${named.join(", ")} matches none`}.`,
        "Name files or globs, relative to the project, on its line files:.",
      );
    if (found.size > MAX_FILES)
      return refuse(
        `${wrong}which are more than ${MAX_FILES}.`,
        "Name fewer, by narrower globs or in several tasks.",
      );
    files.set(number, [...found]);
  }
  return files.size === 0 ? null : divideTasks(markdown, files);
}

/** The files that a glob or a folder stands for; a name of a file as it is. Those with secrets are left out. */
async function pathsOf(
  allowSensitive: readonly string[],
  project: string,
  file: string,
  signal: AbortSignal,
): Promise<string[]> {
  const named = await lookAt(join(project, file));
  // Brackets and braces also occur in real names, such as app/[id]/page.tsx.
  if (named?.isFile() === true || (named === null && !isPattern(file))) return [file];
  const search: Search = { foldersLeft: MAX_FOLDERS, signal };
  const found = new Set<string>();
  for (const steps of parsePattern(named === null ? file : `${file}/**`) ?? []) {
    for await (const path of findBelow(project, steps, search)) {
      const name = relative(project, path).split(sep).join("/");
      if (isSensitivePath(name, allowSensitive) || (await lookAt(path))?.isFile() !== true) continue;
      found.add(name);
      if (found.size > MAX_FILES) break;
    }
  }
  return [...found].toSorted();
}

async function lookAt(path: string): Promise<Stats | null> {
  return stat(path).catch(() => null);
}

/** Files of one part where the plan leaves that open: as few as let all parts be worked on side by side. */
const LEAST = 2;
const MOST = 5;

interface DividedPlan {
  readonly markdown: string;
  readonly told: readonly string[];
}

/** The open tasks of a plan that are to be divided by their files (`each: file`). */
function findWholeTasks(markdown: string): readonly PlanTask[] {
  return parsePlan(markdown).tasks.filter(({ done, each }) => !done && each !== undefined);
}

/** The first part keeps the number, so that none means another task than before; who needs it needs all. @param files of each task by number */
export function divideTasks(markdown: string, files: ReadonlyMap<number, readonly string[]>): DividedPlan {
  const { tasks, places } = parsePlan(markdown);
  let next = Math.max(0, ...tasks.map(({ number }) => number)) + 1;
  const parts = new Map<number, readonly PlanTask[]>();
  for (const { each = 0, ...task } of findWholeTasks(markdown)) {
    const all = files.get(task.number) ?? [];
    const size = each || sizeFor(all.length);
    const groups = all.length === 0 ? [] : shareOut(all, size);
    // It has as many files as it is to have: it is a part already.
    if (groups.length === 0 || groups[0]?.join() === task.files?.join()) continue;
    const shares = groups.map((group, index): PlanTask => ({
      ...task,
      number: index === 0 ? task.number : next++,
      text: groups.length === 1 ? task.text : `${task.text} (${index + 1} of ${groups.length})`,
      files: group,
      each: size,
    }));
    parts.set(task.number, shares);
  }
  const withNeeds = (task: PlanTask): PlanTask => {
    const others = task.needs.flatMap((number) => parts.get(number)?.slice(1) ?? []);
    return { ...task, needs: [...task.needs, ...others.map(({ number }) => number)] };
  };
  let edited = parseMarkdown(markdown);
  // From the last one up, so that the places of those above stay what they are.
  for (const [at, task] of [...tasks.entries()].toReversed()) {
    const own = parts.get(task.number) ?? [task];
    const written = own.map(withNeeds);
    const place = places[at];
    const isSame = own[0] === task && written[0]?.needs.length === task.needs.length;
    if (!isSame && place !== undefined)
      edited = editLines(edited, place.start, place.end - place.start, written.flatMap(renderTask));
  }
  const told = [...parts]
    .filter(([, shares]) => shares.length > 1)
    .map(
      ([number, shares]) => `Task ${number} is now tasks ${shares.map((part) => part.number).join(", ")}.`,
    );
  return { markdown: renderMarkdown(edited), told };
}

function sizeFor(count: number): number {
  return Math.min(MOST, Math.max(LEAST, Math.ceil(count / MAX_BESIDE)));
}

/** In groups of at most `size`, which differ by one at most; the small ones first, as the first one goes ahead of the others. */
function shareOut(files: readonly string[], size: number): (readonly string[])[] {
  const count = Math.ceil(files.length / size);
  return Array.from({ length: count }, (_, index) =>
    files.slice(Math.floor((index * files.length) / count), Math.floor(((index + 1) * files.length) / count)),
  );
}
