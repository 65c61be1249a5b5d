import type { CheckDefinition, DefinitionOfDone } from "../../config/definition-of-done.ts";
import { findArtifacts } from "./artifacts.ts";
import { type CheckContext, runCheck } from "./check.ts";
import { decidePassed, type CheckReport, type DefinitionOfDoneReport } from "./report.ts";
import { selectChecks } from "./select.ts";

export interface RunOptions extends CheckContext {
  definition: DefinitionOfDone;
  /** `full` (default), `doc`, or a part of the project such as `frontend`. */
  scope?: string | undefined;
  /** What is known of a check without running it; null where it has to run. */
  known?: ((check: CheckDefinition) => CheckReport | null) | undefined;
  /** Looks at how a check ended before it counts. */
  settle?: ((report: CheckReport, check: CheckDefinition) => CheckReport) | undefined;
}

/** Most projects have test, lint, types and build: these run side by side, more wait for their turn. */
const MAX_CONCURRENT = 4;

/**
 * Proves the project's Definition of Done in the host (SPEC 11): the checks of the scope side by side, then the
 * artifacts, then the gate. Never throws; every problem is a status or a note of the report. The time is bounded by
 * the time-outs of the checks, the memory by their tails. A report of an aborted run says `cancelled`.
 */
export async function runDefinitionOfDone(options: RunOptions): Promise<DefinitionOfDoneReport> {
  const { definition, directory, signal, clock } = options;
  const started = clock.now();
  const { scope, selected, skipped, notes } = selectChecks(definition.checks, options.scope);
  const checks = await runAll(selected, options);
  // After the checks, because a build among them may be what makes an artifact.
  const artifacts = await findArtifacts(directory, definition.artifacts, signal);
  const cancelled = signal.aborted;
  if (definition.gate === "none" && checks.some((check) => check.status !== "passed")) {
    notes.push("The gate is none, so failing checks are shown and do not count.");
  }
  return {
    passed: decidePassed({ gate: definition.gate, checks, artifacts, cancelled }),
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

async function runAll(selected: readonly CheckDefinition[], context: RunOptions): Promise<CheckReport[]> {
  const { known = () => null, settle = (report: CheckReport) => report } = context;
  const reports: CheckReport[] = [];
  const waiting = selected.entries();
  const work = async (): Promise<void> => {
    for (const [index, check] of waiting)
      reports[index] = settle(known(check) ?? (await runCheck(check, context)), check);
  };
  await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT, selected.length) }, work));
  return reports;
}
