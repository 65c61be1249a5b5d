/** The cells of one table row, unescaped and trimmed: `\|` is a pipe, `<br>` a line break. */
export function parseTableRow(text: string): string[] {
  const cells: string[] = [];
  let cell = "";
  const row = text.trim();
  for (let at = row.startsWith("|") ? 1 : 0; at < row.length; at += 1) {
    const char = row.charAt(at);
    if (char === "\\" && row.charAt(at + 1) === "|") {
      cell += "\\|";
      at += 1;
    } else if (char === "|") {
      cells.push(readCell(cell));
      cell = "";
    } else cell += char;
  }
  // What follows the last pipe is a cell only when the row does not end with that pipe.
  if (cell.trim() !== "" || cells.length === 0) cells.push(readCell(cell));
  return cells;
}

function readCell(raw: string): string {
  return raw
    .replaceAll("\\|", "|")
    .replaceAll("&#124;", "|")
    .split(/<br ?\/?>/)
    .map((line) => line.trim())
    .join("\n")
    .trim();
}

/** One row of a table. Whatever the cells hold, {@link parseTableRow} reads the same number of cells back. */
export function renderTableRow(cells: readonly string[]): string {
  return `| ${cells.map(renderCell).join(" | ")} |`;
}

function renderCell(cell: string): string {
  return (
    cell
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
  return /(?:^|[^\\])\|/.test(text);
}
