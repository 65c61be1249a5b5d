import { addDefinitionOfDone } from "../../config/add-definition.ts";
import type { WrittenDefinition } from "../../config/definition-of-done.ts";
import {
  addDecisions,
  parseDecisionRows,
  parseDecisions,
  type DecisionInput,
} from "../documents/decision.ts";
import { refuseBroken, type Updated, type Unchanged, type Unread } from "../documents/table.ts";
import {
  addFindings,
  changeState,
  parseFindings,
  type NewFinding,
  type StateChange,
} from "../documents/finding.ts";
import {
  APPROVALS,
  addDebt,
  addLines,
  appendLogEntry,
  recordWork,
  setSection,
  sessionTitle,
  workTitle,
  type DebtNote,
  type WorkLine,
} from "../documents/log.ts";
import { parsePlan } from "../../plan/grammar.ts";
import { updateDocument, type PlanUpdate } from "../../plan/update.ts";
import { parseMarkdown } from "../../lib/markdown.ts";
import { renderTemplate } from "../templates.ts";
import {
  changeDocument,
  changeUnit,
  failure,
  GAIA_INIT,
  inUnit,
  readActive,
  refusalOf,
  recordPath,
  SPEC,
  unitOf,
  type OperationContext,
  type UnitRef,
} from "./context.ts";
import { parseJson, recordOf } from "../../lib/json.ts";

const CONFIG = "config.jsonc";
const FINDINGS = "findings.md";
/** What the plugin saw of a unit's commands. Only what it sealed for this project and unit counts (SPEC 2.9). */
const EVIDENCE = "evidence.json";

interface DecisionsInput extends UnitRef {
  readonly rows?: readonly DecisionInput[];
  readonly rows_markdown?: string;
}

export const recordOperations = ({ files, today, seal, method, clean }: OperationContext) => {
  const inUnits = <Input extends object, T extends object>(
    document: "log.md" | "sessions.md",
    change: (text: string, input: Input, day: string) => Updated<T>,
  ) =>
    clean(async ({ slug, ...input }: Input & UnitRef) =>
      changeUnit(files, slug, document, (text) => change(text, input as unknown as Input, today())),
    );

  const rowsOf = async <Row>(
    path: string,
    parse: (text: string) => { readonly ok: true; readonly rows: readonly Row[] } | Unchanged,
  ): Promise<readonly Row[]> => {
    const parsed = parse((await files.read(path)) ?? "");
    if (!parsed.ok) throw refusalOf(path, parsed);
    return parsed.rows;
  };

  return {
    /** Writes a unit's spec, which begins as its template. A new text is a draft, whatever was approved before. */
    updateSpec: clean(
      async ({ slug, ...update }: Pick<PlanUpdate, "markdown" | "section" | "status"> & UnitRef) =>
        inUnit(files, slug, async (writer, unit) => {
          const path = `${unit}/${SPEC}` as const;
          const title = parsePlan((await writer.read(`${unit}/plan.md`)) ?? "").title || unit;
          const fresh = await renderTemplate(SPEC, { title, date: today() });
          const { status } = await changeDocument(writer, path, (text) =>
            updateDocument(text.includes("{{title}}") ? fresh : text, { status: "draft", ...update }),
          );
          return { path: recordPath(path), status };
        }),
    ),
    appendLog: inUnits("log.md", appendLogEntry),
    logWork: inUnits("log.md", (text, { root, lines }: { root: string; lines: readonly WorkLine[] }, day) =>
      addLines(text, { title: workTitle(root), lines }, day),
    ),
    logApproval: inUnits("log.md", (text, line: WorkLine, day) =>
      addLines(text, { title: APPROVALS, lines: [line] }, day),
    ),
    addDebt: inUnits("log.md", (text, { notes }: { notes: readonly DebtNote[] }, day) =>
      addDebt(text, notes, day),
    ),
    logRecord: inUnits("log.md", recordWork),
    /** Writes the section of a session, as far as it has come. */
    writeSession: inUnits(
      "sessions.md",
      (text, { root, markdown }: Record<"root" | "markdown", string>, day) =>
        setSection(text, { title: sessionTitle(root), markdown }, day),
    ),
    writeReceipt: clean(async ({ folder, markdown }: { folder: string; markdown: string }) => {
      const path = `${folder.replace(/^\.gaia\//, "")}/log.md` as const;
      const receipt = { title: "Receipt", markdown };
      await files.exclusive(async (writer) => {
        if (await writer.exists(path))
          await changeDocument(writer, path, (text) => setSection(text, receipt, today()));
      });
      return { path: recordPath(path) };
    }),
    appendDecisions: clean(async ({ slug, rows = [], rows_markdown = "" }: DecisionsInput) => {
      const parsed = parseDecisionRows(rows_markdown);
      if (!parsed.ok) throw refusalOf("", parsed);
      const all = [...rows, ...parsed.rows];
      if (all.length === 0 || all.some(({ question, choice }) => `${question}${choice}`.trim() === ""))
        throw failure("A decision needs a question and a choice.", "Pass at least one such row.");
      return changeUnit(files, slug, "decisions.md", (text) => addDecisions(text, all, today()));
    }),
    /** The decisions of a work unit, in the order of the file; `line` is one-based. */
    readDecisions: method(async ({ slug }: UnitRef = {}) => {
      const unit = await unitOf(files, slug);
      return { decisions: await rowsOf(`${unit}/decisions.md`, parseDecisions) };
    }),
    /** What reviewers and CI found, in the order of the file; `line` is one-based. */
    readFindings: method(async () => ({ findings: await rowsOf(FINDINGS, parseFindings) })),
    addFindings: clean(async (given: readonly NewFinding[]) => ({
      path: recordPath(FINDINGS),
      ...(await files.exclusive((writer) =>
        changeDocument(writer, FINDINGS, (text) => addFindings(text, given)),
      )),
    })),
    /** Writes the state of a finding where nobody else has. */
    stateFinding: clean(async (change: StateChange) =>
      files.exclusive((writer) => changeDocument(writer, FINDINGS, (text) => changeState(text, change))),
    ),
    /** What of the record is not read as people wrote it, or cannot be written to: of the project, and of its active unit. */
    unread: method(async () => {
      const slug = await readActive(files);
      const looks: Record<string, (text: string) => Unchanged | { readonly unread: readonly Unread[] }> = {
        [FINDINGS]: parseFindings,
        ...(slug === null ? {} : { [`${slug}/decisions.md`]: parseDecisions, [`${slug}/log.md`]: lookAtLog }),
      };
      const found = Object.entries(looks).map(async ([path, look]) => {
        const read = look((await files.read(path)) ?? "");
        const unread = "unread" in read ? read.unread : [read];
        const [first] = unread;
        if (first === undefined) return [];
        const { line = 1, error, hint } = first;
        return [{ where: `${recordPath(path)}:${line}`, error, hint, count: unread.length }];
      });
      return { unread: (await Promise.all(found)).flat() };
    }),
    createGaiaInit: method(async () => {
      const fresh = await renderTemplate(GAIA_INIT, {});
      const created = await files.exclusive(async (writer) =>
        writer.change(GAIA_INIT, (text) => ({ text: text ?? fresh, result: text === null })),
      );
      return { path: recordPath(GAIA_INIT), created };
    }),
    /** Puts checks that the user chose into the project's configuration, where none were configured. */
    addChecks: method(async ({ definition }: { definition: WrittenDefinition }) => {
      return files.exclusive((writer) =>
        writer.change(CONFIG, (text) => {
          const changed = addDefinitionOfDone(text ?? "", definition);
          if (changed === null) {
            const hint = "It has a Definition of Done already, or it cannot be read.";
            throw failure(`${recordPath(CONFIG)} was left as it is.`, hint);
          }
          return { text: changed, result: { path: recordPath(CONFIG) } };
        }),
      );
    }),
    /** What was sealed for a unit; null for nothing, or where anyone else wrote it. `folder`: below `.gaia`, once archived. */
    readEvidence: method(
      async ({
        slug,
        folder = slug,
      }: Required<UnitRef> & { folder?: string }): Promise<{ value: unknown }> => {
        const noted = parseJson((await files.read(`${folder}/${EVIDENCE}`, "replaceable")) ?? "");
        const { value, seal: sealed } = recordOf(noted);
        if (value === undefined || typeof sealed !== "string") return { value: null };
        return { value: sealed === (await seal("evidence", slug, value)) ? value : null };
      },
    ),
    /** Writes and seals it. To be called with what the plugin itself saw, free of secrets. */
    writeEvidence: method(async ({ slug, value }: Required<UnitRef> & { value: unknown }) =>
      inUnit(files, slug, async (writer, unit) => {
        const text = `${JSON.stringify({ value, seal: await seal("evidence", unit, value) }, null, 1)}\n`;
        await writer.change(`${unit}/${EVIDENCE}`, () => ({ text, result: null }), "replaceable");
        return { path: recordPath(`${unit}/${EVIDENCE}`) };
      }),
    ),
  };
};

function lookAtLog(text: string): Unchanged | { readonly unread: [] } {
  return refuseBroken(parseMarkdown(text)) ?? { unread: [] };
}
