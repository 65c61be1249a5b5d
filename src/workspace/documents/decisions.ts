import type { Table } from "../markdown/block.ts";
import {
  editLines,
  parseMarkdown,
  renderMarkdown,
  setLine,
  type MarkdownDocument,
} from "../markdown/document.ts";
import { appendToEnd } from "../markdown/section.ts";
import { renderTableRow } from "../markdown/table-row.ts";
import { refuseBroken, refuseChange, refuseStrayRow, type Change, type Refusal } from "./change.ts";
import {
  cellsOfDecision,
  DECISION_COLUMNS,
  decisionOfCells,
  isDecisionHeader,
  keyOfDecision,
  type Decision,
  type DecisionInput,
} from "./decision.ts";

/** How many rows were new, how many completed a row that stood there already, how many said nothing new. */
export interface DecisionCounts {
  readonly appended: number;
  readonly enriched: number;
  readonly skipped: number;
}

/** A row of the table in work; `line` is zero-based, null while the row is not in the file. */
interface Row {
  decision: Decision;
  readonly line: number | null;
  changed: boolean;
}

const HEADER = renderTableRow(DECISION_COLUMNS);

/** Every decision of a file, in order, with its one-based line; or why the file cannot be read. */
export function parseDecisions(
  text: string,
): { ok: true; decisions: (Decision & { line: number })[] } | Refusal {
  const found = findTables(parseMarkdown(text));
  if (!found.ok) return found;
  const rows = found.tables.flatMap((table) => table.rows);
  return {
    ok: true,
    decisions: rows.map(({ cells, line }) => Object.assign(decisionOfCells(cells), { line: line + 1 })),
  };
}

/**
 * Adds decisions as rows at the end of the last table. One that stands there already is not added again: it fills the
 * empty rationale and impact of its row. So a row that the plugin captured gets its reasons later, and a restart doubles
 * nothing.
 * @param day ISO day for rows without a date
 */
export function addDecisions(
  text: string,
  inputs: readonly DecisionInput[],
  day: string,
): Change<DecisionCounts> {
  const original = parseMarkdown(text);
  const found = findTables(original);
  if (!found.ok) return found;
  const rows = found.tables
    .flatMap((table) => table.rows)
    // A row with a cell too many is not touched: writing it again would lose that cell.
    .filter(({ cells }) => cells.length <= DECISION_COLUMNS.length)
    .map(({ cells, line }): Row => ({ decision: decisionOfCells(cells), line, changed: false }));
  const counts = mergeRows(rows, inputs, day);
  const added: string[] = [];
  let document = original;
  for (const { decision, line, changed } of rows) {
    const render = (): string => renderTableRow(cellsOfDecision(decision));
    if (line === null) added.push(render());
    else if (changed) document = setLine(document, line, render());
  }
  return { ok: true, text: renderMarkdown(insertRows(document, found.tables.at(-1), added)), result: counts };
}

function insertRows(
  document: MarkdownDocument,
  table: Table | undefined,
  rows: readonly string[],
): MarkdownDocument {
  if (rows.length === 0) return document;
  if (table !== undefined) return editLines(document, table.end, 0, rows);
  const delimiter = renderTableRow(DECISION_COLUMNS.map(() => "---"));
  return appendToEnd(document, [HEADER, delimiter, ...rows], true);
}

/** Completes rows in place and adds the new ones at the end of `rows`. */
function mergeRows(rows: Row[], inputs: readonly DecisionInput[], day: string): DecisionCounts {
  const byKey = new Map<string, Row[]>();
  for (const row of rows) remember(byKey, row);
  const counts = { appended: 0, enriched: 0, skipped: 0 };
  for (const input of inputs) {
    const decision = { rationale: "", impact: "", ...input, date: dateOf(input, day) };
    const twins = byKey.get(keyOfDecision(decision));
    const twin = twins?.findLast((row) => isSame(row.decision, input, decision));
    if (twin === undefined) {
      const row: Row = { decision, line: null, changed: false };
      rows.push(row);
      remember(byKey, row);
      counts.appended += 1;
    } else if (complete(twin, decision)) counts.enriched += 1;
    else counts.skipped += 1;
  }
  return counts;
}

function remember(byKey: Map<string, Row[]>, row: Row): void {
  const key = keyOfDecision(row.decision);
  byKey.set(key, [...(byKey.get(key) ?? []), row]);
}

/** An undated row repeats any earlier one; a dated one repeats its own day, or explains a row that still lacks reasons. */
function isSame(known: Decision, input: DecisionInput, decision: Decision): boolean {
  if ((input.date ?? "") === "" || known.date === decision.date) return true;
  const bare = known.rationale === "" && known.impact === "";
  return bare && decision.rationale + decision.impact !== "";
}

function complete(row: Row, { rationale, impact }: Decision): boolean {
  const known = row.decision;
  row.decision = { ...known, rationale: known.rationale || rationale, impact: known.impact || impact };
  const changed = row.decision.rationale !== known.rationale || row.decision.impact !== known.impact;
  row.changed ||= changed;
  return changed;
}

function dateOf(input: DecisionInput, day: string): string {
  return /^\d{4}-\d{2}-\d{2}/.test(input.date ?? "") ? (input.date ?? day) : day;
}

/** The decision tables of a file, possibly none; refused when rows stand where no reader would count them. */
function findTables(document: MarkdownDocument): { ok: true; tables: Table[] } | Refusal {
  const broken = refuseBroken(document);
  if (broken !== null) return broken;
  const stray = refuseStrayRow(document, HEADER);
  if (stray !== null) return stray;
  const tables = document.blocks.filter((block) => block.kind === "table");
  const ours = tables.filter((table) => isDecisionHeader(table.header));
  const [other] = tables;
  if (ours.length > 0 || other === undefined) return { ok: true, tables: ours };
  const found = `the columns are ${other.header.join(", ")}.`;
  return refuseChange(found, `The header must be ${HEADER}.`, other.start);
}
