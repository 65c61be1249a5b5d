import { stripVTControlCharacters } from "node:util";

/** What is seen after an attempt to make the checks pass. */
export interface ProgressObservation {
  /** Ids of the checks that did not pass; empty when all did. */
  checksFailing: readonly string[];
  /** Fingerprint of the tree when the checks began; null when it could not be taken, which counts as changed. */
  treeHash: string | null;
  /** Fingerprint when they ended, where it is known: what the checks themselves write is not progress. */
  treeHashAfter?: string | null | undefined;
  /** The error that the attempt ended with, if any. */
  error?: string | undefined;
}

/** What the detector remembers between attempts. */
export interface ProgressState {
  /** Fingerprint after the last observation, or null before the first. */
  lastTree: string | null;
  /** Failing attempts in a row that changed nothing. */
  idle: number;
  /** Failing attempts since the checks last passed. */
  attempts: number;
  /** Fewest checks that failed so far; fewer than that is progress. */
  fewestFailing: number | null;
  /** Errors, normalised, and how often each was seen since there last was progress. */
  errors: readonly SeenError[];
}

interface SeenError {
  text: string;
  times: number;
}

/** Whether the work may go on. `blocked`: nothing moves. `stop`: it moves and gets nowhere. */
export type ProgressDecision =
  | { kind: "continue" }
  | { kind: "blocked"; reason: string }
  | { kind: "stop"; reason: string };

/** The state before the first attempt. */
export const NO_PROGRESS_YET: ProgressState = {
  lastTree: null,
  idle: 0,
  attempts: 0,
  fewestFailing: null,
  errors: [],
};

const MAX_IDLE = 2;
const MAX_SAME_ERROR = 3;
/** Attempts that change files, fail differently each time and still never pass are a loop too. */
const MAX_ATTEMPTS = 6;
const MAX_REMEMBERED_ERRORS = 32;

/**
 * The no-progress detector (SPEC 11): checks still fail and the tree did not change, twice in a row → blocked; the
 * same error three times, or six failing attempts → stop. Passing checks reset everything, fewer failing ones the errors.
 */
export function observeProgress(
  state: ProgressState,
  seen: ProgressObservation,
): { state: ProgressState; decision: ProgressDecision } {
  const failing = [...new Set(seen.checksFailing)].toSorted();
  if (failing.length === 0 && !seen.error) return { state: NO_PROGRESS_YET, decision: { kind: "continue" } };
  const unchanged = seen.treeHash !== null && seen.treeHash === state.lastTree;
  const { fewestFailing } = state;
  const fewer = failing.length > 0 && fewestFailing !== null && failing.length < fewestFailing;
  const text = normaliseError(seen.error ?? "");
  const next: ProgressState = {
    lastTree: seen.treeHashAfter ?? seen.treeHash,
    idle: unchanged && failing.length > 0 ? state.idle + 1 : 0,
    attempts: state.attempts + 1,
    fewestFailing: fewer || fewestFailing === null ? failing.length || null : fewestFailing,
    errors: countError(fewer ? [] : state.errors, text),
  };
  return { state: next, decision: decide(next, failing, text) };
}

function decide(state: ProgressState, failing: readonly string[], text: string): ProgressDecision {
  const which = failing.length > 0 ? ` (${failing.join(", ")})` : "";
  if (state.idle >= MAX_IDLE) {
    return {
      kind: "blocked",
      reason: `no file changed in ${state.idle} attempts and checks still fail${which}`,
    };
  }
  const times = state.errors.find((error) => error.text === text)?.times ?? 0;
  if (times >= MAX_SAME_ERROR) {
    return { kind: "stop", reason: `the same error came ${times} times: ${text.slice(0, 160)}` };
  }
  if (state.attempts >= MAX_ATTEMPTS) {
    return { kind: "stop", reason: `${state.attempts} attempts did not make the checks pass${which}` };
  }
  return { kind: "continue" };
}

function countError(errors: readonly SeenError[], text: string): readonly SeenError[] {
  if (text === "") return errors;
  const times = errors.find((error) => error.text === text)?.times ?? 0;
  const others = errors.filter((error) => error.text !== text).slice(1 - MAX_REMEMBERED_ERRORS);
  return [...others, { text, times: times + 1 }];
}

/** What makes two errors the same for a reader: not times, addresses, line numbers, temporary paths or colours. */
function normaliseError(error: string): string {
  return stripVTControlCharacters(error.slice(0, 4_000))
    .toLowerCase()
    .replace(/\b0x[0-9a-f]+\b|\b[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b/g, "#")
    .replace(/\S*\/(?:tmp|temp|var\/folders)\/\S*/g, "#")
    .replace(/\d+(?:[.,:]\d+)*/g, "#")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 400);
}
