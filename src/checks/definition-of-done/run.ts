import { type Clock, systemClock } from "../../lib/clock.ts";
import { describeError } from "../../lib/error.ts";
import { findArtifacts } from "./artifacts.ts";
import { type CheckContext, runCheck } from "./check.ts";
import type { CheckDefinition, DefinitionOfDone } from "./definition.ts";
import type { CheckReport, CheckStatus, DefinitionOfDoneReport } from "./report.ts";
import { selectChecks } from "./select.ts";
import { decideVerdict } from "./verdict.ts";

/** What somebody who waits for the checks can be told meanwhile. */
export type CheckProgress =
  | { kind: "started"; id: string; total: number }
  | { kind: "finished"; id: string; status: CheckStatus; duration_ms: number; done: number; total: number };

/** One run of the project's definition. */
export interface RunOptions {
  /** The project, as an absolute path; no check runs outside of it. */
  directory: string;
  definition: DefinitionOfDone;
  /** `full` (default), `doc`, or a part of the project such as `frontend`. */
  scope?: string | undefined;
  /** Ends everything that runs; the report then says `cancelled`. */
  signal?: AbortSignal | undefined;
  clock?: Clock;
  /** Told of each start and end; a listener that throws is told nothing more. */
  onProgress?: ((progress: CheckProgress) => void) | undefined;
  /** Takes secrets out of commands and outputs before anybody sees them. */
  redact?: ((text: string) => string) | undefined;
  /** Checks at a time; 4 when absent. */
  concurrency?: number;
  /** Milliseconds between asking a command to end and killing it; 2,000 when absent. */
  graceMs?: number;
}

/** Most projects have test, lint, types and build: these run side by side, more wait for their turn. */
const DEFAULT_CONCURRENCY = 4;
const DEFAULT_GRACE_MS = 2_000;

/**
 * Proves the project's Definition of Done in the host (SPEC 11): the checks of the scope side by side, then the
 * artifacts, then the gate. Never throws; every problem is a status or a note of the report. The time is bounded by
 * the time-outs of the checks, the memory by their tails.
 */
export async function runDefinitionOfDone(options: RunOptions): Promise<DefinitionOfDoneReport> {
  const { definition, directory, signal } = options;
  const clock = options.clock ?? systemClock;
  const started = clock.now();
  const { scope, selected, skipped, notes } = selectChecks(definition.checks, options.scope);
  const context: CheckContext = {
    directory,
    signal,
    clock,
    graceMs: options.graceMs ?? DEFAULT_GRACE_MS,
    redact: options.redact ?? ((text) => text),
  };
  const tell = createTeller(options.onProgress, notes);
  const checks = await runAll(selected, context, options.concurrency ?? DEFAULT_CONCURRENCY, tell);
  // After the checks, because a build among them may be what makes an artifact.
  const artifacts = await findArtifacts(directory, definition.artifacts, signal);
  const cancelled = signal?.aborted ?? false;
  if (definition.gate === "none" && checks.some((check) => check.status !== "passed")) {
    notes.push("The gate is none, so failing checks are shown and do not count.");
  }
  return {
    passed: decideVerdict({ gate: definition.gate, checks, artifacts, cancelled }),
    gate: definition.gate,
    scope,
    cancelled,
    checks,
    artifacts,
    skipped,
    notes,
    duration_ms: Math.round(clock.now() - started),
  };
}

async function runAll(
  selected: readonly CheckDefinition[],
  context: CheckContext,
  concurrency: number,
  tell: (progress: CheckProgress) => void,
): Promise<CheckReport[]> {
  const total = selected.length;
  const reports: CheckReport[] = [];
  const waiting = selected.entries();
  let done = 0;
  const work = async (): Promise<void> => {
    for (const [index, check] of waiting) {
      tell({ kind: "started", id: check.id, total });
      const report = await runCheck(check, context);
      reports[index] = report;
      done += 1;
      const { id, status, duration_ms } = report;
      tell({ kind: "finished", id, status, duration_ms, done, total });
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(concurrency, total)) }, work));
  return reports;
}

function createTeller(
  listener: RunOptions["onProgress"],
  notes: string[],
): (progress: CheckProgress) => void {
  let current = listener;
  return (progress) => {
    try {
      current?.(progress);
    } catch (error) {
      current = undefined;
      notes.push(`Progress was no longer shown: ${describeError(error)}`);
    }
  };
}
