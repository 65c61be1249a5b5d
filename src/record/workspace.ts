import { realpath } from "node:fs/promises";
import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import { redactDeep } from "../lib/redact-deep.ts";
import { createRedactor, type Redactor } from "../lib/redaction.ts";
import { createSeal, type Seal } from "../lib/seal.ts";
import { approvePlan, readPlanStanding, rejectPlan, changePlan } from "./operations/plans.ts";
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

/** The record of one project (SPEC 10). No method rejects. `slug` defaults to the active unit. Reading creates nothing. */
export type Workspace = ReturnType<typeof createWorkspace>;

interface WorkspaceOptions {
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
  /** An operation that changes a plan. */
  const telling =
    <A extends unknown[], T extends { readonly path: string }>(operation: Operation<A, T>): Operation<A, T> =>
    async (...input) => {
      const changed = await operation(...input);
      for (const tell of planListeners) tell(changed.path);
      return changed;
    };
  return {
    createWorkUnit: clean(units.createWorkUnit),
    readWorkUnit: method(units.readWorkUnit),
    listWorkUnits: method(units.listWorkUnits),
    activeWorkUnit: method(async () => ({ slug: await readActive(files) })),
    setActive: method(units.setActive),
    archiveWorkUnit: method(units.archiveWorkUnit),
    updatePlan: clean(telling(changePlan)),
    /** Calls `listener` with a plan's path after each change of it by this process. @returns what ends that */
    onPlanChanged(listener: (path: string) => void): () => void {
      planListeners.add(listener);
      return () => planListeners.delete(listener);
    },
    approvePlan: method(approvePlan),
    rejectPlan: method(rejectPlan),
    planStanding: method(readPlanStanding),
    readEvidence: method(readEvidence),
    writeEvidence: method(writeEvidence),
    readWaves: method(readWaves),
    changeWaves: async <T>(input: {
      slug: string;
      change: (waves: WaveLedger) => WaveChange<T>;
    }): Promise<WorkspaceResult<{ told: T }>> => toResult(logger, async () => changeWaves(context, input)),
    updateSpec: clean(records.changeSpec),
    appendLog: clean(records.appendLog),
    logWork: clean(records.logWork),
    writeSession: clean(records.writeSession),
    logRecord: clean(records.logRecord),
    logApproval: clean(records.logApproval),
    writeReceipt: clean(records.writeReceipt),
    addDebt: clean(records.addDebtNotes),
    appendDecisions: clean(records.appendDecisions),
    readDecisions: method(records.readDecisions),
    unread: method(records.readUnread),
    createGaiaInit: method(records.createGaiaInit),
    observe: clean(observe),
    promotions: method(promotions.readPromotions),
    settlePromotions: method(promotions.settlePromotions),
    addChecks: method(records.addDefinition),
    nextVersion: clean(nextVersion),
    findPattern: method(async (_context, { type }: { readonly type: string }) =>
      findPattern((await knowledge?.accepted()) ?? [], directory, type),
    ),
    readFindings: method(findings.readFindings),
    addFindings: clean(findings.appendFindings),
    findingHolds: method(findings.readFindingHolds),
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
    const told = head(describeError(error), MAX_REASON);
    if (system === null) return { ok: false, error: told, hint: "Nothing was written." };
    const hint = `Nothing was written. ${told}`;
    return { ok: false, error: `The record cannot be written: ${system}.`, hint };
  }
}
