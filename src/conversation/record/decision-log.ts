import type { DecisionRow } from "../collaboration/state.ts";
import { createLines } from "../../lib/async.ts";
import { newestWithin } from "../../lib/schema.ts";
import type { Host } from "../../host/port.ts";
import type { Remember } from "../part.ts";
import { redactDeep } from "../../lib/redaction.ts";
import type { ConversationServices } from "../services.ts";
import { failureForPerson } from "../../lib/for-person.ts";
import type { WorkspaceResult } from "../../record/workspace.ts";

/** Rows that wait for a work unit; older ones go first. */
const MAX_ROWS = 100;
/** Over a restart, in characters of JSON. */
const MAX_KEPT = 7_500;

interface DecisionServices extends Pick<ConversationServices, "workspace" | "redact"> {
  readonly host: Pick<Host, "logger" | "toast">;
}

/** Brings the user's decisions of one conversation, and the entries of its log, into the record (SPEC 10), one after the other. */
export function createDecisionLog(
  { workspace, host, redact }: DecisionServices,
  remember: Remember,
  unitNow: () => string | null,
) {
  const inLine = createLines();
  const waiting = remember<readonly DecisionRow[]>("decisions", [], (rows) =>
    newestWithin(redactDeep(rows, redact), MAX_KEPT),
  );
  /** What kept something out of the record, and was told. */
  const told = new Set<string>();

  const append = async (slug: string, write: Promise<WorkspaceResult<object>>): Promise<boolean> => {
    const written = await write;
    if (written.ok) return true;
    host.logger.log("warn", "record", `${written.error} ${written.hint}`, { slug });
    if (!told.has(written.error)) void host.toast("warning", failureForPerson(written));
    told.add(written.error);
    return false;
  };
  const writeRow = async (slug: string, row: DecisionRow): Promise<boolean> => {
    const decision = cells(row);
    const subject = decision.question.replace(/\?$/, "");
    const text = `${decision.date} · ${subject}${decision.choice === "rejected" ? ": rejected" : ""}`;
    return append(
      slug,
      isBare(row)
        ? workspace.logApproval({ slug, id: row.key, text })
        : workspace.appendDecisions({ slug, rows: [decision] }),
    );
  };
  const writeRows = async (): Promise<void> => {
    for (const row of waiting.now) {
      const slug = row.workUnit ?? unitNow();
      if (slug !== null && (await writeRow(slug, row)))
        waiting.now = waiting.now.filter((each) => each !== row);
    }
  };

  const write = (): void => void inLine("", writeRows);
  write();
  return {
    add(row: DecisionRow): void {
      // The later version of a row has its reasons; the store completes the row that it wrote.
      waiting.now = [...waiting.now.filter(({ key }) => key !== row.key), row].slice(-MAX_ROWS);
      write();
    },
    /**
     * @param slug null for work without a unit, which has no log
     * @param unless see `appendLogEntry`
     * @returns when it is written; never rejects, what cannot be written is logged
     */
    async log(slug: string | null, title: string, markdown: string, unless?: string): Promise<void> {
      if (slug === null) return;
      await inLine("", async () => append(slug, workspace.appendLog({ slug, title, markdown, unless })));
    },
    /** Writes what has its place now. */
    write,
    /** What stands in no unit's record yet. */
    unrecorded: () => waiting.now.filter((row) => !isBare(row)).map(cells),
    /** Resolves when everything that can be written is written. */
    settled: async (): Promise<void> => inLine("", async () => undefined),
  };
}

/** A dialog's answer without a reason says nothing that anyone would look up among decisions: it is a line of the log. */
function isBare({ type, answer, rationale = "" }: DecisionRow): boolean {
  return type !== "question" && rationale === "" && ["approved", "rejected"].includes(answer);
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
