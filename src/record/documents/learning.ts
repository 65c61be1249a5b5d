import { createHash } from "node:crypto";
import { appendLines, editLines, foreignLine, parseMarkdown, type Markdown } from "../../lib/markdown.ts";
import { changeMarkdown, type Updated, type Unread } from "./document.ts";

/** What kinds of learning there are (SPEC 10). */
export const LEARNING_KINDS = [
  "correction",
  "decision",
  "preference",
  "pattern",
  "anti_pattern",
  "constraint",
  "insight",
] as const;

/** One of them. */
export type LearningKind = (typeof LEARNING_KINDS)[number];

/** One line of `learnings.md`: `- **kind** text — unit, day, confidence 0.8`, of which the text alone must be there. */
export interface Learning {
  /** An insight where none is named. */
  readonly kind: LearningKind;
  readonly text: string;
  /** ISO day; empty when a person wrote the line without one. */
  readonly date: string;
  /** The work unit in which it was learned. */
  readonly unit?: string;
  /** From 0 to 1. */
  readonly confidence?: number;
}

/** Unit, day and confidence behind the last ` — ` of a line. */
const PROVENANCE = /^(?:([a-z0-9][a-z0-9-]*), )?(\d{4}-\d\d-\d\d)(?:, confidence ([01](?:\.\d+)?))?$/;
const BULLET = "- ";
const MAX_MARK = 40;
/** How a line begins that names a kind; models write `kind: text`. */
const MARKS = LEARNING_KINDS.flatMap((kind) => [`**${kind}** `, `${kind}: `].map((mark) => ({ kind, mark })));

/** Reads a learning, with or without its bullet. */
export function parseLearning(bullet: string): Learning {
  const line = foreignLine(bullet.startsWith(BULLET) ? bullet.slice(BULLET.length) : bullet);
  const start = `${line} `.slice(0, MAX_MARK).toLowerCase();
  const { kind, mark } = MARKS.find((each) => start.startsWith(each.mark)) ?? { kind: "insight", mark: "" };
  const rest = line.slice(mark.length);
  const cut = rest.lastIndexOf(" — ");
  const [, unit, date, confidence] = PROVENANCE.exec(cut === -1 ? "" : rest.slice(cut + 3)) ?? [];
  if (date === undefined) return { kind, text: rest, date: "" };
  return {
    kind,
    text: rest.slice(0, cut).trim(),
    date,
    ...(unit === undefined ? {} : { unit }),
    ...(confidence === undefined ? {} : { confidence: Number(confidence) }),
  };
}

/** The line that {@link parseLearning} reads back. */
export function renderLearning({ kind, text, date, unit, confidence }: Learning): string {
  const sureness = confidence === undefined ? undefined : `confidence ${Number(confidence.toFixed(2))}`;
  const provenance = [unit, date, sureness].filter((part) => part !== undefined);
  return `${BULLET}**${kind}** ${foreignLine(text)} — ${foreignLine(provenance.join(", "))}`;
}

/** What two wordings of one learning have in common: marks, quotes, letter case and final punctuation aside. */
export function keyOfLearning({ text }: Pick<Learning, "text">): string {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[*_`"'“”‘’]/g, "");
  return foreignLine(plain).replace(/[.!;,]{1,8}$/, "") || text;
}

/** Short and stable: the same for two wordings of one learning. */
export function idOfLearning(text: string): string {
  return createHash("sha256").update(keyOfLearning({ text })).digest("hex").slice(0, 8);
}

type Placed = Learning & { readonly line: number };
/** The newest reading: one message asks for the same file many times, and thousands of learnings take a while. */
let newest: { readonly text: string; readonly learnings: readonly Placed[] } | null = null;

/** The learnings of a file, oldest first, each once even if a merge doubled it; `line` is one-based. */
export function parseLearnings(text: string): readonly Placed[] {
  if (newest?.text === text) return newest.learnings;
  const named = new Set<string>();
  const isNew = (learning: Learning): boolean => named.size < named.add(keyOfLearning(learning)).size;
  newest = { text, learnings: bulletsOf(parseMarkdown(text)).filter(isNew) };
  return newest.learnings;
}

/** Lines that look like a part of a list and are no learning: each is one line with `- ` in the first column. */
export function unreadLearnings(text: string): Unread[] {
  const { lines, kinds } = parseMarkdown(text);
  const hint = "Write each on one line, with - in the first column: - **kind** text";
  let isInList = false;
  let isAfterBlank = false;
  return lines.flatMap(({ text: line }, at) => {
    const isText = kinds[at] === "text";
    const isBlank = line.trim() === "";
    const goesOn = /^\s/.test(line) || (isText && !isAfterBlank);
    if (!isBlank) isInList = (isText && /^\s*(?:[-*+]|\d+[.)])\s/.test(line)) || (isInList && goesOn);
    isAfterBlank = isBlank;
    const isPart = isInList && !isBlank && !(isText && line.startsWith(BULLET));
    return isPart ? [{ line: at + 1, error: "not a learning of its own.", hint }] : [];
  });
}

/**
 * Adds learnings at the end of the file, one line each and no headings, so that git's union merge of two people's
 * additions is right. Lines that stand there stay as they are.
 */
export function addLearnings(
  text: string,
  learnings: readonly Learning[],
): Updated<{ appended: number; skipped: number }> {
  return changeMarkdown(text, (document) => {
    const known = new Set(bulletsOf(document).map(keyOfLearning));
    const isNew = (learning: Learning): boolean => known.size < known.add(keyOfLearning(learning)).size;
    const added = learnings.filter(isNew).map(renderLearning);
    const counts = { appended: added.length, skipped: learnings.length - added.length };
    const last = document.lines.findLast((line) => line.text.trim() !== "")?.text ?? "";
    if (added.length === 0) return [document, counts];
    return [appendLines(document, added, !last.startsWith(BULLET)), counts];
  });
}

/** Takes the lines of these learnings out, in whatever wording and however often a merge left them there. */
export function removeLearnings(text: string, texts: readonly string[]): Updated<{ removed: number }> {
  return changeMarkdown(text, (document) => {
    const keys = new Set(texts.map((each) => keyOfLearning({ text: each })));
    const gone = bulletsOf(document).filter((learning) => keys.has(keyOfLearning(learning)));
    const left = gone.reduceRight((next, { line }) => editLines(next, line - 1, 1, []), document);
    return [left, { removed: gone.length }];
  });
}

function bulletsOf({ lines, kinds }: Markdown): Placed[] {
  return lines
    .map(({ text }, at) => ({ text, line: at + 1 }))
    .filter(({ text, line }) => kinds[line - 1] === "text" && text.startsWith(BULLET))
    .map(({ text, line }) => Object.assign(parseLearning(text), { line }))
    .filter(({ text }) => text !== "");
}
