import { isBlank } from "./lines.ts";
import { parseMarkdown, type MarkdownDocument } from "./document.ts";

/**
 * Markdown from outside (a model, mostly) as lines that can stand in a document without harming it: blank ends cut off,
 * fences and comments that it leaves open closed, and no line that looks like a merge conflict.
 */
export function foreignLines(markdown: string): string[] {
  // A line break in front, because only the first line of a file can open front matter.
  const document = parseMarkdown(`\n${markdown.replaceAll("\0", "\uFFFD").trimEnd()}`);
  const opaque = opaqueLines(document);
  const lines = document.lines.map(({ text }, at) =>
    !opaque.has(at) && isConflictMark(text) ? `\\${text}` : text,
  );
  while (lines.length > 0 && isBlank(lines[0] ?? "")) lines.shift();
  if (document.unclosed !== null) lines.push(document.unclosed.closer);
  return lines;
}

/** The same for a text that must stay on one line, such as a title: white space collapsed, ends cut off. */
export function foreignLine(text: string): string {
  return text
    .replaceAll("\0", "\uFFFD")
    .replaceAll(/\s{2,}|[^\S ]/g, " ")
    .trim();
}

/** The zero-based number of the first line that a merge left unresolved, or -1. */
export function findConflict(document: MarkdownDocument): number {
  const opaque = opaqueLines(document);
  return document.lines.findIndex(({ text }, at) => !opaque.has(at) && isConflictMark(text));
}

function isConflictMark(text: string): boolean {
  return /^<{7}(?: |$)/.test(text);
}

function opaqueLines(document: MarkdownDocument): ReadonlySet<number> {
  const found = new Set<number>();
  for (const block of document.blocks.filter(({ kind }) => kind === "opaque")) {
    for (let at = block.start; at < block.end; at += 1) found.add(at);
  }
  return found;
}
