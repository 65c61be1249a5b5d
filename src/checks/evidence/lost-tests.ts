import type { CheckReport } from "../definition-of-done/report.ts";
import type { Evidence } from "./evidence.ts";
import { RAN_NONE, ranNothing } from "./ran-nothing.ts";

/** Commands that run what a change concerns: how many tests they run says nothing. */
const PARTIAL =
  /--(?:only-?)?(?:changed|failed|related|affected|since)|--(?:lf|last-failed|findRelatedTests)\b|\b(?:affected|related)\b|\s-o\b/i;

/** How many tests an evidence or a report tells of; undefined where its output does not. */
export function ranOf({ status, tests, output_tail }: CheckReport): number | undefined {
  if (status === "passed" && ranNothing(output_tail)) return 0;
  return tests === undefined ? undefined : tests.passed + tests.failed;
}

/**
 * What became of the tests of a check that passes, in words for a person: none of them ran, fewer than before, or more of them
 * were left out. A configuration that leaves a test out, a skip in its file or another runner of the same name all end so, whatever
 * they change. null where nothing is missing, or that cannot be told.
 * @param before what the host saw of the same command in the same unit of work
 */
export function lostTests(
  before: Pick<Evidence, "ran" | "skipped"> | undefined,
  report: CheckReport,
): string | null {
  const { ran = 0, skipped = 0 } = before ?? {};
  if (report.status !== "passed" || ran === 0) return null;
  const now = ranOf(report);
  if (now === 0) return `${RAN_NONE}, and ${ran} before`;
  if (PARTIAL.test(report.command)) return null;
  if (now === undefined) return `it does not tell of any test, and ran ${ran} before`;
  if (now < ran) return `it ran ${now} of its tests, and ${ran} before`;
  const leftOut = report.tests?.skipped ?? 0;
  return leftOut > skipped ? `it left out ${leftOut} of its tests, and ${skipped} before` : null;
}
