/** Zero-based line numbers; `end` is the line after the last one. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** The lines below a heading, subsections included. The heading is the line before `start`. */
export interface Section extends TextSpan {
  readonly level: number;
  readonly title: string;
}

/** A table; `line` of a row is zero-based. */
export interface Table extends TextSpan {
  readonly header: readonly string[];
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
}

type Lines = readonly { readonly text: string; readonly end: string }[];
type Kind = "text" | "heading" | "table" | "code" | "comment";

/**
 * A markdown file, line by line. Structure begins in the first column: `# ` headings, `- ` bullets, `| ` tables. Code (fences, front
 * matter) and comments are opaque at any indentation: nothing in them is structure. Rendering gives back every byte that was not edited.
 */
export interface Markdown {
  readonly bom: string;
  /** Each with its ending kept apart; only the last one may have none. */
  readonly lines: Lines;
  readonly kinds: readonly Kind[];
  readonly sections: readonly Section[];
  readonly tables: readonly Table[];
  /** A fence or comment that is still open at the end and would swallow what is appended. */
  readonly unclosed: { readonly line: number; readonly closer: string } | null;
}

/** White space and list markers at the beginning of a line. */
const LEAD = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)*/;
const FENCE = /^(?:`{3,}(?=[^`]*$)|~{3,})/;
const HEADING = /^(#{1,6})(?:\s+(.*))?$/s;
const COMMENT_END = "-->";

/** Parses any text; never throws. Linear in its length. */
export function parseMarkdown(text: string): Markdown {
  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const lines = text.slice(bom.length).match(/[^\r\n]*(?:\r\n?|\n)|[^\r\n]+/g) ?? [];
  const cut = lines.map((line) => {
    const end = ["\r\n", "\n", "\r"].find((each) => line.endsWith(each)) ?? "";
    return { text: line.slice(0, line.length - end.length), end };
  });
  return scan(bom, cut);
}

/** The inverse of {@link parseMarkdown}. */
export function renderMarkdown({ bom, lines }: Pick<Markdown, "bom" | "lines">): string {
  return bom + lines.map(({ text, end }) => text + end).join("");
}

/** What stands in a span, without blank ends. */
export function textIn({ lines }: Markdown, { start, end }: TextSpan): string {
  const texts = lines.slice(start, end).map(({ text }) => text);
  return texts.join("\n").trim();
}

/**
 * Replaces `count` lines at `start`. As many lines keep the endings of those that they replace, others get the usual one. Nothing
 * else changes, except that a last line without an ending gets one when lines follow it.
 */
export function editLines({ bom, lines }: Markdown, start: number, count: number, texts: readonly string[]) {
  const countOf = (end: string): number => lines.filter((line) => line.end === end).length;
  const [usual = "\n"] = ["\n", "\r\n", "\r"].toSorted((one, other) => countOf(other) - countOf(one));
  const endAt = (at: number): string => (texts.length === count ? (lines[start + at]?.end ?? usual) : usual);
  const before = lines.slice(0, start);
  const last = before.at(-1);
  if (texts.length > 0 && last?.end === "") before.splice(-1, 1, { text: last.text, end: usual });
  const added = texts.map((text, at) => ({ text, end: endAt(at) }));
  return scan(bom, [...before, ...added, ...lines.slice(start + count)]);
}

/** Adds lines behind the last line with content of a span, by default of the file. @param spaced whether blank lines set the addition off */
export function appendLines(document: Markdown, texts: readonly string[], spaced: boolean, span?: TextSpan) {
  const { start, end } = span ?? { start: 0, end: document.lines.length };
  const isBlank = (line: number): boolean => (document.lines[line]?.text ?? "").trim() === "";
  let at = end;
  while (at > start && isBlank(at - 1)) at -= 1;
  const before = spaced && at > 0 ? [""] : [];
  return editLines(document, at, 0, [...before, ...texts, ...(spaced && !isBlank(at) ? [""] : [])]);
}

/** The cells of a table's row, trimmed: `\|` is a pipe, `<br>` a line break. */
export function parseRow(text: string): string[] {
  const cells = text.trim().split(/(?<!\\)\|/);
  // Pipes at the ends enclose cells, they separate none.
  if (cells.length > 1 && cells[0] === "") cells.shift();
  if (cells.length > 1 && cells.at(-1)?.trim() === "") cells.pop();
  return cells.map((cell) => {
    const lines = cell
      .replaceAll("\\|", "|")
      .replaceAll("&#124;", "|")
      .split(/<br ?\/?>/);
    return trimmed(lines, "\n").trim();
  });
}

/** A row that {@link parseRow} reads back, whatever the cells hold. */
export function renderRow(cells: readonly string[]): string {
  const shown = cells.map((cell) => {
    const lines = cell
      .replaceAll("\0", "\uFFFD")
      .trim()
      .split(/\r\n|\n|\r/);
    // After a backslash renderers disagree about `\|`, so the pipe becomes an entity there.
    return trimmed(lines, "<br>").replaceAll("\\|", "\\&#124;").replaceAll("|", "\\|");
  });
  return `| ${shown.join(" | ")} |`;
}

/** Whether a line stands between a table's header and its rows. */
export function isDelimiter(text: string): boolean {
  return text.includes("|") && text.includes("-") && parseRow(text).every((cell) => /^:?-+:?$/.test(cell));
}

/**
 * Markdown from outside as lines that cannot harm the document around them, in our reading and in a viewer's: blank ends cut off, open
 * fences and comments closed, HTML and conflict marks escaped.
 */
export function foreignLines(markdown: string): string[] {
  // A line break in front, because only the first line of a file can open front matter.
  const { lines, kinds, unclosed } = parseMarkdown(`\n${markdown.replaceAll("\0", "\uFFFD").trimEnd()}`);
  const safe = lines.map(({ text }, at) => {
    const lead = LEAD.exec(text)?.[0] ?? "";
    const isMarkup = kinds[at] === "text" && text.startsWith("<", lead.length);
    return isMarkup ? `${lead}\\${text.slice(lead.length)}` : text;
  });
  while (safe[0]?.trim() === "") safe.shift();
  return unclosed === null ? safe : [...safe, unclosed.closer];
}

/** The same for a text that must stay on one line, such as a title: white space collapsed, ends cut off. */
export function foreignLine(text: string): string {
  return text.replaceAll("\0", "\uFFFD").replaceAll(/\s+/g, " ").trim();
}

function scan(bom: string, lines: Lines): Markdown {
  const kinds: Kind[] = [];
  const sections: { level: number; title: string; start: number; end: number }[] = [];
  const tables: Table[] = [];
  const open: (typeof sections)[number][] = [];
  let unclosed: Markdown["unclosed"] = null;
  /** The column from which on a line belongs to the list item around it. */
  let list = 0;
  for (let at = 0; at < lines.length; at = kinds.length) {
    const text = lines[at]?.text ?? "";
    const lead = LEAD.exec(text)?.[0] ?? "";
    const width = widthOf(lead);
    if (lead.trim() !== "") list = width;
    else if (text.trim() !== "" && width < list) list = width < 2 ? 0 : width;
    const mayOpen = width < list + 4 && "`~<-".includes(text.charAt(lead.length) || "x");
    const opaque = mayOpen ? readOpaque(lines, at, text.slice(lead.length), list) : null;
    const table = opaque === null && text.startsWith("|") ? readTable(lines, at) : null;
    const [, marks = "", title = ""] = (text.startsWith("#") && HEADING.exec(text)) || [];
    const kind = opaque?.kind ?? (table !== null ? "table" : marks !== "" ? "heading" : "text");
    const end = opaque?.end ?? table?.end ?? at + 1;
    while (kinds.length < end) kinds.push(kind);
    if (table !== null) tables.push(table);
    if (opaque?.closer !== undefined) unclosed = { line: at, closer: opaque.closer };
    if (kind !== "heading") continue;
    while ((open.at(-1)?.level ?? 0) >= marks.length) Object.assign(open.pop() ?? {}, { end: at });
    open.push({ level: marks.length, title: title.trim(), start: end, end: lines.length });
    sections.push(...open.slice(-1));
  }
  return { bom, lines, kinds, sections, tables, unclosed };
}

/** Front matter, a fence or a comment that begins at a line, with what an open one lacks. One in a list item ends with that. */
function readOpaque(lines: Lines, at: number, body: string, list: number) {
  const found = (kind: Kind, end: number, closer?: string) => ({ kind, end, closer });
  const isFrontMatter = at === 0 && body.trimEnd() === "---";
  const fence = isFrontMatter ? "---" : FENCE.exec(body)?.[0];
  if (fence === undefined && !body.startsWith("<!--")) return null;
  const kind = fence === undefined ? "comment" : "code";
  if (kind === "comment" && body.includes(COMMENT_END)) return found(kind, at + 1);
  for (let end = at + 1; end < lines.length; end += 1) {
    const text = lines[end]?.text ?? "";
    const bare = text.trim();
    if (list > 0 && bare !== "" && widthOf(/^\s*/.exec(text)?.[0] ?? "") < list) return found(kind, end);
    const isFence = bare.startsWith(fence ?? COMMENT_END) && new Set(bare).size === 1;
    if (fence === undefined ? text.includes(COMMENT_END) : isFence) return found(kind, end + 1);
  }
  return isFrontMatter ? null : found(kind, lines.length, list > 0 ? undefined : (fence ?? COMMENT_END));
}

function readTable(lines: Lines, start: number): Table | null {
  const delimiter = lines[start + 1]?.text ?? "";
  const header = isDelimiter(delimiter) ? parseRow(lines[start]?.text ?? "") : [];
  if (header.length === 0 || header.length !== parseRow(delimiter).length) return null;
  const rows: Table["rows"][number][] = [];
  let end = start + 2;
  for (; lines[end]?.text.startsWith("|") === true; end += 1)
    rows.push({ line: end, cells: parseRow(lines[end]?.text ?? "") });
  return { start, end, header, rows };
}

function trimmed(lines: readonly string[], between: string): string {
  return lines.map((line) => line.trim()).join(between);
}

/** A tab counts as four. */
function widthOf(space: string): number {
  return space.includes("\t") ? space.replaceAll("\t", "    ").length : space.length;
}

/** A heading as it is compared: its letters, whatever else it is written with. */
export function lettersOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z]/gu, "");
}

/** Markdown without its comments. Looks at each character once, however many of them begin and do not end. Pure. */
export function withoutComments(markdown: string): string {
  let kept = "";
  for (let at = 0; ;) {
    const begin = markdown.indexOf("<!--", at);
    const end = begin === -1 ? -1 : markdown.indexOf("-->", begin + 4);
    if (end === -1) return kept + markdown.slice(at);
    kept += markdown.slice(at, begin);
    at = end + 3;
  }
}

/**
 * Markdown as a person reads it where nothing renders it: headings, emphasis, links, tables and comments lose their marks,
 * fenced code is indented. What is indented already stays as it is. Pure.
 */
export function plainText(markdown: string): string {
  const { lines, kinds } = parseMarkdown(withoutComments(markdown));
  const plain = lines.flatMap(({ text, end }, at) => {
    const isCode = kinds[at] === "code";
    if (isCode ? FENCE.test(text.replace(LEAD, "")) : isDelimiter(text)) return [];
    return (isCode ? `    ${text}` : plainLine(text)) + end;
  });
  return plain.join("").replaceAll(/\n{3,}/g, "\n\n");
}

/** All of this is bounded, for one line may be as long as a file. */
function plainLine(line: string): string {
  if (line.startsWith("    ")) return line;
  const text = line
    .replace(/^#{1,6} +(.*?):?\s*$/, "$1:")
    .replaceAll(/\*\*(\S(?:.{0,400}?\S)?)\*\*/g, "$1")
    .replaceAll(/\[([^[\]]{1,400})\]\((https?:[^)\s]{1,2000})\)/g, "$1 ($2)");
  return /^\|.*\|$/.test(text) ? parseRow(text).filter(Boolean).join(" · ") : text;
}
