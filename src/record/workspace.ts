import { realpath } from "node:fs/promises";
import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import { redactDeep } from "../lib/redact-deep.ts";
import { createRedactor, type Redactor } from "../lib/redaction.ts";
import { createSeal, type Seal } from "../lib/seal.ts";
import { approvePlan, readPlanStanding, rejectPlan, changePlan, divideWritten } from "./operations/plans.ts";
import { readActive, type OperationContext } from "./operations/context.ts";
import { readEvidence, writeEvidence } from "./operations/records.ts";
import * as findings from "./operations/findings.ts";
import * as promotions from "./operations/learnings.ts";
import * as records from "./operations/records.ts";
import { changeWaves, readWaves, type WaveChange, type WaveLedger } from "./operations/waves.ts";
import * as units from "./operations/units.ts";
import { createGaiaFiles } from "./store/gaia-files.ts";
import { listRecordDocuments } from "./store/record-documents.ts";
import type { Knowledge } from "./entries/open.ts";
import { findPattern, observe } from "./operations/learnings.ts";
import { nextVersion } from "./operations/versions.ts";
import { describeError, isGaiaError } from "../lib/error.ts";
import { head } from "../lib/excerpt.ts";
import { MAX_REASON } from "../lib/refusal.ts";
import { codeOf, describeSystemProblem } from "./gaia-path.ts";

/**
 * The record of one project in `<directory>/.gaia/` (SPEC 10). No method rejects; each resolves to `{ ok: true, … }` or to
 * `{ ok: false, error, hint }`. Where `slug` may be left out, the active work unit is meant. Reading never creates `.gaia/`.
 */
export type Workspace = ReturnType<typeof createWorkspace>;

/** What a workspace is made of. */
interface WorkspaceOptions {
  /** The project's folder. */
  readonly directory: string;
  /** Dates entries, in UTC. Locks go by the system's time, since other processes do. */
  readonly clock: Clock;
  readonly logger: Logger;
  /** Applied to every text that is written; by default built from this process's environment. */
  readonly redact?: Redactor;
  /** Tells the user's own notes from those that came with the project; by default such notes hold for this process. */
  readonly seal?: Seal;
  /** What was learnt; nothing, and nobody to propose to, by default. */
  readonly knowledge?: Pick<Knowledge, "accepted" | "propose">;
  /** How long to wait for another process, in milliseconds. */
  readonly lockWaitMs?: number;
}

type Operation<A extends unknown[], T> = (context: OperationContext, ...input: A) => Promise<T>;
type Method<A extends unknown[], T> = (...input: A) => Promise<WorkspaceResult<T>>;

/** Opens the record of a project; touches no file until a method is called. */
export function createWorkspace(options: WorkspaceOptions) {
  const { directory, clock, logger, lockWaitMs = 5000, knowledge } = options;
  const redact = options.redact ?? createRedactor(process.env);
  const files = createGaiaFiles(directory, lockWaitMs, logger);
  const { seal = createSeal() } = options;
  const context: OperationContext = {
    files,
    directory,
    knowledge,
    now: () => clock.now(),
    today: () => new Date(clock.now()).toISOString().slice(0, 10),
    seal: async (text) => seal(JSON.stringify([await realpath(directory), text])),
  };
  const method =
    <A extends unknown[], T extends object>(operation: Operation<A, T>): Method<A, T> =>
    async (...input) =>
      toResult(logger, () => operation(context, ...input));
  /** An operation that writes texts down: no secret gets into them. */
  const clean = <A extends unknown[], T extends object>(operation: Operation<A, T>): Method<A, T> =>
    method((_context, ...input: A) => operation(context, ...redactDeep(input, redact)));
  const planListeners = new Set<(path: string) => void>();
  return {
    createWorkUnit: clean(units.createWorkUnit),
    readWorkUnit: method(units.readWorkUnit),
    listWorkUnits: method(units.listWorkUnits),
    activeWorkUnit: method(async () => ({ slug: await readActive(files) })),
    setActive: method(units.setActive),
    archiveWorkUnit: method(units.archiveWorkUnit),
    updatePlan: clean(async (_context, input: Parameters<typeof changePlan>[1]) => {
      const changed = await changePlan(context, input);
      for (const tell of planListeners) tell(changed.path);
      return changed;
    }),
    /** Divides the tasks of a plan that ask for it, where a person wrote it. */
    divideWritten: method(async (_context, input: Parameters<typeof divideWritten>[1]) => {
      const divided = await divideWritten(context, input);
      for (const tell of planListeners) tell(divided.path);
      return divided;
    }),
    /** Calls `listener` with a plan's path after each change of it by this process. @returns what ends that */
    onPlanChanged(listener: (path: string) => void): () => void {
      planListeners.add(listener);
      return () => planListeners.delete(listener);
    },
    /** Marks the plan as approved as it reads now, for a human's yes only. */
    approvePlan: method(approvePlan),
    /** Notes that a human said no to the plan as it reads now. */
    rejectPlan: method(rejectPlan),
    /** Whether the plan is the one that was approved, with what it says. */
    planStanding: method(readPlanStanding),
    /** What the plugin saw of a unit's commands, as far as it sealed it itself. */
    readEvidence: method(readEvidence),
    writeEvidence: method(writeEvidence),
    /** Which waves of a unit there were, and what stands between them and their end. */
    readWaves: method(readWaves),
    changeWaves: async <T>(input: {
      slug: string;
      change: (waves: WaveLedger) => WaveChange<T>;
    }): Promise<WorkspaceResult<{ told: T }>> => toResult(logger, async () => changeWaves(context, input)),
    /** Writes the unit's spec, or one section of it. */
    updateSpec: clean(records.changeSpec),
    appendLog: clean(records.appendLog),
    /** What the plugin itself writes of a conversation's delegations, each once. */
    logWork: clean(records.logWork),
    /** What a session did for a unit, in the place of what stood there of it. */
    writeSession: clean(records.writeSession),
    logRecord: clean(records.logRecord),
    logApproval: clean(records.logApproval),
    /** Puts what a unit has cost at the end of its log, in the place of what stood there of it. */
    writeReceipt: clean(records.writeReceipt),
    addDebt: clean(records.addDebtNotes),
    appendDecisions: clean(records.appendDecisions),
    readDecisions: method(records.readDecisions),
    /** What of the record is not read as people wrote it. */
    unread: method(records.readUnread),
    createGaiaInit: method(records.createGaiaInit),
    /** Proposes what was noticed, for a human to judge; it counts for nothing by itself. */
    observe: clean(observe),
    /** Learnings that may be worth a line of `gaia-init.md`. */
    promotions: method(promotions.readPromotions),
    settlePromotions: method(promotions.settlePromotions),
    /** Writes a Definition of Done into `.gaia/config.jsonc`; for a human's yes only. */
    addChecks: method(records.addDefinition),
    /** Reserves the next name in a folder of migrations. */
    nextVersion: clean(nextVersion),
    /** Files that show how something is done here. */
    findPattern: method(async (_context, { type }: { readonly type: string }) =>
      findPattern((await knowledge?.accepted()) ?? [], directory, type),
    ),
    /** What reviewers and CI found. */
    readFindings: method(findings.readFindings),
    addFindings: clean(findings.appendFindings),
    /** Who works on findings, as far as this checkout knows. */
    findingHolds: method(findings.readFindingHolds),
    /** Writes a finding's state where it is still the one that the writer knows. */
    stateFinding: clean(findings.stateFinding),
    /** Everything that can be searched, archived units included, each with a signature that tells a change. */
    documents: method(async () => ({ documents: await listRecordDocuments(directory) })),
    /** The text of one of them; `path` is below `.gaia`. */
    readDocument: method(async (_context, { path }: { path: string }) => ({
      text: (await files.read(path, "replaceable")) ?? "",
    })),
  };
}

/** What every operation of the workspace resolves to; it never rejects (SPEC 5). */
export type WorkspaceResult<T> =
  | ({ readonly ok: true } & T)
  | { readonly ok: false; readonly error: string; readonly hint: string };

/** Runs an operation and turns whatever it throws into a result with a hint. */
export async function toResult<T extends object>(
  logger: Logger,
  operation: () => Promise<T>,
): Promise<WorkspaceResult<T>> {
  try {
    return { ok: true, ...(await operation()) };
  } catch (error) {
    if (isGaiaError(error)) return { ok: false, error: head(error.message, MAX_REASON), hint: error.hint };
    logger.log("error", "workspace", describeError(error));
    const system = describeSystemProblem(codeOf(error));
    if (system === null)
      return { ok: false, error: head(describeError(error), MAX_REASON), hint: "Nothing was written." };
    const { what, todo } = system;
    return {
      ok: false,
      error: `The record cannot be written: ${what}; ${todo}.`,
      hint: `Nothing was written. ${head(describeError(error), MAX_REASON)}`,
    };
  }
}
