import type { Heading } from "./block.ts";
import { editLines, type MarkdownDocument } from "./document.ts";
import { isBlank } from "./lines.ts";

/** The lines under a heading, its subsections included: from `start` to `end`, exclusive. */
export interface Section {
  readonly heading: Heading;
  readonly start: number;
  readonly end: number;
}

/** Every section of a document, in order; sections contain their subsections. */
export function sectionsOf(document: MarkdownDocument): Section[] {
  const headings = document.blocks.filter((block) => block.kind === "heading");
  return headings.map((heading, index) => {
    const next = headings.slice(index + 1).find((other) => other.level <= heading.level);
    return { heading, start: heading.end, end: next?.start ?? document.lines.length };
  });
}

/** The first section of that title, letter case ignored. */
export function findSection(document: MarkdownDocument, title: string): Section | null {
  const wanted = title.trim().toLowerCase();
  return sectionsOf(document).find(({ heading }) => heading.text.toLowerCase() === wanted) ?? null;
}

/**
 * Adds lines after the last line with content between `start` and `end`.
 * @param spaced whether a blank line stands before the addition, and after it when something follows
 */
export function appendWithin(
  document: MarkdownDocument,
  { start, end }: { readonly start: number; readonly end: number },
  texts: readonly string[],
  spaced: boolean,
): MarkdownDocument {
  let at = end;
  while (at > start && isBlank(document.lines[at - 1]?.text ?? "")) at -= 1;
  const before = spaced && at > 0 ? [""] : [];
  const nextIsText = at < document.lines.length && !isBlank(document.lines[at]?.text ?? "");
  const after = spaced && nextIsText ? [""] : [];
  return editLines(document, at, 0, [...before, ...texts, ...after]);
}

/** Adds lines at the end of the file, after its last line with content. */
export function appendToEnd(
  document: MarkdownDocument,
  texts: readonly string[],
  spaced: boolean,
): MarkdownDocument {
  return appendWithin(document, { start: 0, end: document.lines.length }, texts, spaced);
}

/** Puts `texts` in the place of everything between `start` and `end`, set off by blank lines. */
export function replaceWithin(
  document: MarkdownDocument,
  { start, end }: { readonly start: number; readonly end: number },
  texts: readonly string[],
): MarkdownDocument {
  const before = start > 0 ? [""] : [];
  const after = end < document.lines.length ? [""] : [];
  return editLines(document, start, end - start, [...before, ...texts, ...after]);
}
