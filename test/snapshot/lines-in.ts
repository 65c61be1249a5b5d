import type { DiffFile } from "../../src/lib/line-diff.ts";

const MARKS = { added: "+", removed: "-", context: " " };

/** The lines of a difference, below the names of their files. */
export function linesIn(files: readonly DiffFile[]): string {
  return files
    .flatMap(({ path, status, added, removed, hunks }) => [
      `${path} ${status} +${added} -${removed}`,
      ...hunks.flatMap(({ lines }) => lines.map(({ kind, text }) => MARKS[kind] + text)),
    ])
    .join("\n");
}
