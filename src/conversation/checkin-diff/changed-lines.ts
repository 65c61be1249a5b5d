import { head } from "../../lib/excerpt.ts";
import type { DiffFile, DiffHunk } from "../../snapshot/unified-diff.ts";

const MAX_OF_FILE = 12;
const MAX_SHOWN = 30;
const MAX_LINE = 140;
/** Of one line of a patch: what is longer was written by no person. */
const MAX_PATCH_LINE = 500;
const MARKS = { added: "+", removed: "-", context: " " };

/** The changed lines of each file of a check-in by its path, with their numbers, for a transcript. Pure. */
export function renderChangedLines(files: readonly DiffFile[]): ReadonlyMap<string, readonly string[]> {
  let room = MAX_SHOWN;
  return new Map(
    files.map(({ path, hunks }) => {
      const changed = hunks.flatMap(({ lines }) => lines).filter(({ kind }) => kind !== "context");
      const shown = changed.slice(0, Math.min(MAX_OF_FILE, room));
      room -= shown.length;
      const more = changed.length - shown.length;
      const lines = shown.map(({ kind, text, line }) => {
        return `    ${String(line).padStart(4)} ${MARKS[kind]} ${head(text, MAX_LINE)}`.trimEnd();
      });
      return [path, more > 0 ? [...lines, `         … ${more} more: /gaia-checkin`] : lines];
    }),
  );
}

/** The files as whole patches of at most `max` characters: the counts of a hunk are those of its lines. Pure. */
export function renderPatches(files: readonly DiffFile[], max: number): string {
  let room = max;
  const patches = files.map(({ path, hunks }) => {
    let patch = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n`;
    room -= patch.length;
    let grown = 0;
    for (const hunk of hunks) {
      const lines: DiffHunk["lines"] = [];
      for (const line of hunk.lines) {
        const text = head(line.text, MAX_PATCH_LINE);
        room -= text.length + 2;
        if (room < 0) break;
        lines.push({ ...line, text });
      }
      if (lines.length > 0) patch += renderHunk(hunk, lines, grown);
      grown += count(hunk.lines, "added") - count(hunk.lines, "removed");
    }
    return patch;
  });
  return patches.filter((patch) => patch.includes("\n@@ ")).join("");
}

/** @param grown lines by which the new file is ahead where the hunk begins */
function renderHunk({ header }: DiffHunk, lines: DiffHunk["lines"], grown: number): string {
  const [first] = lines;
  const line = first?.line ?? 0;
  const [old, fresh] = first?.kind === "removed" ? [line, line + grown] : [line - grown, line];
  const size = lines.length;
  const ranges = `-${old},${size - count(lines, "added")} +${fresh},${size - count(lines, "removed")}`;
  const body = lines.map(({ kind, text }) => `${MARKS[kind]}${text}\n`).join("");
  return `@@ ${ranges} @@ ${header}`.trimEnd() + `\n${body}`;
}

function count(lines: DiffHunk["lines"], wanted: "added" | "removed"): number {
  return lines.filter(({ kind }) => kind === wanted).length;
}
