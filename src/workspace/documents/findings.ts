import type { Table } from "../markdown/block.ts";
import { editLines, parseMarkdown, renderMarkdown, setLine } from "../markdown/document.ts";
import { appendToEnd } from "../markdown/section.ts";
import { renderTableRow } from "../markdown/table-row.ts";
import { refuseBroken, refuseChange, refuseStrayRow, type Change, type Refusal } from "./change.ts";
import {
  cellsOfFinding,
  FINDING_COLUMNS,
  findingOfCells,
  isSameId,
  rowOf,
  sayingOf,
  stateOf,
  workOf,
  type Finding,
  type FindingState,
  type NewFinding,
} from "./finding.ts";

/** More rows than these nobody reads, and further reports are refused. */
const MAX_ROWS = 1_000;
const HEADER = renderTableRow(FINDING_COLUMNS);

/** What became of reports. */
export interface FindingCounts {
  readonly added: readonly Finding[];
  /** What was there already, under its id or in other words for the same. */
  readonly known: readonly Finding[];
  /** Reports whose id stands for something else. */
  readonly taken: readonly Finding[];
}

/** A change of one finding's state. */
export interface StateChange {
  readonly id: string;
  /** Only a finding in one of these states is changed; a text is the whole cell, as it was written before. */
  readonly was: string | readonly FindingState[];
  readonly state: string;
}

interface Row {
  readonly finding: Finding;
  readonly line: number;
  readonly cells: readonly string[];
}

/** Every finding of a file, in order, with its one-based line; the first row of an id counts. */
export function parseFindings(
  text: string,
): { ok: true; findings: readonly (Finding & { line: number })[] } | Refusal {
  const read = readRows(text);
  if (!read.ok) return read;
  return { ok: true, findings: read.rows.map(({ finding, line }) => ({ ...finding, line: line + 1 })) };
}

/** Adds what is not there yet, each once. A row that is there is left as it is, whatever a report says of its id. */
export function addFindings(text: string, given: readonly NewFinding[]): Change<FindingCounts> {
  const read = readRows(text);
  if (!read.ok) return read;
  const standing = read.rows.map(({ finding }) => finding);
  const named = new Map(standing.map((each) => [each.id.toLowerCase(), each]));
  const said = new Map(standing.toReversed().map((each) => [sayingOf(each), each]));
  const added: Finding[] = [];
  const known: Finding[] = [];
  const taken: Finding[] = [];
  for (const finding of given.map(rowOf)) {
    const [id, saying] = [finding.id.toLowerCase(), sayingOf(finding)];
    const other = named.get(id);
    // Of one reporter, an id is the same finding in whatever words; of another, its words are not taken for it.
    const repeated = other?.by === finding.by ? other : said.get(saying);
    if (repeated !== undefined) known.push(repeated);
    else if (other !== undefined) taken.push(other);
    else {
      added.push(finding);
      named.set(id, finding);
      said.set(saying, finding);
    }
  }
  if (standing.length + added.length > MAX_ROWS)
    return refuseChange(`there are ${standing.length} findings already.`, "Take out those that are settled.");
  const lines = added.map((finding) => renderTableRow(cellsOfFinding(finding)));
  const delimiter = renderTableRow(FINDING_COLUMNS.map(() => "---"));
  const { document, table } = read;
  const changed =
    lines.length === 0
      ? document
      : table === undefined
        ? appendToEnd(document, [HEADER, delimiter, ...lines], true)
        : editLines(document, table.end, 0, lines);
  return { ok: true, text: renderMarkdown(changed), result: { added, known, taken } };
}

/**
 * Writes a finding's state where it is still what the writer knows it to be, so that of two only one begins, and a person's
 * word stands. @returns the finding as it is afterwards
 */
export function changeState(
  text: string,
  { id, was, state }: StateChange,
): Change<{ readonly changed: boolean; readonly finding: Finding }> {
  const read = readRows(text);
  if (!read.ok) return read;
  const row = read.rows.find(({ finding }) => isSameId(finding.id, id));
  if (row === undefined) return refuseChange(`there is no finding "${id}".`, "/gaia-findings lists them.");
  const { finding, line, cells } = row;
  if (state === "started" && workOf(finding) === null)
    return refuseChange(
      `${finding.id} is only noted.`,
      `Its type, ${finding.type || "none"}, begins no work.`,
      line,
    );
  const fits =
    typeof was === "string" ? finding.state === was : was.some((each) => each === stateOf(finding));
  if (!fits) return { ok: true, text, result: { changed: false, finding } };
  if (cells.length > FINDING_COLUMNS.length)
    return refuseChange("a row with a cell too many.", "Write | inside a cell as \\|.", line);
  const next = { ...finding, state };
  const changed = setLine(read.document, line, renderTableRow(cellsOfFinding(next)));
  return { ok: true, text: renderMarkdown(changed), result: { changed: true, finding: next } };
}

function readRows(text: string) {
  const document = parseMarkdown(text);
  const broken = refuseBroken(document) ?? refuseStrayRow(document, HEADER);
  if (broken !== null) return broken;
  const tables = document.blocks.filter((block) => block.kind === "table");
  const ours = tables.filter(isOurs);
  const [other] = tables;
  if (ours.length === 0 && other !== undefined)
    return refuseChange(
      `the columns are ${other.header.join(", ")}.`,
      `The header must be ${HEADER}.`,
      other.start,
    );
  const rows = ours
    .flatMap((table) => table.rows)
    .map(({ cells, line }): Row => ({ finding: findingOfCells(cells), line, cells }))
    .filter(({ finding }) => finding.id !== "");
  const named = new Set<string>();
  const first = rows.filter(({ finding }) => named.size < named.add(finding.id.toLowerCase()).size);
  return { ok: true, document, table: ours.at(-1), rows: first } as const;
}

function isOurs({ header }: Table): boolean {
  const names = header.map((cell) => cell.replaceAll(/[*_`]/g, "").trim().toLowerCase());
  return names.join("|") === FINDING_COLUMNS.join("|").toLowerCase();
}
