import { DEFAULT_KNOBS, type Knobs } from "../../src/config/knobs.ts";
import type { WorkRules } from "../../src/conversation/collaboration/knobs.ts";

/** What differs from a conversation as it begins. */
export interface RulesGiven {
  readonly mode?: Knobs["mode"] | undefined;
  readonly pause?: Pick<NonNullable<WorkRules["pause"]>, "reason" | "detail"> | null | undefined;
  /** The user has chosen the cadence `milestone`. */
  readonly asksPlans?: boolean | undefined;
}

export function rulesOf({
  mode = DEFAULT_KNOBS.mode,
  pause = null,
  asksPlans = false,
}: RulesGiven): WorkRules {
  const checkinCadence = asksPlans ? "milestone" : DEFAULT_KNOBS.checkinCadence;
  return {
    knobs: { ...DEFAULT_KNOBS, mode, checkinCadence },
    isCadenceChosen: asksPlans,
    pause: pause && { sessionId: null, ...pause },
  };
}
