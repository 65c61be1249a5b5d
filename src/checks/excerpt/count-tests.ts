import { stripVTControlCharacters } from "node:util";

/** Lines in which runners of tests sum up: vitest, jest, cargo, pytest, mocha. */
const SUMS =
  /^(?: *Tests:? +(?=\d)|test result: |(?:ok|FAILED) \| |=+ (?=.*\d (?:passed|failed))|(?=\d+ (?:passed|failed)\b)| *(?=\d+ (?:passing|failing)\b)).*$/gm;
const TAP = /^[#ℹ] (pass|fail) (\d+)/gm;
const UNITTEST = /^Ran (\d+) tests? in .*\n\n?(?:OK|FAILED)(.*)$/gm;

/** Sums that tell how many there were, and how many of them failed: rspec, exunit, minitest, gradle, maven, ctest. */
const TOTALS: readonly RegExp[] = [
  /^(?<all>\d+) (?:examples?|tests?|runs?),(?: \d+ assertions,)? (?<failed>\d+) failures?(?:, (?<errors>\d+) errors?)?/gm,
  /^(?<all>\d+) tests? completed, (?<failed>\d+) failed/gm,
  /^(?:\[\w+\] )?Tests run: (?<all>\d+), Failures: (?<failed>\d+), Errors: (?<errors>\d+), Skipped: \d+ *$/gm,
  /^Tests: (?<all>\d+), Assertions: \d+(?:, Errors: (?<errors>\d+))?(?:, Failures: (?<failed>\d+))?/gm,
  /^\d+% tests passed, (?<failed>\d+) tests? failed out of (?<all>\d+)/gm,
];
/** Sums that tell both: dotnet, bun. */
const BOTH: readonly RegExp[] = [
  /^ *(?:Passed|Failed)! .*?Failed: +(?<failed>\d+), Passed: +(?<passed>\d+)/gm,
  /^ *(?<passed>\d+) pass\n(?: *\n)? *(?<failed>\d+) fail$/gm,
];

/** Tests that were left out, in the same sums or beside them. */
const SKIPPED =
  /^(?: *Tests:? +\d|test result: |(?:ok|FAILED) \| |=+ (?=.*\d (?:passed|failed|skipped))|\d+ (?:passed|failed|skipped)\b| *\d+ (?:pending|skip)$).*$|^[#ℹ] (?:skipped|todo) \d+|^OK \(.*skipped=\d+.*$|\bSkipped: +\d+/gm;

/** Of an output, whose end sums up, and of a line of it. */
const MAX_CHARACTERS = 400_000;
const MAX_LINE = 300;

/** What runners of tests sum up. */
export interface TestCounts {
  passed: number;
  failed: number;
  /** Left out: skipped, ignored, pending, still to be written; absent where none is told. */
  skipped?: number;
}

/** How many tests passed and failed, summed over all runners in an output; null where none tells. All skipped are none that passed. */
export function countTests(printed: string): TestCounts | null {
  const lines = stripVTControlCharacters(printed.slice(-MAX_CHARACTERS)).split(/\r?\n/);
  // No sum is longer, and an expression takes the square of a line's length where a line is all digits or blanks.
  const output = lines.map((line) => line.slice(0, MAX_LINE)).join("\n");
  const counts: TestCounts = { passed: 0, failed: 0 };
  let isTold = false;
  const add = (word: string, count: string): void => {
    isTold = true;
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
  for (const { groups = {} } of TOTALS.flatMap((sum) => [...output.matchAll(sum)])) {
    const broken = Number(groups["failed"] ?? 0) + Number(groups["errors"] ?? 0);
    add("fail", String(broken));
    add("pass", String(Math.max(0, Number(groups["all"]) - broken)));
  }
  for (const { groups = {} } of BOTH.flatMap((sum) => [...output.matchAll(sum)])) {
    add("fail", groups["failed"] ?? "0");
    add("pass", groups["passed"] ?? "0");
  }
  const skipped = [...output.matchAll(SKIPPED)].reduce((sum, [line]) => sum + skippedIn(line), 0);
  if (!isTold && skipped === 0) return null;
  return skipped === 0 ? counts : { ...counts, skipped };
}

function skippedIn(line: string): number {
  const found = line.matchAll(/(\d+) (?:skip(?:ped)?|ignored|pending|todo)\b|(?:skipped[=:]?|todo) *(\d+)/gi);
  return [...found].reduce((sum, [, before, behind]) => sum + Number(before ?? behind), 0);
}
