import type { Block, Table, TableRow, Unclosed } from "./block.ts";
import { indentOf, isBlank, type Line } from "./lines.ts";
import { readFence, readFrontMatter, readHtml, type LineContext, type OpaqueSpan } from "./opaque.ts";
import { hasCellPipe, isDelimiterRow, parseTableRow } from "./table-row.ts";

/** What one reader found: the block, and the context in which the next line stands. */
interface Reading {
  readonly block: Block;
  readonly context: LineContext;
  readonly unclosed?: OpaqueSpan["unclosed"];
}
type Reader = (lines: readonly Line[], at: number, context: LineContext) => Reading | null;

const LIST_ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+|$)/;
const TASK = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\](?:[ \t]+(.*))?$/s;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/s;
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$/;
const SETEXT = /^ {0,3}(?:=+|-+)[ \t]*$/;
const QUOTE = /^ {0,3}>/;
/** A cheap look at the first character, which spares most lines of prose and tables the closer ones. */
const BLOCK_START = /^[ \t]*[-#>*+_\d`~<]/;

const lineAt = (lines: readonly Line[], at: number): string => lines[at]?.text ?? "";

/** Cuts lines into blocks that cover them without gaps. Every reader looks at a line once: linear in the text. */
export function scanBlocks(lines: readonly Line[]): { blocks: readonly Block[]; unclosed: Unclosed | null } {
  const blocks: Block[] = [];
  let unclosed: Unclosed | null = null;
  let context: LineContext = { list: 0, paragraph: false };
  for (let at = 0; at < lines.length;) {
    const reading = readBlock(lines, at, context);
    if (reading.unclosed !== undefined) unclosed = { line: at, ...reading.unclosed };
    const { block } = reading;
    const previous = blocks.at(-1);
    if (previous?.kind === "text" && block.kind === "text") {
      blocks.splice(-1, 1, { ...previous, end: block.end });
    } else blocks.push(block);
    context = reading.context;
    at = block.end;
  }
  return { blocks, unclosed };
}

function readBlock(lines: readonly Line[], at: number, context: LineContext): Reading {
  const inner = leaveList(lineAt(lines, at), context);
  for (const read of READERS) {
    const reading = read(lines, at, inner);
    if (reading !== null) return reading;
  }
  return text(at, at + 1, { list: inner.list, paragraph: true });
}

function text(start: number, end: number, context: LineContext): Reading {
  return { block: { kind: "text", start, end }, context };
}

/** After a blank line an unindented line has left the list; before one it may be a lazy continuation. */
function leaveList(line: string, context: LineContext): LineContext {
  const indent = indentOf(line);
  if (context.paragraph || isBlank(line) || indent >= context.list) return context;
  return { list: indent >= 2 ? indent : 0, paragraph: false };
}

const readBlank: Reader = (lines, at, context) =>
  isBlank(lineAt(lines, at)) ? text(at, at + 1, { list: context.list, paragraph: false }) : null;

const readOpaque: Reader = (lines, at, context) => {
  const span =
    (at === 0 ? readFrontMatter(lines) : null) ??
    readFence(lines, at, context) ??
    readHtml(lines, at, context);
  if (span !== null) {
    const block = { kind: "opaque", start: at, end: span.end } as const;
    return { block, context: { list: context.list, paragraph: false }, unclosed: span.unclosed };
  }
  if (context.paragraph || indentOf(lineAt(lines, at)) < context.list + 4) return null;
  return { block: { kind: "opaque", start: at, end: at + 1 }, context };
};

const readHeading: Reader = (lines, at, context) => {
  const line = lineAt(lines, at);
  const found = HEADING.exec(line);
  if (found?.[1] === undefined || (context.list > 0 && indentOf(line) >= context.list)) return null;
  const title = (found[2] ?? "").trim().replace(/(?:^|[ \t])#+$/, "");
  const block = {
    kind: "heading",
    start: at,
    end: at + 1,
    level: found[1].length,
    text: title.trim(),
  } as const;
  return { block, context: { list: 0, paragraph: false } };
};

const readRule: Reader = (lines, at) =>
  RULE.test(lineAt(lines, at)) ? text(at, at + 1, { list: 0, paragraph: false }) : null;

const readTask: Reader = (lines, at) => {
  const line = lineAt(lines, at);
  const found = TASK.exec(line);
  if (found === null) return null;
  const indent = indentOf(found[1] ?? "");
  const block = {
    kind: "task",
    start: at,
    end: at + 1,
    indent,
    done: found[2] !== " ",
    text: (found[3] ?? "").trim(),
  } as const;
  return { block, context: { list: indent + 2, paragraph: true } };
};

const readListItem: Reader = (lines, at) => {
  const found = LIST_ITEM.exec(lineAt(lines, at));
  if (found === null) return null;
  const [, lead = "", marker = "", gap = ""] = found;
  const list = indentOf(lead) + marker.length + (gap.length > 4 ? 1 : Math.max(gap.length, 1));
  return text(at, at + 1, { list, paragraph: true });
};

const readQuote: Reader = (lines, at, context) =>
  QUOTE.test(lineAt(lines, at)) ? text(at, at + 1, { list: context.list, paragraph: true }) : null;

const readTable: Reader = (lines, at, context) => {
  if (context.list > 0 || !startsTable(lines, at)) return null;
  const rows: TableRow[] = [];
  let end = at + 2;
  while (end < lines.length && continuesTable(lines, end, context)) {
    rows.push({ line: end, cells: parseTableRow(lineAt(lines, end)) });
    end += 1;
  }
  const block: Table = { kind: "table", start: at, end, header: parseTableRow(lineAt(lines, at)), rows };
  return { block, context: { list: 0, paragraph: false } };
};

function startsTable(lines: readonly Line[], at: number): boolean {
  const delimiter = lineAt(lines, at + 1);
  if (!isDelimiterRow(delimiter) || indentOf(lineAt(lines, at)) >= 4) return false;
  return parseTableRow(delimiter).length === parseTableRow(lineAt(lines, at)).length;
}

function continuesTable(lines: readonly Line[], at: number, context: LineContext): boolean {
  return hasCellPipe(lineAt(lines, at)) && !interrupts(lines, at, context);
}

/** Whether the line begins a block that ends a paragraph or table without a blank line between. */
function interrupts(lines: readonly Line[], at: number, context: LineContext): boolean {
  const line = lineAt(lines, at);
  if (!BLOCK_START.test(line)) return false;
  if (HEADING.test(line) || QUOTE.test(line) || RULE.test(line)) return true;
  if (/^ {0,3}(?:[-*+]|1[.)])[ \t]+\S/.test(line)) return true;
  const inParagraph = { ...context, paragraph: true };
  return readFence(lines, at, inParagraph) !== null || readHtml(lines, at, inParagraph) !== null;
}

/** A paragraph outside of lists and quotes, whole; with an underline it is a setext heading. */
const readParagraph: Reader = (lines, at, context) => {
  if (context.list > 0 || context.paragraph) return null;
  let end = at + 1;
  while (end < lines.length && !isBlank(lineAt(lines, end))) {
    const line = lineAt(lines, end);
    if (SETEXT.test(line)) {
      const title = lines.slice(at, end).map((part) => part.text.trim());
      const level = line.includes("=") ? 1 : 2;
      const block = { kind: "heading", start: at, end: end + 1, level, text: title.join(" ") } as const;
      return { block, context: { list: 0, paragraph: false } };
    }
    if (interrupts(lines, end, context) || startsTable(lines, end)) break;
    end += 1;
  }
  return text(at, end, { list: 0, paragraph: false });
};

/** In order of precedence; what none of them takes is a line of text inside a list or quote. */
const READERS: readonly Reader[] = [
  readBlank,
  readOpaque,
  readHeading,
  readRule,
  readTask,
  readListItem,
  readQuote,
  readTable,
  readParagraph,
];
