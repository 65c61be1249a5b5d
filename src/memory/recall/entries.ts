import { isOverApprovals } from "../../workspace/documents/approvals.ts";
import { isBareApproval } from "../../workspace/documents/decision.ts";
import { parseDecisions } from "../../workspace/documents/decisions.ts";
import { parseLearnings } from "../../workspace/documents/learnings.ts";
import { parseMarkdown, type MarkdownDocument } from "../../workspace/markdown/document.ts";
import { GAIA_FOLDER } from "../../workspace/gaia-path.ts";
import type { RecordDocument } from "../../workspace/store/record-documents.ts";
import { excerpt } from "../../lib/excerpt.ts";
import type { RecallEntry } from "./entry.ts";

/** What one entry may hold, in characters; the rest of an endless paragraph is not searched. */
export const MAX_TEXT = 1_000;

type Source = Pick<RecordDocument, "path" | "holds" | "unit">;

/** Takes a document of the record apart. Never fails: what cannot be read as rows is read as prose. */
export function entriesOf(source: Source, text: string): RecallEntry[] {
  const path = `${GAIA_FOLDER}/${source.path}`;
  const make = (found: Found): RecallEntry => ({
    kind: source.holds,
    unit: source.unit,
    heading: "",
    path,
    ...found,
    text: excerpt(found.text, MAX_TEXT),
  });
  if (source.holds === "learning") {
    return parseLearnings(text).map(({ kind, text: learned, unit, date, confidence, line }) =>
      make({ text: learned, learning: kind, unit: unit ?? null, date, confidence, line }),
    );
  }
  const rows = source.holds === "decision" ? parseDecisions(text) : null;
  if (rows?.ok !== true)
    return paragraphsOf(text)
      .filter(({ heading = "" }) => source.holds !== "log" || !isOverApprovals(heading))
      .map(make);
  const lasting = rows.decisions.filter((row) => !isBareApproval(row));
  return lasting.map(({ date, question, choice, rationale, impact, line }) => {
    const answer = [`${question} → ${choice}`, rationale, impact].filter((part) => part !== "").join(" · ");
    return make({ text: answer, date: date.slice(0, 10), line });
  });
}

/** An entry without what all entries of its document share. */
type Found = Pick<RecallEntry, "text" | "date" | "line"> & Partial<RecallEntry>;

/** The paragraphs, list items, tasks and table rows of free markdown, each with the heading above it. */
function paragraphsOf(text: string): Found[] {
  const document = parseMarkdown(text);
  const found: Found[] = [];
  let heading = "";
  let date = "";
  for (const block of document.blocks) {
    if (block.kind === "heading") {
      heading = block.level === 1 ? "" : block.text;
      date = /\d{4}-\d{2}-\d{2}/.exec(block.text)?.[0] ?? (block.level <= 2 ? "" : date);
    }
    if (block.kind === "task") {
      const mark = block.done ? "[x]" : "[ ]";
      found.push({ text: `${mark} ${block.text}`, heading, date, line: block.start + 1 });
    }
    if (block.kind !== "text" && block.kind !== "table") continue;
    for (const { at, lines } of piecesOf(document, block)) {
      const piece = lines.join(" ");
      if (/\p{L}|\p{N}/u.test(piece)) found.push({ text: piece, heading, date, line: at + 1 });
    }
  }
  return found;
}

/** Cuts a block at blank lines, and before each list item, quote or table row. */
function piecesOf(
  document: MarkdownDocument,
  { start, end }: { start: number; end: number },
): { at: number; lines: string[] }[] {
  const pieces: { at: number; lines: string[] }[] = [];
  let open = false;
  for (let at = start; at < end; at += 1) {
    const line = document.lines[at]?.text ?? "";
    const begins = /^\s*(?:[-*+>|]|\d{1,4}[.)])(?:\s|$|\S*\|)/.test(line);
    const current = pieces.at(-1);
    if (line.trim() === "") open = false;
    else if (open && !begins && current !== undefined) current.lines.push(line.trim());
    else {
      pieces.push({ at, lines: [line.trim()] });
      open = true;
    }
  }
  return pieces;
}
