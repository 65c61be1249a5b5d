import { createHash } from "node:crypto";
import { type Output, toldLines } from "./excerpt.ts";
import { SUMMARY } from "./recognisers.ts";

const MAX_ENTRIES = 5_000;
/** Lines by which tools tell what failed. */
const FAILURE =
  /fail|error|✗|✖|✘|×|●|\bnot ok\b|panic|exception|traceback|assert|expected|undefined|cannot|unknown|missing|no such|denied|warning|problem|^\s*at\s|^[EF]\s/i;
/** How many passed, which new tests and files change and which says nothing of what failed. */
const PASSED =
  /\b\d+ (?:pass(?:ed|ing)?|ok|succeeded|total|skipped|todo|suites?|tests?)\b|\b(?:pass(?:ed)?|tests?|suites?|total|ok|duration_ms)[ :]+\d+(?:\.\d+)?\b|^[#ℹ] (?:tests|pass|suites|duration_ms|skipped|todo)\b.*$|\(checked \d+ [\w ]+\)|\b\d+ files? (?:would be left |already |left )?(?:unchanged|formatted)\b/gi;
/** What differs from one run to the next by itself, or moves with the lines above it. */
const PASSING = new RegExp(
  [
    String.raw`\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`,
    String.raw`\b\d+(?:[.,]\d+)?\s?(?:ms|µs|ns|s|sec(?:onds?)?|min|m)\b`,
    String.raw`\b\d{4}-\d{2}-\d{2}[T ]?[\d:.]*Z?\b|\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?\b`,
    String.raw`\b0x[0-9a-f]+\b|\b[0-9a-f]{8,}\b|@[0-9a-f]{5,8}\b`,
    String.raw`^\s*\d+:\d+(?=\s)|^\s*[>❯]?\s*\d+\s?[|│]|:\d+(?::\d+)?\b|\(\d+,\s?\d+\)|\bline \d+\b`,
    String.raw`\b(?:pid|port|seed)[ :=]+\d+\b|(?<=\bthread '[^']*' )\(\d+\)`,
    String.raw`\/tmp\/[\w.-]+|\/var\/folders\/[\w+]+\/[\w+]+\/T\/[\w.-]+|\b[A-Z]:\\[^\s:*?"<>|]*\\Temp\\[\w.-]+`,
  ].join("|"),
  "gi",
);
/** How many failed: fewer of them are no new failure. */
const COUNTED =
  /\b(\d+) (?:tests? )?(fail(?:ed|ing|ures?)?|errors?|problems?|warnings?|issues?|violations?|offen[cs]es?|files?)\b|\b(fail(?:ed|ures?)?|errors)\s?[:=]?\s?(\d+)\b/gi;
const PLURAL =
  /\b(test|failure|error|problem|warning|issue|violation|offen[cs]e|file|example|scenario|suite)s\b/gi;
/** Above the problems that some linters list: the file that they are in. */
const FILE = /^(?:[A-Z]:)?[\w@.\-/\\]+\.\w{1,6}:?$/;
const APART = "\0";
const IN_FILE = /^\s+\d+:\d+\s/;

/**
 * How a check failed, as far as it is the same in another run: a short name for each line that tells a failure, without times,
 * addresses and places, behind it how often it is there; all lines where none tells. Of the whole output that was kept.
 */
export function signatureOf(output: string | Output): string[] {
  const raws = new Map<string, number>();
  let file = "";
  for (const raw of toldLines(output)) {
    if (FILE.test(raw)) file = raw;
    add(raws, IN_FILE.test(raw) ? `${file}${APART}${raw}` : raw, 1);
  }
  const lines = [...raws].map(([raw, times]) => ({ line: steady(raw), times }));
  const full = lines.filter(({ line }) => /[\p{L}\p{N}]/u.test(line));
  const telling = full.filter(({ line }) => FAILURE.test(line));
  const counts = new Map<string, number>();
  for (const { line, times } of telling.length > 0 ? telling : full)
    for (const [name, count] of countsOf(line)) add(counts, name, count * times);
  return [...counts].map(([name, count]) => `${name} ${count}`).slice(0, MAX_ENTRIES);
}

function add(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

/** A line without what differs by itself, behind the file that it is about. */
function steady(raw: string): string {
  const [line = "", file = ""] = raw.split(APART).toReversed();
  const own = line
    .replaceAll(PASSED, "")
    .replaceAll(PASSING, "·")
    .replaceAll(/\s*\(·\)/g, "")
    .replaceAll(/[\s,|;]+/g, " ")
    .trim();
  return `${file} ${own}`.trim();
}

/** Whether everything in a signature is in another one, as often at the most. */
export function isWithin(signature: readonly string[], other: readonly string[]): boolean {
  const known = new Map(other.map(entryOf));
  return signature.map(entryOf).every(([name, count]) => count <= (known.get(name) ?? 0));
}

/** A line, or each sum that stands in it; one of a run has the same name whatever else its line says. */
function countsOf(line: string): [string, number][] {
  const sums = [...line.matchAll(COUNTED)];
  if (sums.length === 0) return [[nameOf(line), 1]];
  const of = SUMMARY.test(line) ? "" : line.replaceAll(COUNTED, "").replaceAll(PLURAL, "$1");
  return sums.flatMap(([, before, what, name, after]) => {
    const sum = Number(before ?? after);
    const word = (what ?? name ?? "").toLowerCase().replace(/(?:ed|ures?|s)$/, "");
    return sum > 0 ? [[nameOf(`${word} ${of}`), sum]] : [];
  });
}

function nameOf(line: string): string {
  return createHash("sha256").update(line).digest("hex").slice(0, 12);
}

function entryOf(entry: string): [string, number] {
  const [name = "", count = ""] = entry.split(" ");
  return [name, Number(count)];
}
