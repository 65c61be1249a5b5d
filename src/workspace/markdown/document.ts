import { joinLines, splitLines, usualLineEnd, type Line } from "./lines.ts";
import type { Block, Unclosed } from "./block.ts";
import { scanBlocks } from "./scan.ts";

/**
 * A markdown file as the store sees it. Blocks follow each other without gaps and cover every line, so that rendering
 * gives back every byte of what was not edited.
 */
export interface MarkdownDocument {
  readonly bom: "" | "\uFEFF";
  readonly lines: readonly Line[];
  readonly blocks: readonly Block[];
  /** A fence or comment that is still open at the end of the file and would swallow what is appended. */
  readonly unclosed: Unclosed | null;
}

/** Parses any text; never throws. Linear in its length. */
export function parseMarkdown(text: string): MarkdownDocument {
  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  return documentOf(bom, splitLines(text.slice(bom.length)));
}

/** The text of a document, byte for byte what was parsed apart from the edits. */
export function renderMarkdown(document: MarkdownDocument): string {
  return document.bom + joinLines(document.lines);
}

/** Replaces the text of one line; its ending stays. */
export function setLine(document: MarkdownDocument, at: number, text: string): MarkdownDocument {
  return documentOf(document.bom, document.lines.with(at, { text, end: document.lines[at]?.end ?? "" }));
}

/**
 * Replaces `count` lines at `start` by `texts`, which get the ending that the file's other lines have.
 * Nothing else changes, except that a last line without an ending gets one when lines follow it.
 */
export function editLines(
  document: MarkdownDocument,
  start: number,
  count: number,
  texts: readonly string[],
): MarkdownDocument {
  const end = usualLineEnd(document.lines);
  const before = document.lines.slice(0, start);
  const last = before.at(-1);
  if (texts.length > 0 && last?.end === "") before.splice(-1, 1, { text: last.text, end });
  const added = texts.map((text) => ({ text, end }));
  return documentOf(document.bom, [...before, ...added, ...document.lines.slice(start + count)]);
}

/** Blocks are found when someone asks: most edits are written without being looked at again. */
function documentOf(bom: "" | "\uFEFF", lines: readonly Line[]): MarkdownDocument {
  let scan: ReturnType<typeof scanBlocks> | undefined;
  return {
    bom,
    lines,
    get blocks() {
      return (scan ??= scanBlocks(lines)).blocks;
    },
    get unclosed() {
      return (scan ??= scanBlocks(lines)).unclosed;
    },
  };
}
