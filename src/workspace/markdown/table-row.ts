/** A pipe that separates cells. */
const CELL_PIPE = /(?<!\\)\|/;

/** The cells of one table row, unescaped and trimmed: `\|` is a pipe, `<br>` a line break. */
export function parseTableRow(text: string): string[] {
  const cells = text.trim().split(CELL_PIPE);
  // Pipes at the ends enclose cells, they separate none.
  if (cells.length > 1 && cells[0] === "") cells.shift();
  if (cells.length > 1 && cells.at(-1)?.trim() === "") cells.pop();
  return cells.map(readCell);
}

function readCell(raw: string): string {
  const text = raw.trim().replaceAll("\\|", "|").replaceAll("&#124;", "|");
  if (!text.includes("<br")) return text;
  const lines = text.split(/<br ?\/?>/).map((line) => line.trim());
  return lines.join("\n").trim();
}

/** One row of a table. Whatever the cells hold, {@link parseTableRow} reads the same number of cells back. */
export function renderTableRow(cells: readonly string[]): string {
  return `| ${cells.map(renderCell).join(" | ")} |`;
}

function renderCell(cell: string): string {
  return (
    cell
      .replaceAll("\0", "\uFFFD")
      .trim()
      .split(/\r\n|\n|\r/)
      .map((line) => line.trim())
      .join("<br>")
      // After a backslash renderers disagree about `\|`, so the pipe becomes an entity there.
      .replaceAll(/(\\?)\|/g, (_pipe, slash: string) => (slash === "" ? "\\|" : "\\&#124;"))
  );
}

/** Whether a line is the `|---|:--:|` line under a table's header. */
export function isDelimiterRow(text: string): boolean {
  return (
    text.includes("|") && /^ {0,3}\|?[ \t]*:?-+:?(?:[ \t]*\|[ \t]*:?-+:?)*[ \t]*\|?$/.test(text.trimEnd())
  );
}

/** Whether a line holds a pipe that separates cells. */
export function hasCellPipe(text: string): boolean {
  return CELL_PIPE.test(text);
}
