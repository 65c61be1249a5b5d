/** Lines in which runners of tests sum up: vitest, jest, cargo, pytest, mocha. */
const SUMS =
  /^(?: *Tests:? +(?=\d)|test result: |=+ (?=.*\d (?:passed|failed))|(?=\d+ (?:passed|failed)\b)| *(?=\d+ (?:passing|failing)\b)).*$/gm;
const TAP = /^[#ℹ] (pass|fail) (\d+)/gm;
const UNITTEST = /^Ran (\d+) tests? in .*\n\n?(?:OK|FAILED)(.*)$/gm;

/** How many tests passed and failed, summed over all runners in an output; null where none tells. */
export function countTests(output: string): { passed: number; failed: number } | null {
  const counts = { passed: 0, failed: 0 };
  const add = (word: string, count: string): void => {
    counts[word.startsWith("pass") ? "passed" : "failed"] += Number(count);
  };
  for (const [line] of output.matchAll(SUMS))
    for (const [, count = "", word = ""] of line.matchAll(/(\d+) (pass|fail|error)/g)) add(word, count);
  for (const [, word = "", count = ""] of output.matchAll(TAP)) add(word, count);
  for (const [, ran = "", rest = ""] of output.matchAll(UNITTEST)) {
    const broken = [...rest.matchAll(/(?:failures|errors)=(\d+)/g)].reduce(
      (sum, each) => sum + Number(each[1]),
      0,
    );
    add("fail", String(broken));
    add("pass", String(Number(ran) - broken));
  }
  return counts.passed + counts.failed === 0 ? null : counts;
}
