import { indentOf, isBlank, type Line } from "./lines.ts";

/** A stretch of lines whose content is not markdown to us: a fence, a comment, HTML, front matter. */
export interface OpaqueSpan {
  /** The line after the last one. */
  readonly end: number;
  /** What the construct is called in an error, and the line that would close it; absent when it is closed. */
  readonly unclosed?: { readonly what: string; readonly closer: string };
}

/** Where a line stands: the column of the list item's content around it (0: none), and whether a paragraph is open. */
export interface LineContext {
  readonly list: number;
  readonly paragraph: boolean;
}

/** Constructs that run from an opening to a closing mark, whatever stands between. CommonMark 4.6, kinds 1 to 5. */
const ENCLOSED: readonly (readonly [open: RegExp, close: RegExp, what: string, closer: string])[] = [
  [/^<!--/, /-->/, "HTML comment", "-->"],
  [
    /^<(?:script|pre|style|textarea)(?:[\s>]|$)/i,
    /<\/(?:script|pre|style|textarea)>/i,
    "HTML block",
    "</pre>",
  ],
  [/^<\?/, /\?>/, "processing instruction", "?>"],
  [/^<!\[CDATA\[/, /\]\]>/, "CDATA section", "]]>"],
  [/^<![A-Z]/i, />/, "declaration", ">"],
];

/** CommonMark 4.6, kind 6: these run to the next blank line. */
const BLOCK_TAG =
  /^<\/?(?:address|article|aside|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:\s|\/?>|$)/i;
/** Kind 7: one complete tag alone on its line; it cannot interrupt a paragraph. */
const LONE_TAG = /^<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?>$/i;

const LIST_MARKERS = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*/;

/** YAML front matter, which only the first line of a file can open. */
export function readFrontMatter(lines: readonly Line[]): OpaqueSpan | null {
  if (lines[0]?.text.trimEnd() !== "---") return null;
  const close = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(line.text));
  return close === -1 ? null : { end: close + 1 };
}

/** A fenced code block that begins at line `at`, or null. A fence inside a list item ends with the item. */
export function readFence(lines: readonly Line[], at: number, context: LineContext): OpaqueSpan | null {
  const text = lines[at]?.text ?? "";
  if (!/`{3}|~{3}/.test(text)) return null;
  const prefix = LIST_MARKERS.exec(text)?.[0] ?? "";
  const mark = /^(`{3,}|~{3,})([^\n]*)$/.exec(text.slice(prefix.length));
  const fence = mark?.[1];
  if (fence === undefined || (fence.startsWith("`") && mark?.[2]?.includes("`"))) return null;
  if (indentOf(text) >= context.list + 4) return null;
  const container = containerOf(text, prefix, context);
  const closes = (line: string): boolean => {
    const bare = line.trim();
    if (bare.length < fence.length || indentOf(line) >= container + 4) return false;
    return bare.replaceAll(fence.charAt(0), "") === "";
  };
  return readUntil(lines, at + 1, container, closes, { what: "code fence", closer: fence });
}

/** An HTML block that begins at line `at`, or null. */
export function readHtml(lines: readonly Line[], at: number, context: LineContext): OpaqueSpan | null {
  const text = lines[at]?.text ?? "";
  const html = text.trim();
  if (!html.startsWith("<") || indentOf(text) >= context.list + 4) return null;
  for (const [open, close, what, closer] of ENCLOSED) {
    if (!open.test(html)) continue;
    const container = containerOf(text, "", context);
    if (close.test(html)) return { end: at + 1 };
    return readUntil(lines, at + 1, container, (line) => close.test(line), { what, closer });
  }
  if (!BLOCK_TAG.test(html) && (context.paragraph || !LONE_TAG.test(html))) return null;
  let end = at + 1;
  while (end < lines.length && !isBlank(lines[end]?.text ?? "")) end += 1;
  return { end };
}

/** The column that a line must reach to stay in the same list item: 0 outside of lists. */
function containerOf(text: string, prefix: string, context: LineContext): number {
  if (prefix.trim() !== "") return prefix.length;
  return indentOf(text) >= context.list ? context.list : 0;
}

function readUntil(
  lines: readonly Line[],
  from: number,
  container: number,
  closes: (text: string) => boolean,
  unclosed: { what: string; closer: string },
): OpaqueSpan {
  for (let at = from; at < lines.length; at += 1) {
    const text = lines[at]?.text ?? "";
    if (!isBlank(text) && indentOf(text) < container) return { end: at };
    if (closes(text)) return { end: at + 1 };
  }
  return container > 0 ? { end: lines.length } : { end: lines.length, unclosed };
}
