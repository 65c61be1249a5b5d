import type { Heading } from "../markdown/block.ts";
import { editLines, setLine, type MarkdownDocument } from "../markdown/document.ts";
import { isBlank } from "../markdown/lines.ts";
import { readFrontMatter } from "../markdown/opaque.ts";

/** The states of a plan, in their order. */
export const PLAN_STATUSES = ["draft", "approved", "in-progress", "complete"] as const;
/** How far a plan has come. */
export type PlanStatus = (typeof PLAN_STATUSES)[number];

interface FieldLine {
  /** Zero-based. */
  readonly line: number;
  readonly name: string;
  readonly value: string;
}

/** The top of a plan: its title and the `> Status: …` lines before the next heading. */
export interface PlanHeader {
  readonly title: Heading | null;
  readonly fields: readonly FieldLine[];
  /** The line, zero-based, on which the plan's body begins. */
  readonly end: number;
}

const QUOTE = /^ {0,3}>/;
const FIELD = /^( {0,3}>[ \t]*(Created|Status)[ \t]*:[ \t]*)(.*)$/is;

/** Finds the top of a plan; quote lines between its fields belong to it. */
export function readPlanHeader(document: MarkdownDocument): PlanHeader {
  const headings = document.blocks.filter((block) => block.kind === "heading");
  const first = headings[0];
  const title = first?.level === 1 ? first : null;
  const limit = (title === null ? first : headings[1])?.start ?? document.lines.length;
  const start = title?.end ?? readFrontMatter(document.lines)?.end ?? 0;
  const fields: FieldLine[] = [];
  let quoteEnd = start;
  for (let line = start; line < limit; line += 1) {
    const text = document.lines[line]?.text ?? "";
    if (!QUOTE.test(text) && !isBlank(text)) break;
    const [, , name, value = ""] = FIELD.exec(text) ?? [];
    if (name !== undefined) fields.push({ line, name: name.toLowerCase(), value: value.trim() });
    if (QUOTE.test(text)) quoteEnd = line + 1;
  }
  return { title, fields, end: fields.length > 0 ? quoteEnd : start };
}

/** The plan's status; null without a status line, and for one that we do not know. */
export function statusOf(header: PlanHeader): PlanStatus | null {
  const found = header.fields.find(({ name }) => name === "status");
  return PLAN_STATUSES.find((status) => status === found?.value.toLowerCase()) ?? null;
}

/** Writes the status line, in the place of the one that is there or after the last field; two blanks at its end stay. */
export function setStatus(document: MarkdownDocument, status: PlanStatus): MarkdownDocument {
  const header = readPlanHeader(document);
  const found = header.fields.find(({ name }) => name === "status");
  if (found === undefined) return insertField(document, header, `> Status: ${status}`);
  const text = document.lines[found.line]?.text ?? "";
  const start = FIELD.exec(text)?.[1] ?? "";
  const blanks = text.slice(text.trimEnd().length);
  return setLine(document, found.line, `${start.trimEnd()} ${status}${blanks}`);
}

function insertField(document: MarkdownDocument, header: PlanHeader, line: string): MarkdownDocument {
  const last = header.fields.at(-1);
  if (last !== undefined) return editLines(document, last.line + 1, 0, [line]);
  const before = header.end === 0 ? [] : [""];
  // Without a blank line behind it, what follows would become part of the quote.
  const after = isBlank(document.lines[header.end]?.text ?? "") ? [] : [""];
  return editLines(document, header.end, 0, [...before, line, ...after]);
}
