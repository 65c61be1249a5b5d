import { editLines, type Markdown, parseMarkdown, renderMarkdown } from "../../workspace/markdown.ts";

/** Between these stands what is written; everything else in the file is people's. */
export const BEGIN = "<!-- gaia:begin -->";
export const END = "<!-- gaia:end -->";

/** The longest an AGENTS.md may become through what is written into it, in lines. */
const MAX_LINES = 200;

/** What becomes of a file, or why it stays as it is. */
export type Written =
  | { readonly ok: true; readonly text: string; readonly left: number }
  | { readonly ok: false; readonly why: string };

/** What may be said of a folder, by heading. */
export type Sections = Readonly<Record<string, readonly string[]>>;

/** The number of things that there are to say. */
export function countOf(sections: Sections): number {
  return Object.values(sections).reduce((sum, lines) => sum + lines.length, 0);
}

/** Whether a text holds what was written before. */
export function hasBlock(text: string): boolean {
  return marksIn(parseMarkdown(text), BEGIN).length > 0;
}

/**
 * Puts these sections between the marks of a file, which come to its end where there are none yet; with nothing to say they go.
 * Every other line stays byte for byte.
 * @returns the new text, and how many lines had no room; a file whose marks are not one pair is refused
 */
export function writeBlock(text: string, sections: Sections): Written {
  const document = parseMarkdown(text.trim() === "" ? "" : text);
  const { lines: all, kinds, unclosed } = document;
  const [begins, ends] = [marksIn(document, BEGIN), marksIn(document, END)];
  const isNew = begins.length + ends.length === 0;
  const [from = all.length] = begins;
  const [to = from - 1] = ends;
  if (begins.length > 1 || begins.length !== ends.length || (!isNew && to < from))
    return { ok: false, why: `its marks ${BEGIN} and ${END} are not one pair: put that right by hand` };
  if (isNew && unclosed !== null && kinds[unclosed.line] === "code")
    return {
      ok: false,
      why: `the code in line ${unclosed.line + 1} of it has no end: put that right by hand`,
    };
  const isBlankAt = (at: number): boolean => (all[at]?.text ?? "").trim() === "";
  const gap = isNew && !isBlankAt(from - 1) ? [""] : [];
  const count = to - from + 1;
  const { lines, left } = fit(sections, MAX_LINES - (all.length - count + gap.length) - 4);
  if (lines.length > 0) {
    const written = editLines(document, from, count, [...gap, BEGIN, ...lines, END]);
    return { ok: true, text: renderMarkdown(written), left };
  }
  if (isNew) return { ok: true, text, left };
  // The empty line that stood between it and what stays goes with it.
  const isApart = isBlankAt(from - 1) && isBlankAt(to + 1);
  const start = isApart ? Math.max(0, from - 1) : from;
  const rest = editLines(document, start, isApart && from === 0 ? count + 1 : to - start + 1, []);
  return { ok: true, text: renderMarkdown(rest), left };
}

/** The lines that are this mark; one that stands in code is shown there, and is none. */
function marksIn({ lines, kinds }: Markdown, mark: string): number[] {
  return lines.flatMap(({ text }, at) => (text.trim() === mark && kinds[at] === "comment" ? [at] : []));
}

/** As many lines as there is room for, each under its heading. */
function fit(sections: Sections, room: number): { lines: string[]; left: number } {
  const lines: string[] = [];
  let left = 0;
  for (const [heading, texts] of Object.entries(sections)) {
    if (texts.length === 0) continue;
    const shown = texts.slice(0, Math.max(0, room - lines.length - 3));
    left += texts.length - shown.length;
    if (shown.length > 0)
      lines.push(
        ...(lines.length > 0 ? [""] : []),
        `## ${heading}`,
        "",
        ...shown.map((each) => `- ${safe(each)}`),
      );
  }
  return { lines, left };
}

/** On one line, and neither end of a comment in it. */
function safe(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll("<!--", "<! --").replaceAll("-->", "-- >").trim();
}
