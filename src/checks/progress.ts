import { type DefinitionOfDoneReport, failingChecks, missingArtifacts } from "./definition-of-done/report.ts";

/** Fingerprints of the tree when the checks began and when they ended; null when one could not be taken, which counts as changed. */
export interface AttemptTrees {
  readonly before: string | null;
  /** What the checks themselves write is not progress. */
  readonly after: string | null;
}

export interface ProgressState {
  /** Fingerprint after the last observation, or null before the first. */
  lastTree: string | null;
  /** Failing attempts in a row that changed nothing. */
  idle: number;
  /** Failing attempts since the checks last passed. */
  attempts: number;
  /** Fewest checks that failed so far; fewer than that is progress. */
  fewestFailing: number | null;
  /** What was missing in each attempt since there last was progress. */
  missing: readonly string[];
}

/** Whether the work may go on: it may not when nothing moves, or when it moves and gets nowhere. */
export type ProgressDecision = { kind: "continue" } | { kind: "blocked"; reason: string };

export const NO_PROGRESS_YET: ProgressState = {
  lastTree: null,
  idle: 0,
  attempts: 0,
  fewestFailing: null,
  missing: [],
};

const MAX_IDLE = 2;
const MAX_SAME_MISSING = 3;
/** Attempts that change files, fail differently each time and still never pass are a loop too. */
const MAX_ATTEMPTS = 6;
const MAX_REASON = 160;

/**
 * The no-progress detector (SPEC 11): the work is blocked when checks still fail and the tree did not change, twice in a
 * row; when the same artifacts are missing three times; and after six failing attempts. A pass resets everything, fewer
 * failing checks what was missing.
 */
export function observeProgress(
  state: ProgressState,
  report: DefinitionOfDoneReport,
  { before, after }: AttemptTrees,
): { state: ProgressState; decision: ProgressDecision } {
  if (report.passed) return { state: NO_PROGRESS_YET, decision: { kind: "continue" } };
  const failing = [...new Set(failingChecks(report))].toSorted();
  const unchanged = before !== null && before === state.lastTree;
  const { fewestFailing } = state;
  const fewer = failing.length > 0 && fewestFailing !== null && failing.length < fewestFailing;
  const missing = missingArtifacts(report)
    .map(({ path }) => path)
    .join(", ");
  const next: ProgressState = {
    lastTree: after ?? before,
    idle: unchanged && failing.length > 0 ? state.idle + 1 : 0,
    attempts: state.attempts + 1,
    fewestFailing: fewer || fewestFailing === null ? failing.length || null : fewestFailing,
    missing: [...(fewer ? [] : state.missing), missing],
  };
  return { state: next, decision: decide(next, failing, missing) };
}

function decide(state: ProgressState, failing: readonly string[], missing: string): ProgressDecision {
  const which = failing.length > 0 ? ` (${failing.join(", ")})` : "";
  if (state.idle >= MAX_IDLE) {
    return {
      kind: "blocked",
      reason: `no file changed in ${state.idle} attempts and checks still fail${which}`,
    };
  }
  const times = state.missing.filter((before) => before === missing).length;
  if (missing !== "" && times >= MAX_SAME_MISSING) {
    const error = `artifacts missing: ${missing}`.slice(0, MAX_REASON);
    return { kind: "blocked", reason: `the same error came ${times} times: ${error}` };
  }
  if (state.attempts >= MAX_ATTEMPTS) {
    return { kind: "blocked", reason: `${state.attempts} attempts did not make the checks pass${which}` };
  }
  return { kind: "continue" };
}
