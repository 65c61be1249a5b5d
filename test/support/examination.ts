import type { CommandRisk, Examination } from "../../src/policy/examination.ts";

/** What the policy says of a call with this risk, and nothing else. */
export const examined = (risk: CommandRisk, rest: Partial<Examination> = {}): Examination => ({
  risk,
  reason: "because",
  part: null,
  secret: null,
  protectedTarget: null,
  isCheck: false,
  unlisted: null,
  ...rest,
});
