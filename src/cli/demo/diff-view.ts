import { clip } from "./layout.ts";
import type { Paint } from "./paint.ts";

/**
 * A git diff for reading: the file's name instead of git's four header lines, and not longer than a screen or two.
 * @param diff what `git diff` printed
 * @param bounds characters per line, lines in total
 */
export function renderDiff(diff: string, paint: Paint, bounds: { width: number; lines: number }): string[] {
  const shown: string[] = [];
  let inHeader = false;
  for (const line of diff.split("\n")) {
    if (line.startsWith("diff --git ")) {
      inHeader = true;
      shown.push(paint.bold(line.replace(/^diff --git a\/.* b\//, "")));
    } else if (line.startsWith("@@")) {
      inHeader = false;
      shown.push(paint.diff(line.replace(/^(@@.*?@@).*$/, "$1")));
    } else if (!inHeader && line !== "") {
      shown.push(paint.diff(clip(line, bounds.width)));
    }
  }
  const rest = shown.length - bounds.lines;
  return rest <= 0 ? shown : [...shown.slice(0, bounds.lines), paint.dim(`… ${rest} more`)];
}
