/** The least part of the lines of a change whose end says that it was not wanted. */
const MOST_OF = 0.5;

/** What a change wrote into a file. */
export interface Written {
  /** Lines that were not there before, and that say something. */
  readonly lines: readonly string[];
  /** All that stood there before and after it, as {@link plain} has it. */
  readonly known: ReadonlySet<string>;
}

/** @param before null where it is not known */
export function writtenOf(before: string | null, after: string | null): Written | null {
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
  { lines, known }: Written,
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
