/** What ends a line; empty at the end of a file that has no final line break. */
export type LineEnd = "" | "\n" | "\r\n" | "\r";

/** One line of a file, its ending kept apart; only the last line of a file may have none. */
export interface Line {
  readonly text: string;
  readonly end: LineEnd;
}

/** Cuts a text into lines so that {@link joinLines} gives back every byte. An empty text has no lines. */
export function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  const ends = /\r\n|\n|\r/g;
  let start = 0;
  for (let found = ends.exec(text); found !== null; found = ends.exec(text)) {
    lines.push({ text: text.slice(start, found.index), end: found[0] as LineEnd });
    start = ends.lastIndex;
  }
  if (start < text.length) lines.push({ text: text.slice(start), end: "" });
  return lines;
}

/** The inverse of {@link splitLines}. */
export function joinLines(lines: readonly Line[]): string {
  return lines.map((line) => line.text + line.end).join("");
}

/** The line ending that new lines should have: the one that most lines have, `\n` in a new file. */
export function usualLineEnd(lines: readonly Line[]): Exclude<LineEnd, ""> {
  const crlf = lines.filter((line) => line.end === "\r\n").length;
  const lf = lines.filter((line) => line.end === "\n").length;
  const cr = lines.filter((line) => line.end === "\r").length;
  if (crlf > lf && crlf >= cr) return "\r\n";
  return cr > lf ? "\r" : "\n";
}

/** How many columns of white space a line begins with; a tab reaches to the next multiple of four. */
export function indentOf(text: string): number {
  let column = 0;
  for (const char of text) {
    if (char === " ") column += 1;
    else if (char === "\t") column += 4 - (column % 4);
    else break;
  }
  return column;
}

/** Whether a line holds nothing but white space. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}
