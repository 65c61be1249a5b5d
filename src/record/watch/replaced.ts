import { excerpt } from "../../lib/excerpt.ts";

const MAX_LINE = 90;

/** A change that the user did not want. */
export interface Refused {
  /** Relative to the project. */
  readonly path: string;
  /** What would have been there, or was; empty where it is not known. */
  readonly text: string;
  readonly how: "refused" | "took back" | "replaced";
}

/** What the user did not want of a file, and what was put there after it, as one sentence; null where both are the same. */
export function describeReplaced({ path, text, how }: Refused, instead: string): string | null {
  const [old, fresh] = [lineOf(text, instead), lineOf(instead, text)];
  if (old === "" || fresh === "") return null;
  if (how === "replaced")
    return `In ${path} the user wrote "${excerpt(fresh, MAX_LINE)}" over "${excerpt(old, MAX_LINE)}".`;
  return `In ${path} the user ${how} "${excerpt(old, MAX_LINE)}"; "${excerpt(fresh, MAX_LINE)}" came in its place.`;
}

/** The first line that says something and that the other text does not have. */
function lineOf(text: string, other: string): string {
  const known = new Set(other.split("\n").map((line) => line.trim()));
  const lines = text.split("\n").map((line) => line.trim());
  return lines.find((line) => /[\p{L}\p{N}]/u.test(line) && !known.has(line)) ?? "";
}

/** The least part of the lines of a change whose end says that it was not wanted. */
const MOST_OF = 0.5;

/** What a change wrote into a file. */
export interface NewLines {
  /** Lines that were not there before, and that say something. */
  readonly lines: readonly string[];
  /** All that stood there before and after it, as {@link plain} has it. */
  readonly known: ReadonlySet<string>;
}

/** @param before null where it is not known */
export function writtenOf(before: string | null, after: string | null): NewLines | null {
  if (before === null || after === null) return null;
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  const had = new Set(old.map(plain));
  const lines = fresh.filter((line) => /[\p{L}\p{N}]/u.test(line) && !had.has(plain(line)));
  return lines.length === 0 ? null : { lines, known: new Set([...had, ...fresh.map(plain)]) };
}

/**
 * What of a change is gone from a file, and what stands there that nobody else wrote; null where most of it still stands. Pure.
 * @param now the file's text
 */
export function overwrittenBy(
  { lines, known }: NewLines,
  now: string,
): { readonly gone: string; readonly instead: string } | null {
  const whole = plain(now);
  const gone = lines.filter((line) => !whole.includes(plain(line)));
  if (gone.length === 0 || gone.length < lines.length * MOST_OF) return null;
  const instead = now.split("\n").filter((line) => !known.has(plain(line)));
  return { gone: gone.join("\n"), instead: instead.join("\n") };
}

/** Without what a formatter changes: blanks and breaks, kinds of quotes, what ends a line. */
function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, "")
    .replaceAll(/['`]/g, '"')
    .replace(/[;,]+$/, "");
}
