import {
  parseMarkdown,
  renderMarkdown,
  type Markdown,
  appendLines,
  editLines,
  isDelimiter,
  renderRow,
  type Table,
} from "../../lib/markdown.ts";

/** Why a document was left as it is. `line` is one-based. */
export interface Unchanged {
  readonly ok: false;
  readonly line?: number;
  readonly error: string;
  readonly hint: string;
}

export type Updated<T> = { readonly ok: true; readonly text: string; readonly result: T } | Unchanged;

/** A line that people wrote otherwise than the document's format: it stays as it is, and is not read. `line` is one-based. */
export type Unread = Required<Omit<Unchanged, "ok">>;

export function refuseChange(error: string, hint: string, at?: number): Unchanged {
  return { ok: false, error, hint, ...(at === undefined ? {} : { line: at + 1 }) };
}

/** What makes any document unsafe to write to, whatever it holds: conflicts, and a block that would swallow additions. */
export function refuseBroken({ lines, kinds, unclosed }: Markdown): Unchanged | null {
  const conflict = lines.findIndex(
    ({ text }, at) => text.startsWith("<".repeat(7)) && kinds[at] !== "code" && kinds[at] !== "comment",
  );
  if (conflict !== -1)
    return refuseChange("unresolved merge conflict.", "Resolve it, then try again.", conflict);
  if (unclosed === null) return null;
  const what = unclosed.closer === "-->" ? "HTML comment" : "code fence";
  return refuseChange(`this ${what} is never closed.`, `Close it with ${unclosed.closer}.`, unclosed.line);
}

export function changeMarkdown<T>(
  text: string,
  change: (document: Markdown) => Unchanged | readonly [changed: Markdown, result: T],
): Updated<T> {
  const document = parseMarkdown(text);
  const changed = refuseBroken(document) ?? change(document);
  if ("ok" in changed) return changed;
  return { ok: true, text: renderMarkdown(changed[0]), result: changed[1] };
}

export interface Rows<Entry> {
  readonly ok: true;
  /** In the order of the file, each with its one-based line. */
  readonly rows: readonly (Entry & { readonly line: number })[];
  readonly unread: readonly Unread[];
}

/** A document whose entries are rows of one table. Rows go to the last table with these columns; all else stays. */
export function defineTable<Name extends string>(columns: Readonly<Record<Name, string>>) {
  type Entry = Readonly<Record<Name, string>>;
  const names = Object.keys(columns) as Name[];
  const titles = names.map((name) => columns[name]);
  const header = renderRow(titles);
  const isOurs = (table: Table): boolean => renderRow(table.header) === header;
  const entryOf = (cells: readonly string[]): Entry =>
    Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ""])) as Entry;
  const render = (entry: Entry): string => renderRow(names.map((name) => entry[name]));
  /** Cells that are missing count as empty, as every renderer has it; a row with one too many is not read. */
  const read = (document: Markdown): Rows<Entry> | Unchanged => {
    const ours = document.tables.filter(isOurs);
    const [other] = document.tables;
    const refused = refuseBroken(document) ?? refuseStray(document, header);
    if (refused !== null) return refused;
    if (ours.length === 0 && other !== undefined)
      return refuseChange(
        `the columns are ${other.header.join(", ")}.`,
        `The header must be ${header}.`,
        other.start,
      );
    const all = ours.flatMap(({ rows }) => rows);
    const isWhole = ({ cells }: (typeof all)[number]): boolean => cells.length <= names.length;
    return {
      ok: true,
      rows: all.filter(isWhole).map(({ cells, line }) => ({ ...entryOf(cells), line: line + 1 })),
      unread: all
        .filter((row) => !isWhole(row))
        .map(({ cells, line }) => ({
          line: line + 1,
          error: `a row with ${cells.length} cells, and the table has ${names.length}.`,
          hint: "Write | inside a cell as \\|.",
        })),
    };
  };
  return {
    titles,
    header,
    /** Every entry of a file, in order, each with its one-based line; or why the file cannot be read. */
    parse: (text: string) => read(parseMarkdown(text)),
    change: <T>(
      text: string,
      change: (
        rows: Rows<Entry>["rows"],
        document: Markdown,
      ) => Unchanged | readonly [changed: Markdown, result: T],
    ): Updated<T> =>
      changeMarkdown(text, (document) => {
        const found = read(document);
        return found.ok ? change(found.rows, document) : found;
      }),
    isHeader: (cells: readonly string[]): boolean => renderRow(cells) === header,
    entryOf,
    append(document: Markdown, entries: readonly Entry[]): Markdown {
      const rows = entries.map(render);
      const table = document.tables.findLast(isOurs);
      if (rows.length === 0) return document;
      if (table !== undefined) return editLines(document, table.end, 0, rows);
      return appendLines(document, [header, renderRow(names.map(() => "---")), ...rows], true);
    },
    replace: (document: Markdown, line: number, entry: Entry): Markdown =>
      editLines(document, line - 1, 1, [render(entry)]),
  };
}

/** Where a row stands apart from its table, by prose or a broken header between: no reader would count it. */
function refuseStray({ lines, kinds }: Markdown, header: string): Unchanged | null {
  const at = lines.findIndex(({ text }, line) => {
    return kinds[line] === "text" && (text.trim().startsWith("|") || isDelimiter(text));
  });
  const hint = `Put it directly under the rows below ${header}.`;
  return at === -1 ? null : refuseChange("a table row outside of its table.", hint, at);
}
