import { editLines, parseMarkdown, renderMarkdown } from "../markdown/document.ts";
import { MAX_BESIDE } from "./derived-waves.ts";
import { linesUnder, readTasks, splitTitle, type PlacedTask } from "./plan-tasks.ts";
import { readCommand } from "./task-command.ts";
import { readDetails, type DetailLine } from "./task-details.ts";

/** `each: file`, `- **each**: 3 files`: the task is done in each of its files, and may be divided by them. */
const EACH =
  /^[ \t]*(?:[-*+][ \t]+)?[*_`]*(?:for )?each[*_`]*[ \t]*:[*_`\s]*(?:([1-9]\d?)\s*)?(?:files?)?[.`*_\s]*$/i;
/** Files of one part where the plan leaves that open: as few as let all parts be worked on side by side. */
const LEAST = 2;
const MOST = 5;

/** A task that says of itself that it is divided. */
export interface WholeTask {
  readonly number: number;
  /** Paths and globs. */
  readonly files: readonly string[];
}

/** A plan whose tasks are divided. */
export interface DividedPlan {
  readonly markdown: string;
  /** One sentence for each task that became several. */
  readonly told: readonly string[];
}

/** The open tasks of a plan, or of a part of one, that are to be divided by their files. */
export function findWholeTasks(markdown: string): readonly WholeTask[] {
  const document = parseMarkdown(markdown);
  return readTasks(document)
    .filter(({ task, block }) => !task.done && sizeIn(linesUnder(document, block).lines) !== null)
    .map(({ task: { number, files = [] } }) => ({ number, files }));
}

/**
 * Writes each of these tasks as several, all with what it says, its files shared out among them. The first keeps its number
 * and the others get new ones, so that no number means another task than before; a task that needs it needs all of them.
 * @param files of each task by its number, in place of the globs; a task without any stays as it is
 */
export function divideTasks(markdown: string, files: ReadonlyMap<number, readonly string[]>): DividedPlan {
  const document = parseMarkdown(markdown);
  const tasks = readTasks(document);
  let next = Math.max(0, ...tasks.map(({ task }) => task.number)) + 1;
  const shares = new Map<number, readonly Share[]>();
  for (const { task, block } of tasks) {
    const size = sizeIn(linesUnder(document, block).lines);
    const all = files.get(task.number) ?? [];
    if (task.done || size === null || all.length === 0) continue;
    const groups = shareOut(all, size === "open" ? sizeFor(all.length) : size);
    shares.set(
      task.number,
      groups.map((group, index) => ({ files: group, number: index === 0 ? task.number : next++ })),
    );
  }
  let edited = document;
  // From the last one up, so that the places of those above stay what they are.
  for (const placed of tasks.toReversed()) {
    const { task, block } = placed;
    const under = linesUnder(document, block);
    const own = shares.get(task.number) ?? [{ files: null, number: task.number }];
    const isNeeding = task.needs.some((number) => (shares.get(number)?.length ?? 0) > 1);
    if (!shares.has(task.number) && !isNeeding && splitTitle(block.text).number === task.number) continue;
    const lines = own.flatMap((share, index) => {
      const suffix = own.length === 1 ? "" : ` (${index + 1} of ${own.length})`;
      return renderShare(placed, share, suffix, under.lines, shares);
    });
    edited = editLines(edited, block.start, under.end - block.start, lines);
  }
  const told = [...shares]
    .filter(([, parts]) => parts.length > 1)
    .map(([number, parts]) => `Task ${number} is now tasks ${parts.map((part) => part.number).join(", ")}.`);
  return { markdown: renderMarkdown(edited), told };
}

interface Share {
  readonly number: number;
  /** Null for those of the task as it stands. */
  readonly files: readonly string[] | null;
}

/** How many files a part is to have; null for a task that is not divided. */
function sizeIn(lines: readonly DetailLine[]): number | "open" | null {
  const found = lines.flatMap(({ text, isCode }) => (isCode ? [] : (EACH.exec(text) ?? [])));
  const [line, size] = found;
  if (line === undefined || /:[*_`\s]*$/.test(line)) return null;
  return size === undefined ? "open" : Number(size);
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

function renderShare(
  { task, block }: PlacedTask,
  share: Share,
  suffix: string,
  under: readonly DetailLine[],
  shares: ReadonlyMap<number, readonly Share[]>,
): string[] {
  const indent = " ".repeat(block.indent);
  const isDivided = share.files !== null;
  const kept = isDivided ? under.filter(({ text, isCode }) => isCode || !EACH.test(text)) : under;
  const { keyed, free } = readDetails(kept);
  const files = isDivided
    ? share.files.map((file) => quoted(file, task.made)).join(", ")
    : keyed.get("files");
  const others = task.needs.flatMap((number) => shares.get(number)?.slice(1) ?? []);
  const own = task.unclearNeeds === undefined ? task.needs.join(", ") : (keyed.get("needs") ?? "");
  const needs = [own, ...others.map(({ number }) => String(number))].filter(Boolean);
  const values = new Map(keyed);
  if (files !== undefined) values.set("files", files);
  if (needs.length > 0) values.set("needs", needs.join(", "));
  const { title } = splitTitle(block.text);
  return [
    `${indent}- [${task.done ? "x" : " "}] ${share.number}. ${title}${suffix}`,
    ...[...values].map(([key, value]) => `${indent}  - ${key}: ${isRun(key) ? quotedCommand(value) : value}`),
    ...(free === "" ? [] : free.split("\n").map((line) => (line === "" ? "" : `${indent}  ${line}`))),
  ];
}

function isRun(key: string): boolean {
  return key === "verify" || key === "hidden";
}

/** In marks where it would be read as another one without them. */
function quotedCommand(command: string): string {
  return readCommand(command) === command ? command : `\`${command}\``;
}

function quoted(file: string, made: readonly string[] = []): string {
  const path = /[\s,;]/.test(file) ? `\`${file}\`` : file;
  return made.includes(file) ? `${path} (new)` : path;
}
