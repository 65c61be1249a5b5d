import type { CheckReport } from "../definition-of-done/report.ts";

const MAX_LINES = 60;
const MAX_LINE = 300;
/** Lines by which tools tell what failed. */
const FAILURE =
  /fail|error|✗|✖|✘|×|●|\bnot ok\b|panic|exception|traceback|assert|expected|undefined|cannot|unknown|missing|no such|denied|warning|problem|^\s*at\s|^[EF]\s/i;
/** How many passed, which new tests change and which says nothing of what failed. */
const PASSED =
  /\b\d+ (?:pass(?:ed|ing)?|ok|succeeded|total|skipped|todo|suites?|tests?)\b|\b(?:pass(?:ed)?|tests?|suites?|total|ok|duration_ms)[ :]+\d+(?:\.\d+)?\b|^[#ℹ] (?:tests|pass|suites|duration_ms|skipped|todo)\b.*$/gi;
/** What differs from one run to the next by itself. */
const PASSING =
  /\b\d+(?:[.,]\d+)?\s?(?:ms|µs|ns|s|sec(?:onds?)?|min|m)\b|\b\d{4}-\d{2}-\d{2}[T ]?[\d:.]*Z?\b|\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?\b|\b0x[0-9a-f]+\b|\b[0-9a-f]{8,}\b|:\d+(?::\d+)?\b|\(\d+,\s?\d+\)|\bline \d+\b|\bpid \d+\b|\/tmp\/[\w.-]+/gi;

/**
 * How a check failed, as far as it is the same in another run: the lines that tell a failure, without times, addresses and
 * places; all its lines where none tells.
 */
export function failureSignature({ output_tail }: Pick<CheckReport, "output_tail">): string[] {
  const lines = output_tail
    .split("\n")
    .map((line) =>
      line.replaceAll(PASSED, "").replaceAll(PASSING, "·").replaceAll(/\s+/g, " ").trim().slice(0, MAX_LINE),
    )
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const telling = lines.filter((line) => FAILURE.test(line));
  return [...new Set(telling.length > 0 ? telling : lines)].toSorted().slice(0, MAX_LINES);
}

type Failure = Pick<CheckReport, "status" | "exit_code"> & { readonly signature: readonly string[] };

/** Whether a check fails as it did before: nothing of what it says now is new. Fewer failures are no new one. */
export function isSameFailure(before: Failure, now: Failure): boolean {
  if (before.status !== now.status) return false;
  if (before.signature.length === 0 || now.signature.length === 0)
    return before.signature.length === now.signature.length && before.exit_code === now.exit_code;
  const known = new Set(before.signature);
  return now.signature.every((line) => known.has(line));
}
