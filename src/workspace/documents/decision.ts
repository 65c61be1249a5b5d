import { foreignLine } from "../markdown/foreign-text.ts";
import { isDelimiterRow, parseTableRow } from "../markdown/table-row.ts";
import { refuseChange, type Refusal } from "./change.ts";

/** One row of `decisions.md`. Empty texts mean unknown. */
export interface Decision {
  /** ISO day, optionally with more behind it, such as a time. */
  readonly date: string;
  readonly question: string;
  readonly choice: string;
  readonly rationale: string;
  readonly impact: string;
}

/** A decision as callers give it: what is missing is filled in or left empty. */
export type DecisionInput = Pick<Decision, "question" | "choice"> & Partial<Decision>;

/** The columns of the table, in order. */
export const DECISION_COLUMNS = ["Date", "Question", "Choice", "Rationale", "Impact"] as const;

/** A row's cells as a decision; cells that are missing count as empty, as every renderer has it. */
export function decisionOfCells(cells: readonly string[]): Decision {
  const [date = "", question = "", choice = "", rationale = "", impact = ""] = cells;
  return { date, question, choice, rationale, impact };
}

/** The inverse of {@link decisionOfCells}. */
export function cellsOfDecision(decision: Decision): string[] {
  return [decision.date, decision.question, decision.choice, decision.rationale, decision.impact];
}

/** Whether a table's header is that of the decisions, letter case and emphasis ignored. */
export function isDecisionHeader(cells: readonly string[]): boolean {
  const names = cells.map((cell) => cell.replaceAll(/[*_`]/g, "").trim().toLowerCase());
  return names.join("|") === DECISION_COLUMNS.join("|").toLowerCase();
}

/** The choice of a row whose no was followed by a yes to the same; no record holds it. */
export const OVERTURNED = "rejected, then approved";

const ANSWERS: ReadonlySet<string> = new Set(["approved", "rejected", OVERTURNED]);
/** How the plugin puts the dialogs that it keeps in the record. */
const DIALOG = /^(?:Approve |Adopt as checks: |May )[^]*\?$/;

/** Whether a question is that of a dialog in which the user approved something, or did not. */
export function isApprovalDialog(question: string): boolean {
  return DIALOG.test(question);
}

/** Whether a row only says that a dialog was answered: it belongs into the record, and teaches nobody anything later. */
export function isBareApproval({
  question,
  choice,
  rationale,
}: Pick<Decision, "question" | "choice" | "rationale">): boolean {
  return rationale === "" && isApprovalDialog(question) && ANSWERS.has(choice);
}

/** What two accounts of the same choice have in common: question and choice, white space and letter case ignored. */
export function keyOfDecision({ question, choice }: Decision): string {
  return JSON.stringify([question, choice].map((text) => foreignLine(text.normalize("NFKC")).toLowerCase()));
}

/**
 * Reads rows that a model wrote as markdown: five cells, or four without the date. A header and delimiter row may stand
 * above them.
 */
export function parseDecisionRows(markdown: string): { ok: true; rows: DecisionInput[] } | Refusal {
  const rows: DecisionInput[] = [];
  for (const [at, line] of markdown.split(/\r\n|\n|\r/).entries()) {
    const cells = parseTableRow(line);
    if (line.trim() === "" || isDelimiterRow(line) || isDecisionHeader(cells)) continue;
    const dated = cells.length === DECISION_COLUMNS.length - 1 ? ["", ...cells] : cells;
    if (dated.length !== DECISION_COLUMNS.length) return refuseRow(at, cells.length);
    rows.push(decisionOfCells(dated));
  }
  return { ok: true, rows };
}

function refuseRow(at: number, count: number): Refusal {
  return refuseChange(
    `Row ${at + 1} of rows_markdown has ${count} cells.`,
    `Write one row per line: | ${DECISION_COLUMNS.join(" | ")} |, and \\| for a pipe inside a cell.`,
  );
}
