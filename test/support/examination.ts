import { type Effect, type Examination, NOTHING_FURTHER } from "../../src/policy/examination.ts";

/** What the policy says of a call with this effect, and nothing else. */
export const examined = (effect: Effect, rest: Partial<Examination> = {}): Examination => ({
  effect,
  reason: "because",
  ...NOTHING_FURTHER,
  ...rest,
});
