import { addApproval, type Approval, approvalsOf } from "../documents/approvals.ts";
import { addDebt, type DebtNote } from "../documents/debt.ts";
import { parseDecisionRows, type Decision, type DecisionInput } from "../documents/decision.ts";
import { addDecisions, parseDecisions, type DecisionCounts } from "../documents/decisions.ts";
import type { Learning, LearningInput } from "../documents/learning.ts";
import {
  addLearnings,
  completeLearnings,
  parseLearnings,
  type LearningCounts,
} from "../documents/learnings.ts";
import { appendLogEntry, setReceipt, type LogEntry } from "../documents/log.ts";
import { addWork, recordWork, type WorkLine, type WorkRecord } from "../documents/work-log.ts";
import { parsePlan } from "../../plan/grammar.ts";
import { updateDocument, type PlanState, type PlanUpdate } from "../../plan/update.ts";
import { setLocalSession, setSession, type SessionSummary } from "../documents/sessions.ts";
import { renderTemplate } from "../templates.ts";
import { readActive } from "./active.ts";
import {
  changeDocument,
  changeUnit,
  failure,
  inUnit,
  refusalOf,
  shownPath,
  LOCAL_SESSIONS,
  SESSIONS,
  SPEC,
  unitOf,
  type OperationContext,
  type UnitRef,
  type Written,
} from "./context.ts";

const LEARNINGS = "learnings.md";
const NOTES = "memory.md";
/** The curated file, below `.gaia`. */
export const GAIA_INIT = "gaia-init.md";

/** Writes a unit's spec, which begins as its template. A new text is a draft, whatever was approved before. */
export async function changeSpec(
  { files, today }: OperationContext,
  { slug, ...update }: Pick<PlanUpdate, "markdown" | "section" | "status"> & UnitRef,
): Promise<{ status: PlanState["status"] } & Written> {
  return inUnit(files, slug, async (writer, unit) => {
    const path = `${unit}/${SPEC}` as const;
    const title = parsePlan((await writer.read(`${unit}/plan.md`)) ?? "").title || unit;
    const fresh = await renderTemplate(SPEC, { title, date: today() });
    const { status } = await changeDocument(writer, path, (text) =>
      updateDocument(text.includes("{{title}}") ? fresh : text, { status: "draft", ...update }),
    );
    return { path: shownPath(path), status };
  });
}

/** Adds an entry to a unit's log. */
export async function appendLog(
  { files, today }: OperationContext,
  { slug, ...entry }: LogEntry & UnitRef,
): Promise<{ heading: string } & Written> {
  return changeUnit(files, slug, "log.md", (text) => appendLogEntry(text, entry, today()));
}

/** Adds to a unit's log what delegations of a conversation really did. */
export async function logWork(
  { files, today }: OperationContext,
  { slug, ...work }: { root: string; lines: readonly WorkLine[] } & UnitRef,
): Promise<{ added: number } & Written> {
  return changeUnit(files, slug, "log.md", (text) => addWork(text, work, today()));
}

/** Notes in a unit's log that a person approved something, once. */
export async function logApproval(
  { files, today }: OperationContext,
  { slug, ...line }: WorkLine & UnitRef,
): Promise<{ added: number } & Written> {
  return changeUnit(files, slug, "log.md", (text) => addApproval(text, line, today()));
}

/** Adds to a unit's log what its reviewers noted. */
export async function addDebtNotes(
  { files, today }: OperationContext,
  { slug, notes }: { notes: readonly DebtNote[] } & UnitRef,
): Promise<{ added: number } & Written> {
  return changeUnit(files, slug, "log.md", (text) => addDebt(text, notes, today()));
}

/** Puts a historian's words over it. */
export async function logRecord(
  { files, today }: OperationContext,
  { slug, ...record }: WorkRecord & { root: string } & UnitRef,
): Promise<{ written: boolean } & Written> {
  return changeUnit(files, slug, "log.md", (text) => recordWork(text, record, today()));
}

/**
 * Writes a session's section into a unit's `sessions.md`; without a unit (null) into the one of this checkout, which git does not
 * see: what someone had done beside all units is nobody else's business.
 */
export async function writeSession(
  { files, today }: OperationContext,
  { slug, ...summary }: SessionSummary & { readonly slug: string | null },
): Promise<Written> {
  if (slug === null)
    return files.exclusive(async (writer) =>
      writer.change(
        LOCAL_SESSIONS,
        (text) => {
          const isNothing = text === null && summary.markdown === "";
          const next = isNothing ? null : setLocalSession(text ?? "", summary, today());
          return { text: next, result: { path: shownPath(LOCAL_SESSIONS) } };
        },
        "replaceable",
      ),
    );
  return inUnit(files, slug, async (writer, unit) => {
    const path = `${unit}/${SESSIONS}` as const;
    return writer.change(path, async (text) => {
      const changed = setSession(text ?? "", summary, today());
      if (!changed.ok) throw refusalOf(path, changed);
      return { text: changed.text, result: { path: shownPath(path) } };
    });
  });
}

/** The text of a unit's `memory.md`; empty where there is none. */
export async function readUnitNotes({ files }: OperationContext, slug: string): Promise<{ text: string }> {
  return { text: (await files.read(`${await unitOf(files, slug)}/${NOTES}`)) ?? "" };
}

/** @param edit makes the next text of it; what it writes down is free of secrets */
export async function changeUnitNotes(
  { files }: OperationContext,
  slug: string,
  edit: (text: string) => string,
): Promise<Written> {
  return inUnit(files, slug, async (writer, unit) => {
    const path = `${unit}/${NOTES}`;
    return writer.change(path, (text) => ({ text: edit(text ?? ""), result: { path: shownPath(path) } }));
  });
}

/** Writes the receipt of a unit. @param folder its name, or where it was archived to */
export async function writeReceipt(
  { files, today }: OperationContext,
  { folder, markdown }: { folder: string; markdown: string },
): Promise<Written> {
  const path = `${folder.replace(/^\.gaia\//, "")}/log.md` as const;
  await files.exclusive(async (writer) => {
    if (await writer.exists(path))
      await changeDocument(writer, path, (text) => setReceipt(text, markdown, today()));
  });
  return { path: shownPath(path) };
}

/** Decisions as rows, as markdown rows, or both. */
export interface DecisionsInput extends UnitRef {
  readonly rows?: readonly DecisionInput[];
  readonly rows_markdown?: string;
}

/** Adds decisions to a unit's table, or completes those that stand there. */
export async function appendDecisions(
  { files, today }: OperationContext,
  { slug, rows = [], rows_markdown = "" }: DecisionsInput,
): Promise<DecisionCounts & Written> {
  const parsed = parseDecisionRows(rows_markdown);
  if (!parsed.ok) throw refusalOf("", parsed);
  const all = [...rows, ...parsed.rows];
  if (all.length === 0 || all.some(({ question, choice }) => `${question}${choice}`.trim() === "")) {
    throw failure("A decision needs a question and a choice.", "Pass at least one such row.");
  }
  return changeUnit(files, slug, "decisions.md", (text) => addDecisions(text, all, today()));
}

/** The decisions of a work unit, in the order of the file, and what was only approved, by its log; `line` is one-based. */
export async function readDecisions(
  { files }: OperationContext,
  { slug }: UnitRef = {},
): Promise<
  { decisions: readonly (Decision & { line: number })[]; approvals: readonly Approval[] } & Written
> {
  const unit = await unitOf(files, slug);
  const path = `${unit}/decisions.md`;
  const parsed = parseDecisions((await files.read(path)) ?? "");
  if (!parsed.ok) throw refusalOf(path, parsed);
  const approvals = approvalsOf((await files.read(`${unit}/log.md`)) ?? "");
  return { path: shownPath(path), decisions: parsed.decisions, approvals };
}

/** Learnings, and the work unit they come from when they do not say; the active one by default. */
export interface LearningsInput {
  /** null for what comes from no unit. */
  readonly slug?: string | null;
  readonly bullets: readonly LearningInput[];
}

/** Adds what is not known yet to the project's learnings. */
export async function appendLearnings(
  { files, today }: OperationContext,
  { slug, bullets }: LearningsInput,
): Promise<LearningCounts & Written> {
  const unit = slug === undefined ? await readActive(files) : slug;
  const complete = completeLearnings(bullets, { date: today(), ...(unit === null ? {} : { unit }) });
  if (!complete.ok) throw refusalOf(LEARNINGS, complete);
  const counts = await files.exclusive((writer) =>
    changeDocument(writer, LEARNINGS, (text) => addLearnings(text, complete.learnings)),
  );
  return { path: shownPath(LEARNINGS), ...counts };
}

/** All learnings of the project, oldest first; `line` is one-based. */
export async function readLearnings({
  files,
}: OperationContext): Promise<{ learnings: readonly (Learning & { line: number })[] }> {
  return { learnings: parseLearnings((await files.read(LEARNINGS)) ?? "") };
}

/** Creates `gaia-init.md` from its template, or leaves the one that is there. */
export async function createGaiaInit({ files }: OperationContext): Promise<{ created: boolean } & Written> {
  const created = await files.exclusive(async (writer) => {
    const fresh = await renderTemplate(GAIA_INIT, {});
    return writer.change(GAIA_INIT, (text) => ({ text: text ?? fresh, result: text === null }));
  });
  return { path: shownPath(GAIA_INIT), created };
}
