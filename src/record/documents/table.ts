import {
  appendLines,
  editLines,
  isDelimiter,
  renderRow,
  type Markdown,
  type Table,
} from "../../lib/markdown.ts";
import { refuseBroken, refuseChange, type Unchanged, type Unread } from "./document.ts";

/** Rows of a document as they were read. */
export interface Rows<Entry> {
  readonly ok: true;
  /** In the order of the file, each with its zero-based line. */
  readonly rows: readonly { readonly entry: Entry; readonly at: number }[];
  readonly unread: readonly Unread[];
}

/**
 * The format of a document whose entries are the rows of one table: its columns, by the names of an entry's fields, in order. Rows are
 * added to the last table with these columns; everything else in the file stays as it is.
 */
export function defineTable<Name extends string>(columns: Readonly<Record<Name, string>>) {
  type Entry = Readonly<Record<Name, string>>;
  const names = Object.keys(columns) as Name[];
  const titles = names.map((name) => columns[name]);
  const header = renderRow(titles);
  const isOurs = (table: Table): boolean => renderRow(table.header) === header;
  const entryOf = (cells: readonly string[]): Entry =>
    Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ""])) as Entry;
  const render = (entry: Entry): string => renderRow(names.map((name) => entry[name]));
  return {
    titles,
    header,
    isHeader: (cells: readonly string[]): boolean => renderRow(cells) === header,
    entryOf,
    /** Cells that are missing count as empty, as every renderer has it; a row with one too many is not read. */
    read(document: Markdown): Rows<Entry> | Unchanged {
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
        rows: all.filter(isWhole).map(({ cells, line }) => ({ entry: entryOf(cells), at: line })),
        unread: all
          .filter((row) => !isWhole(row))
          .map(({ cells, line }) => ({
            line: line + 1,
            error: `a row with ${cells.length} cells, and the table has ${names.length}.`,
            hint: "Write | inside a cell as \\|.",
          })),
      };
    },
    append(document: Markdown, entries: readonly Entry[]): Markdown {
      const rows = entries.map(render);
      const table = document.tables.findLast(isOurs);
      if (rows.length === 0) return document;
      if (table !== undefined) return editLines(document, table.end, 0, rows);
      return appendLines(document, [header, renderRow(names.map(() => "---")), ...rows], true);
    },
    /** @param at a row's zero-based line */
    replace: (document: Markdown, at: number, entry: Entry): Markdown =>
      editLines(document, at, 1, [render(entry)]),
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
