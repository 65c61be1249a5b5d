import { excerpt, tail } from "../../lib/text.ts";
import { recordOf, textOf } from "../../lib/json.ts";

const MAX_FILES = 40;
const MAX_COMMANDS = 10;
const MAX_TEXT = 200;
const MAX_CHECK_LINES = 8;
const MAX_OUTPUT = 400;
export const MAX_EVIDENCE = 600;
/** Everything below this folder is GAIA's record, not the project. */
const RECORD = /^(?:\.\/)?\.gaia\//;

/** A tool call that ran to its end, as it really happened. Refused calls do not count. */
export interface ToolFact {
  readonly sessionId: string;
  readonly tool: string;
  readonly mutating: boolean;
  /** Whether the tool itself failed; a command with a non-zero exit code did not. */
  readonly failed: boolean;
  readonly files?: readonly FileDelta[];
  readonly command?: CommandFact;
  /** What the tool says that it changed, where the project's tree shows nothing of it: files that are ignored, or of a worktree. */
  readonly told?: readonly FileDelta[];
  /** Made in a worktree, of which nothing is the project's before it lands. */
  readonly isApart?: boolean;
  /** The project could not be looked at around it, so that what it changed is not known. */
  readonly isUnseen?: boolean;
}

export interface FileDelta {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  /** What lines do not tell: that it was deleted, moved, made a program. */
  readonly note?: string;
  /** Why a mistake in it would cost much, in a few words. */
  readonly risk?: string;
  /** Counted since the batch began, all calls together: `none` where it is as it was then. Else it is of one call. */
  readonly net?: "some" | "none";
}

export interface CommandFact {
  readonly command: string;
  /** null when the command did not end by itself, or when it is another tool without files, named in its place. */
  readonly exitCode: number | null;
  /** The end of its output, already free of secrets. */
  readonly output: string;
}

/** What an agent's contract says about its work; only the words, the figures are measured. */
export type AgentReport = Readonly<Record<"rationale" | "risk" | "nextStep", string>>;

/** What happened since the last check-in, bounded. */
export interface Batch {
  readonly files: readonly FileDelta[];
  readonly commands: readonly CommandFact[];
  readonly added: number;
  readonly removed: number;
  /** Edits of files beyond the list, and commands that newer ones pushed out of it. */
  readonly omittedFiles: number;
  readonly omittedCommands: number;
  /** Commands of which it is not known what they changed. */
  readonly unseen: number;
  readonly report: AgentReport;
  /** The checks that ran last, a line each. */
  readonly checked: readonly string[];
  /** Where the plan stands: how much of it is proven, claimed and stale; empty when nobody looked. */
  readonly evidence: string;
}

export const EMPTY_BATCH: Batch = {
  files: [],
  commands: [],
  added: 0,
  removed: 0,
  omittedFiles: 0,
  omittedCommands: 0,
  unseen: 0,
  report: { rationale: "", risk: "", nextStep: "" },
  checked: [],
  evidence: "",
};

export function isEmptyBatch(batch: Batch): boolean {
  return batch.files.length === 0 && batch.commands.length === 0 && batch.checked.length === 0;
}

/** Whether a tool call changed the project. Writing below `.gaia/` keeps the record and does not count as a step. */
export function changedProject(fact: ToolFact): boolean {
  if (!fact.mutating || fact.failed) return false;
  const files = fact.files ?? [];
  return files.length === 0 || files.some((file) => !RECORD.test(file.path));
}

export function addFact(batch: Batch, fact: ToolFact): Batch {
  const withFiles = fact.failed ? batch : addFiles(batch, fact.files ?? []);
  const ran = fact.command ?? nameOtherTool(fact);
  if (ran === null) return withFiles;
  const { command, exitCode, output } = ran;
  const all = [
    ...withFiles.commands,
    { command: excerpt(command, MAX_TEXT), exitCode, output: tail(output.trim(), MAX_OUTPUT) },
  ];
  return {
    ...withFiles,
    commands: all.slice(-MAX_COMMANDS),
    omittedCommands: withFiles.omittedCommands + Math.max(0, all.length - MAX_COMMANDS),
    unseen: withFiles.unseen + (fact.isUnseen === true && fact.mutating ? 1 : 0),
  };
}

export function addFiles(batch: Batch, files: readonly FileDelta[]): Batch {
  return files.reduce(addFile, batch);
}

function nameOtherTool({ tool, mutating, failed, files, told, isApart }: ToolFact): CommandFact | null {
  const comesLater = told !== undefined && isApart === true;
  if (!mutating || failed || files !== undefined || comesLater) return null;
  const paths = (told ?? []).map(({ path }) => path);
  return { command: [tool, ...paths].join(" "), exitCode: null, output: "" };
}

function addFile(batch: Batch, { net, ...delta }: FileDelta): Batch {
  const path = excerpt(delta.path, MAX_TEXT);
  const known = batch.files.find((file) => file.path === path);
  const before = known ?? { added: 0, removed: 0 };
  const from = net === undefined ? before : { added: 0, removed: 0 };
  const now = { added: from.added + delta.added, removed: from.removed + delta.removed };
  const totals = {
    added: batch.added - before.added + now.added,
    removed: batch.removed - before.removed + now.removed,
  };
  if (known === undefined) {
    if (net === "none") return batch;
    const isFull = batch.files.length >= MAX_FILES;
    if (isFull) return { ...batch, ...totals, omittedFiles: batch.omittedFiles + 1 };
    return { ...batch, ...totals, files: [...batch.files, { ...delta, path }] };
  }
  // What was said of its state before is over.
  const { note: _before, ...rest } = known;
  const changed = { ...rest, ...delta, ...now, path };
  const files = batch.files.flatMap((file) => (file !== known ? file : net === "none" ? [] : changed));
  return { ...batch, ...totals, files };
}

export function addChecks(batch: Batch, lines: readonly string[]): Batch {
  return { ...batch, checked: lines.slice(0, MAX_CHECK_LINES).map((line) => excerpt(line, MAX_TEXT)) };
}

/** The batch with an agent's words; a later report replaces only what it says itself. */
export function addReport(batch: Batch, report: AgentReport): Batch {
  return {
    ...batch,
    report: {
      rationale: report.rationale || batch.report.rationale,
      risk: report.risk || batch.report.risk,
      nextStep: report.nextStep || batch.report.nextStep,
    },
  };
}

const MAX_FIELD = 320;
/** Where the specialists' contracts say it, the most telling field first (SPEC 4). */
const RATIONALE = ["rationale", "diff_summary", "deploy_notes", "coverage_notes", "session_summary", "notes"];
const RISK = ["risk", "known_issues", "failures", "risk_list", "vulnerabilities"];
const NEXT_STEP = ["next_step"];

/** The words for a check-in packet out of a specialist's contract; what is missing or of another shape is empty. */
export function reportFromContract(envelope: unknown): AgentReport {
  const outer = recordOf(envelope);
  const places = [recordOf(outer["data"]), outer, recordOf(outer["outcome"])];
  const first = (names: readonly string[]): string =>
    names.flatMap((name) => places.map((place) => wordsOf(place[name]))).find((text) => text !== "") ?? "";
  return {
    rationale: first(RATIONALE),
    risk: first(RISK) || wordsOf(outer["errors"]),
    nextStep: first(NEXT_STEP),
  };
}

function wordsOf(value: unknown): string {
  const parts = Array.isArray(value) ? value : [value];
  const texts = parts
    .flatMap((part) => textOf(part) ?? textOf(recordOf(part)["issue"]) ?? [])
    .filter((text) => text.trim() !== "");
  return excerpt(texts.join("; "), MAX_FIELD);
}
