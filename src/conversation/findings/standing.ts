import type { CollaborationState } from "../collaboration/state.ts";
import { renderStanding, type LaneStanding } from "../lanes/lane.ts";

/** Ends of work by which nothing of a finding was touched. */
const STOPPED = "claimed: you stopped it";
const NOTHING = "claimed: nothing was changed";
export const UNTOUCHED: readonly string[] = [STOPPED, NOTHING];

export interface FindingFacts {
  /** Why the work ended BLOCKED, with the next step; empty where it did not. */
  readonly blocked: string;
  readonly isAtWork: boolean;
  readonly state: Pick<CollaborationState, "pause" | "pending">;
  /** What the host has seen of the change; null for no change. */
  readonly standing: LaneStanding | null;
  /** How the work unit ended that the finding became: a state; empty while it is under way, null where it became none. */
  readonly unit: string | null;
}

/** The state of a finding as the host knows it, never as a model says it; null while someone works or waits for the user. */
export function findingStanding(facts: FindingFacts): string | null {
  const { blocked, isAtWork, state, standing, unit } = facts;
  // Whatever else goes on: its end is the end of the work.
  if (unit !== null && unit !== "") return unit;
  if (blocked !== "") return `blocked: ${blocked}`;
  if (state.pause?.reason === "abort") return STOPPED;
  if (unit !== null) return null;
  if (isAtWork || state.pause !== null || state.pending.length > 0) return null;
  if (standing?.kind === "claimed") return `claimed: ${standing.why}`;
  if (standing !== null) return `done: ${renderStanding(standing)}`;
  return NOTHING;
}
