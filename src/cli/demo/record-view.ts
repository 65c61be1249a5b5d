import { wrap } from "./layout.ts";
import type { Paint } from "./paint.ts";

/** One file of the record. */
export interface RecordFile {
  /** From the project's folder: `.gaia/due-dates/plan.md`. */
  readonly path: string;
  readonly text: string;
}

/** How many lines of one file are shown. */
const LINES_PER_FILE = 5;

/** What says most in each kind of document. */
const TELLING: Readonly<Record<string, RegExp>> = {
  "plan.md": /^\s*- \[[ x]\] /,
  "log.md": /^(?:## |\w)/,
  "decisions.md": /^\| *\d{4}-/,
  "learnings.md": /^- /,
};

/** The record's folder as a tree, with the lines that say most under each file. */
export function renderRecord(files: readonly RecordFile[], paint: Paint, width: number): string[] {
  const lines = [".gaia/"];
  let folder = "";
  for (const { path, text } of files) {
    const parts = path.split("/").slice(1);
    const name = parts.pop() ?? "";
    const parent = parts.join("/");
    if (parent !== folder && parent !== "") lines.push(`  ${parent}/`);
    folder = parent;
    const indent = parent === "" ? "  " : "    ";
    lines.push(`${indent}${paint.bold(name)}`);
    const bar = `${indent}  │ `;
    const quoted = tellingLines(name, text).flatMap((line) => wrap(line, width - bar.length));
    lines.push(...quoted.map((line) => paint.dim(bar + line)));
  }
  return lines;
}

function tellingLines(name: string, text: string): string[] {
  const telling = TELLING[name];
  if (telling === undefined) return [];
  return text
    .split("\n")
    .filter((line) => telling.test(line) && !line.startsWith("<!--"))
    .slice(0, LINES_PER_FILE);
}
