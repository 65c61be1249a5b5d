import type { CommentSyntax, StringSyntax } from "./syntax.ts";
import { skipHidden } from "./hidden-text.ts";

/** One comment of a source text. */
export interface FoundComment {
  /** Counted from 1, in the text that was scanned. */
  line: number;
  /** Without its marks, on one line. */
  text: string;
  /** With its marks, as written. */
  raw: string;
  kind: "line" | "block";
  /** Code that stands before it on the same line; empty when it has the line for itself. */
  codeBefore: string;
}

interface Span {
  start: number;
  end: number;
  kind: "line" | "block";
}

/** The comments of a text, and its lines with the comments blanked out. */
export interface ScannedText {
  comments: FoundComment[];
  codeLines: string[];
}

/**
 * Finds the comments with a small state machine: code, string, comment. Fragments are fine: a string that does not
 * end on its line ends there, unless its kind may run on.
 */
export function scanComments(text: string, syntax: CommentSyntax): ScannedText {
  const spans: Span[] = [];
  let at = 0;
  while (at < text.length) {
    const block = syntax.block.find(([open]) => text.startsWith(open, at));
    if (block) {
      const end = endAfter(text, block[1], at + block[0].length);
      spans.push({ start: at, end, kind: "block" });
      at = end;
    } else if (startsLineComment(text, at, syntax)) {
      const end = lineEnd(text, at);
      spans.push({ start: at, end, kind: "line" });
      at = end;
    } else {
      at = skipHidden(text, at, syntax) ?? skipString(text, at, syntax) ?? at + 1;
    }
  }
  return { comments: describe(text, spans), codeLines: blank(text, spans).split("\n") };
}

function startsLineComment(text: string, at: number, syntax: CommentSyntax): boolean {
  if (!syntax.line.some((mark) => text.startsWith(mark, at))) return false;
  return !syntax.spaced || at === 0 || /\s/.test(text[at - 1] ?? "");
}

function skipString(text: string, at: number, syntax: CommentSyntax): number | null {
  const string = syntax.strings.find(({ open }) => text.startsWith(open, at));
  return string ? endOfString(text, at + string.open.length, string) : null;
}

function endOfString(text: string, from: number, string: StringSyntax): number {
  let at = from;
  while (at < text.length) {
    if (string.escape === "backslash" && text[at] === "\\") {
      at += 2;
      continue;
    }
    if (text.startsWith(string.close, at)) {
      const after = at + string.close.length;
      if (string.escape !== "doubled" || !text.startsWith(string.close, after)) return after;
      at = after;
    }
    if (!string.multiline && text[at] === "\n") return at;
    at += 1;
  }
  return text.length;
}

function describe(text: string, spans: readonly Span[]): FoundComment[] {
  let line = 1;
  let counted = 0;
  return spans.map(({ start, end, kind }) => {
    line += text.slice(counted, start).split("\n").length - 1;
    counted = start;
    const raw = text.slice(start, end).trim();
    const codeBefore = text.slice(text.lastIndexOf("\n", start - 1) + 1, start).trim();
    return { line, text: stripMarks(raw), raw, kind, codeBefore };
  });
}

function stripMarks(raw: string): string {
  return raw
    .replace(/^(?:\/\/+|#+|--\[\[|--+|\/\*+|<!--)/, "")
    .replace(/(?:\*+\/|-->|\]\])$/, "")
    .replaceAll(/\s*\n\s*\*?\s*/g, " ")
    .trim();
}

function blank(text: string, spans: readonly Span[]): string {
  let code = "";
  let from = 0;
  for (const { start, end } of spans) {
    code += text.slice(from, start) + text.slice(start, end).replaceAll(/[^\n]/g, " ");
    from = end;
  }
  return code + text.slice(from);
}

function endAfter(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + mark.length;
}

function lineEnd(text: string, from: number): number {
  const found = text.indexOf("\n", from);
  return found < 0 ? text.length : found;
}
