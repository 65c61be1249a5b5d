import { stateOf } from "../../record/documents/finding.ts";
import type { FindingHold } from "../../record/operations/findings.ts";

/** Without a sign of work for so long, its holder has left a finding, in milliseconds. */
const LEFT_AFTER_MS = 24 * 3_600_000;
const ENDED = "the OpenCode that worked on it has ended";
const DELETED = "its session was deleted";
const IDLE = "nobody has gone on with it for a day";

export interface HoldFacts {
  readonly hold: FindingHold;
  /** Whether its process runs; null on another machine, where that cannot be known. */
  readonly isAlive: boolean | null;
  /** Whether its session is known to be gone. */
  readonly isDeleted: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Why nobody works on a finding any more, as part of a sentence; null while someone may. */
export function whyLeft({ hold, isAlive, isDeleted, now }: HoldFacts): string | null {
  if (isDeleted) return DELETED;
  if (isAlive === false) return ENDED;
  return Math.abs(now - hold.at) > LEFT_AFTER_MS ? IDLE : null;
}

/**
 * The state of a finding that its conversation has left: the end of its work unit where that has one; `open` where it can simply be
 * begun again, `blocked` where a person has to look. null for one that was not under way.
 * @param unit how the work unit ended: a state, empty while it is not complete, null where there is none
 */
export function leftState(
  { state, unit: slug }: FindingHold,
  why: string,
  unit: string | null,
): string | null {
  if (unit !== null && unit !== "") return unit;
  if (stateOf({ state }) !== "started") return null;
  if (unit === "") return `blocked: ${why}, and the work unit ${slug ?? ""} is not complete`;
  return why === IDLE ? `blocked: ${why}` : `open: ${why}`;
}
