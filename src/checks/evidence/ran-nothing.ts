/** What runners of tests say when they found none, or skipped all. */
const NONE =
  /(?:^|\n)[#ℹ] (?:tests|pass) 0\b|\b0 (?:tests? (?:ran|passed|found|executed)|passing|specs?)\b|\bno tests? (?:found|ran|to run|files? found|were found)\b|\bno test files\b|\bcollected 0 items\b|\bRan 0 tests\b|\brunning 0 tests\b|\bNo tests executed\b|Tests:? +(?:\d+ (?:skipped|todo)[ ,|]*)+(?:\d+ total|\(\d+\))/iu;
const SOME =
  /(?:^|\n)[#ℹ] pass [1-9]|\b[1-9]\d* (?:passed|passing|tests? (?:ran|passed|executed)|assertions)\b|\bRan [1-9]\d* tests?\b|\brunning [1-9]\d* tests?\b|(?:^|\n)ok\s+\S+\s+(?:[\d.]+s|\(cached\))(?!.*no tests to run)/iu;

/** Why a run without tests proves nothing. */
export const RAN_NONE = "it ran no test";

/** Whether a run of tests that passed says of itself that it ran none: everything was skipped, or nothing was there. */
export function ranNothing(output: string): boolean {
  return NONE.test(output) && !SOME.test(output);
}
