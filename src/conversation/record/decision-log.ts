import type { DecisionRow } from "../collaboration/state.ts";
import type { Logger } from "../../lib/logger.ts";
import { isBareApproval } from "../../record/documents/decision.ts";
import type { WorkspaceResult, Workspace } from "../../record/workspace.ts";

/** Rows that wait for a work unit, or for the historian; older ones go first. */
const MAX_ROWS = 100;

/** Brings the user's decisions of one conversation into the record (SPEC 10). */
export type DecisionLog = ReturnType<typeof createDecisionLog>;

export function createDecisionLog(workspace: Workspace, logger: Logger) {
  let unit: string | null = null;
  let waiting: DecisionRow[] = [];
  let untold: DecisionRow[] = [];
  let writing: Promise<void> = Promise.resolve();

  /** A bare yes says nothing that anyone would look up among decisions: it is a line of the log. */
  const writeRow = async (slug: string, row: DecisionRow): Promise<WorkspaceResult<object>> => {
    const decision = cells(row);
    const { date, question, choice } = decision;
    return isBareApproval(decision) && choice === "approved"
      ? workspace.logApproval({ slug, id: row.key, text: `${date} · ${question.replace(/\?$/, "")}` })
      : workspace.appendDecisions({ slug, rows: [decision] });
  };
  const write = async (): Promise<void> => {
    const rows = waiting;
    waiting = [];
    for (const row of rows) {
      const slug = row.workUnit ?? unit;
      const written = slug === null ? null : await writeRow(slug, row);
      if (written?.ok === true) continue;
      if (written !== null) logger.log("warn", "decisions", `${written.error} ${written.hint}`, { slug });
      waiting = [...waiting, row].slice(-MAX_ROWS);
    }
  };
  const schedule = (): void => {
    writing = writing.then(write);
  };

  return {
    add(row: DecisionRow): void {
      // The later version of a row has its reasons; the store completes the row that it wrote.
      untold = [...untold.filter(({ key }) => key !== row.key), row].slice(-MAX_ROWS);
      waiting = [...waiting.filter(({ key }) => key !== row.key), row].slice(-MAX_ROWS);
      schedule();
    },
    /** From now on this is where rows without a work unit belong. */
    unitChanged(workUnit: string | null): void {
      if (workUnit === unit) return;
      unit = workUnit;
      schedule();
    },
    /** What was decided since the last call, as lines for the historian; without answers that say nothing more than yes or no. */
    take(): string[] {
      const told = untold;
      untold = [];
      const lasting = told.map(cells).filter((row) => !isBareApproval(row));
      return lasting.map(({ date, question, choice, rationale, impact }) => {
        return `| ${[date, question, choice, rationale, impact].map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
      });
    },
    /** Resolves when everything that can be written is written. */
    async settled(): Promise<void> {
      await writing;
    },
  };
}

function cells(row: DecisionRow) {
  return {
    date: new Date(row.at).toISOString().slice(0, 16).replace("T", " "),
    question: row.question,
    choice: row.answer,
    rationale: row.rationale ?? "",
    impact: row.impact,
  };
}
