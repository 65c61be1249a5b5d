import type { JudgedEntry } from "./judge.ts";

/** Shorter lines stand in any text. */
const LEAST = 16;
/** What searches and comparisons put in front of a line. */
const FRONT = /^(?:\d+[:-]|[+-])\s*/;
const INSTEAD = "[not shown: proposed as known, and nobody has accepted it]";

/** The lines of entries that do not count, without those that stand in one that does. */
export function undecidedLines(entries: readonly JudgedEntry[]): ReadonlySet<string> {
  const linesOf = (some: readonly JudgedEntry[]): string[] =>
    some.flatMap(({ body, reason }) => [...body.split("\n"), reason].map((line) => line.trim()));
  const told = new Set(linesOf(entries.filter(({ standing }) => standing === "accepted")));
  const others = linesOf(entries.filter(({ standing }) => standing !== "accepted"));
  return new Set(others.filter((line) => line.length >= LEAST && !told.has(line)));
}

/** An output without these lines: what it was read from, a command that prints no names does not tell. */
export function withhold(text: string, lines: ReadonlySet<string>): string {
  if (lines.size === 0) return text;
  const kept = text.split("\n").map((line) => (lines.has(line.trim().replace(FRONT, "")) ? INSTEAD : line));
  return kept.join("\n");
}
