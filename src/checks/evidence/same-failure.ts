import { createHash } from "node:crypto";
import type { CheckReport } from "../definition-of-done/report.ts";
import { tellingLines } from "../../process/excerpt.ts";

const MAX_ENTRIES = 5_000;

/**
 * How a check failed, as far as it is the same in another run: the tests that failed where it has a report, else the lines of
 * its output that name errors, without numbers. A short name for each, and behind it how often it is there.
 */
export function failureKey(failed: string | readonly string[]): string[] {
  const isReport = typeof failed !== "string";
  // Places and times are other ones in the next run.
  const lines = isReport
    ? failed.map((name) => `test ${name}`)
    : tellingLines(failed).map((line) => line.trim().replaceAll(/\d+(?:[.,]\d+)?/g, "0"));
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  const short = (line: string): string => createHash("sha256").update(line).digest("hex").slice(0, 12);
  return Array.from(counts, ([line, count]) => `${short(line)} ${count}`).slice(0, MAX_ENTRIES);
}

/** See {@link failureKey}; of a check that did not come to its end, as far as what is kept tells. */
export function failureSignature({
  signature,
  output_tail,
}: Pick<CheckReport, "signature" | "output_tail">): readonly string[] {
  return signature ?? failureKey(output_tail);
}

type Failure = Pick<CheckReport, "status" | "exit_code"> & { readonly signature: readonly string[] };

/**
 * Whether a check fails no worse than before: it ended the same way, and nothing that it tells is new or there more often.
 * Where that cannot be told it is a new failure.
 */
export function isSameFailure(before: Failure, now: Failure): boolean {
  if (before.status !== now.status || before.exit_code !== now.exit_code) return false;
  if (before.signature.length === 0 || now.signature.length === 0)
    return before.signature.length === now.signature.length;
  const known = new Map(before.signature.map(entryOf));
  return now.signature.map(entryOf).every(([name, count]) => count <= (known.get(name) ?? 0));
}

function entryOf(entry: string): [string, number] {
  const [name = "", count = ""] = entry.split(" ");
  return [name, Number(count)];
}
