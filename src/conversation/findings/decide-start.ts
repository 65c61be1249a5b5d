import type { CollaborationState } from "../collaboration/state.ts";

export interface StartFacts {
  readonly state: Pick<CollaborationState, "knobs" | "pause" | "pending">;
  /** Whether a turn of GAIA's runs, or anyone works for her. */
  readonly isAtWork: boolean;
  /** A command holds the conversation to planning, a spec, a review. */
  readonly isHeld: boolean;
  /** Why nothing more may be begun or spent before the user's word; null while it may. */
  readonly bound: string | null;
  /** A finding was begun, and nothing came of it yet. */
  readonly isStarted: boolean;
  /** The unit has tasks that are not ticked, or GAIA's own list has todos. */
  readonly hasOpenTasks: boolean;
}

/** Why autopilot begins nothing by itself now, for the log; null where it may. Everything that is a person's comes first. */
export function whyNotStart(facts: StartFacts): string | null {
  const { knobs, pause, pending } = facts.state;
  if (knobs.mode !== "autopilot" || knobs.interaction === "pair")
    return "nobody said that she may go on alone";
  if (pause !== null || pending.length > 0) return "the user is asked";
  if (facts.isAtWork || facts.isStarted || facts.isHeld) return "other work is under way";
  return facts.hasOpenTasks ? "there are open tasks" : facts.bound;
}
