import { realpath } from "node:fs/promises";
import type { Clock } from "../lib/async.ts";
import { type Logger, describeError, isGaiaError, MAX_REASON } from "../lib/error.ts";
import { redactDeep, createRedactor, type Redactor } from "../lib/redaction.ts";
import { createSeal, type Seal } from "../lib/seal.ts";
import type { Method, Operation, OperationContext, WorkspaceResult } from "./operations/context.ts";
import { learningOperations } from "./operations/learnings.ts";
import { planOperations } from "./operations/plans.ts";
import { recordOperations } from "./operations/records.ts";
import { unitOperations } from "./operations/units.ts";
import { versionOperations } from "./operations/versions.ts";
import { waveOperations } from "./operations/waves.ts";
import { createGaiaFiles } from "./store/gaia-files.ts";
import { listDocuments } from "./recall/entries.ts";
import type { Knowledge } from "./knowledge.ts";
import { head } from "../lib/text.ts";
import { codeOf, describeSystemProblem } from "./gaia-path.ts";

export type { StandingPlan } from "./operations/plans.ts";
export {
  claimWave,
  dropWave,
  endWave,
  findWave,
  isSameWave,
  otherOpenWaves,
  type WaveChange,
  type WaveLedger,
} from "./operations/waves.ts";
export type { WorkspaceResult };

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
}

/** Opens the record of a project; touches no file until a method is called. */
export function createWorkspace(options: WorkspaceOptions) {
  const { directory, clock, logger, knowledge, seal = createSeal() } = options;
  const redact = options.redact ?? createRedactor(process.env);
  const files = createGaiaFiles(directory, logger);
  const planListeners = new Set<(path: string) => void>();
  const method =
    <A extends unknown[], T extends object>(operation: Operation<A, T>): Method<A, T> =>
    async (...input) =>
      toResult(logger, async () => operation(...input));
  const context: OperationContext = {
    files,
    directory,
    knowledge,
    now: () => clock.now(),
    today: () => new Date(clock.now()).toISOString().slice(0, 10),
    seal: async (text) => seal(JSON.stringify([await realpath(directory), text])),
    run: async (operation) => toResult(logger, operation),
    method,
    clean: (operation) => method(async (...input) => operation(...redactDeep(input, redact))),
    tellPlan(changed) {
      for (const tell of planListeners) tell(changed.path);
      return changed;
    },
  };
  return {
    ...unitOperations(context),
    ...planOperations(context),
    ...waveOperations(context),
    ...recordOperations(context),
    ...learningOperations(context),
    ...versionOperations(context),
    /** Calls `listener` with a plan's path after each change of it by this process. @returns what ends that */
    onPlanChanged(listener: (path: string) => void): () => void {
      planListeners.add(listener);
      return () => planListeners.delete(listener);
    },
    documents: method(async () => ({ documents: await listDocuments(directory) })),
    /** A text of the record; `path` is below `.gaia`. */
    readDocument: method(async ({ path }: { path: string }) => ({
      text: (await files.read(path, "replaceable")) ?? "",
    })),
  };
}

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
