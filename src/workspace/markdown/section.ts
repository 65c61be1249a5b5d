import type { Heading } from "./block.ts";
import { editLines, type MarkdownDocument } from "./document.ts";
import { isBlank } from "./lines.ts";

/** The lines under a heading, its subsections included: from `start` to `end`, exclusive. */
export interface Section {
  readonly heading: Heading;
  readonly start: number;
  readonly end: number;
}

/** Every section of a document, in order; sections contain their subsections. Linear. */
export function sectionsOf(document: MarkdownDocument): Section[] {
  const headings = document.blocks.filter((block) => block.kind === "heading");
  const ends = headings.map(() => document.lines.length);
  const open: number[] = [];
  for (const [index, { level, start }] of headings.entries()) {
    while (open.length > 0 && (headings[open.at(-1) ?? 0]?.level ?? 0) >= level)
      ends[open.pop() ?? 0] = start;
    open.push(index);
  }
  return headings.map((heading, index) => ({
    heading,
    start: heading.end,
    end: ends[index] ?? document.lines.length,
  }));
}

/** Finds those of some sections that a line is in, in the order that they were given in. */
export function findAround(sections: readonly Section[]): (line: number) => Section[] {
  const sorted = [...sections.entries()].toSorted(([, a], [, b]) => a.start - b.start);
  const parents: number[] = [];
  const open: number[] = [];
  for (const [at, [, { start }]] of sorted.entries()) {
    while (open.length > 0 && (sorted[open.at(-1) ?? 0]?.[1].end ?? 0) <= start) open.pop();
    parents.push(open.at(-1) ?? -1);
    open.push(at);
  }
  return (line) => {
    const found: (readonly [index: number, section: Section])[] = [];
    // Sections contain each other or lie apart, and no deeper than there are levels.
    for (let at = lastAtOrBefore(sorted, ([, { start }]) => start, line); at >= 0; at = parents[at] ?? -1) {
      const entry = sorted[at];
      if (entry !== undefined && line < entry[1].end) found.push(entry);
    }
    return found.toSorted(([a], [b]) => a - b).map(([, section]) => section);
  };
}

/** The first block that begins at a line or behind it, by its place among the blocks. */
export function firstBlockFrom({ blocks }: MarkdownDocument, line: number): number {
  return lastAtOrBefore(blocks, ({ start }) => start, line - 1) + 1;
}

/** The place of the last of some items, in order, whose value is no larger; -1 for none. */
function lastAtOrBefore<T>(items: readonly T[], valueOf: (item: T) => number, value: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && valueOf(item) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
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
