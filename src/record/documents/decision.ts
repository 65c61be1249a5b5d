import { foreignLine, isDelimiter, parseMarkdown, parseRow } from "../../lib/markdown.ts";
import { refuseChange, type Updated, type Unchanged, defineTable } from "./table.ts";

const table = defineTable({
  date: "Date",
  question: "Question",
  choice: "Choice",
  rationale: "Rationale",
  impact: "Impact",
});

/** One row of `decisions.md`. Empty texts mean unknown; `date` is an ISO day, optionally with more behind it, such as a time. */
export type RecordedDecision = ReturnType<typeof table.entryOf>;

export type DecisionInput = Pick<RecordedDecision, "question" | "choice"> & Partial<RecordedDecision>;

/** Every decision of a file, in order, with its one-based line; or why the file cannot be read. */
export const parseDecisions = table.parse;

/** Adds decisions as rows. One that is there is completed, not doubled. @param day ISO day for rows without a date */
export function addDecisions(
  text: string,
  inputs: readonly DecisionInput[],
  day: string,
): Updated<Record<"appended" | "enriched" | "skipped", number>> {
  return table.change(text, (known, document) => {
    const rows: { entry: RecordedDecision; line: number | null; changed?: boolean; key: string }[] =
      known.map((entry) => ({ entry, line: entry.line, key: keyOfDecision(entry) }));
    const counts = { appended: 0, enriched: 0, skipped: 0 };
    for (const input of inputs) {
      const isDated = /^\d{4}-\d{2}-\d{2}/.test(input.date ?? "");
      const fresh = { rationale: "", impact: "", ...input, date: isDated ? (input.date ?? day) : day };
      const [key, isExplained] = [keyOfDecision(fresh), fresh.rationale + fresh.impact !== ""];
      // An undated row repeats any earlier one; a dated one repeats its own day, or explains a row that still lacks reasons.
      const repeats = ({ date, rationale, impact }: RecordedDecision): boolean =>
        !isDated || date === fresh.date || (rationale + impact === "" && isExplained);
      const twin = rows.findLast((row) => row.key === key && repeats(row.entry));
      if (twin === undefined) {
        rows.push({ entry: fresh, line: null, key });
        counts.appended += 1;
        continue;
      }
      const rationale = twin.entry.rationale || fresh.rationale;
      const impact = twin.entry.impact || fresh.impact;
      const isRicher = rationale !== twin.entry.rationale || impact !== twin.entry.impact;
      Object.assign(twin, {
        entry: { ...twin.entry, rationale, impact },
        changed: twin.changed === true || isRicher,
      });
      counts[isRicher ? "enriched" : "skipped"] += 1;
    }
    const completed = rows.reduce(
      (next, { entry, line, changed }) =>
        line !== null && changed ? table.replace(next, line, entry) : next,
      document,
    );
    const added = rows.filter(({ line }) => line === null).map(({ entry }) => entry);
    return [table.append(completed, added), counts];
  });
}

/** What two accounts of the same choice have in common: question and choice, white space and letter case ignored. */
function keyOfDecision({ question, choice }: RecordedDecision): string {
  return JSON.stringify([question, choice].map((text) => foreignLine(text.normalize("NFKC")).toLowerCase()));
}

/** Reads rows that a model wrote: five cells, or four without the date. A header and delimiter may stand above them. */
export function parseDecisionRows(markdown: string): { ok: true; rows: DecisionInput[] } | Unchanged {
  const rows: DecisionInput[] = [];
  for (const [at, { text }] of parseMarkdown(markdown).lines.entries()) {
    const cells = parseRow(text);
    if (text.trim() === "" || isDelimiter(text) || table.isHeader(cells)) continue;
    const dated = cells.length === table.titles.length - 1 ? ["", ...cells] : cells;
    if (dated.length !== table.titles.length)
      return refuseChange(
        `Row ${at + 1} of rows_markdown has ${cells.length} cells.`,
        `Write one row per line: ${table.header}, and \\| for a pipe inside a cell.`,
      );
    rows.push(table.entryOf(dated));
  }
  return { ok: true, rows };
}
