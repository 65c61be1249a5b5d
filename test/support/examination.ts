import type { Effect, Examination } from "../../src/policy/examination.ts";

/** What the policy says of a call with this effect, and nothing else. */
export const examined = (effect: Effect, rest: Partial<Examination> = {}): Examination => ({
  effect,
  reason: "because",
  part: null,
  isAllowed: false,
  writes: [],
  losses: null,
  secret: null,
  protectedTarget: null,
  isCheck: false,
  noCheck: null,
  unlisted: null,
  ...rest,
});
