import { nearestName } from "../config/nearest-name.ts";
import { isNumber, TASK_KEYS, type TaskKey } from "./values.ts";

const MAX_DETAILS = 8_000;
/** A line as others write a task: heading, bullet, box, number, text. */
export const ITEM =
  /^(#{3,6}\s+)?([-*+•]\s+|\d{1,4}[.)]\s+(?=\[))?(\[.?.?\]\s*|[☐☑☒]\s*)?(?:[*_]*(?:task|step|t)?\s*#?\(?(\d{1,4})[.):]+[*_]*(?:\s+|$))?(.*)$/iu;
/** A line as others write a key. */
const KEYED = /^(\s*)(?:[-*+•]\s+)?[*_`]*([a-z][a-z _-]{1,20}?)[*_`]*\s*[:：][*_`]*\s*(.*)$/iu;

export interface Keyed {
  /** Null for a list item with a key that there is not. */
  readonly name: TaskKey | null;
  readonly value: string;
}

/** What a line says by a key, however it is written; also by a name that is nearly one. */
export function keyOf(line: string): Keyed | null {
  if (!line.includes(":") && !line.includes("：")) return null;
  const [, , given = "", rest = ""] = KEYED.exec(line) ?? [];
  const [name, value] = [given.trim().toLowerCase(), rest.trim()];
  const exact = TASK_KEYS.find((key) => key === name);
  if (exact !== undefined) return { name: exact, value };
  if (name === "" || !line.trimStart().startsWith("- ") || value.startsWith("//")) return null;
  const near = nearestName(name, TASK_KEYS);
  return { name: TASK_KEYS.find((key) => key === near) ?? null, value };
}

/** What an item of a list says; the marks of a fence say nothing. */
export function itemOf(line: string): string[] {
  const [, , , , , text = ""] = ITEM.exec(line.trim()) ?? [];
  return text === "" || text.startsWith("```") || text.startsWith("~~~") ? [] : [text];
}

export function lettersOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z]/gu, "");
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Lines without the indent that all of them share, bounded. */
export function dedent(lines: readonly string[]): string {
  const shared = Math.min(...lines.filter((line) => line.trim() !== "").map(indentOf));
  const text = lines.map((line) => line.slice(Math.min(shared, indentOf(line))).trimEnd());
  while (text.length > 0 && text[0] === "") text.shift();
  while (text.at(-1) === "") text.pop();
  const all = text.join("\n");
  return all.length <= MAX_DETAILS ? all : `${all.slice(0, MAX_DETAILS)}…`;
}

export function isTicked(box: string): boolean {
  return ["x", "X", "✓", "✔", "☑"].some((mark) => box.includes(mark));
}

export function isDeeper(line = "", key = ""): boolean {
  return line.trim() !== "" && indentOf(line) > indentOf(key);
}

/** What a status line says; null for any other line. */
export function statusIn(line: string): string | null {
  const [name = "", ...rest] = line.trim().slice(1).split(":");
  return line.trimStart().startsWith(">") && name.trim() === "Status" ? rest.join(":").trim() : null;
}

/** Whether a line is meant as a task; indented ones need both box and number, as a task's own lists have one of them. */
export function isTaskLike(line: string, isBelow: boolean): boolean {
  const [, heading, bullet, box, shown] = ITEM.exec(line.trim()) ?? [];
  if (isBelow || heading !== undefined) return shown !== undefined && (!isBelow || box !== undefined);
  return bullet !== undefined || box !== undefined || shown !== undefined;
}

/** What the rows of a table say, as titles: their cells without the header, the ruler and bare numbers. */
export function titlesIn(rows: readonly string[]): string[] {
  const cells = rows.map((row) =>
    row
      .split("|")
      .map((cell) => cell.trim())
      .filter(Boolean),
  );
  const ruler = cells.findIndex((row) => row.every((cell) => cell.includes("--")));
  return cells.slice(ruler + 1).map((row) => row.filter((cell) => !isNumber(cell)).join(", "));
}
