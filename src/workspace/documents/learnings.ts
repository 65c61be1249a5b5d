import { parseMarkdown, renderMarkdown, type MarkdownDocument } from "../markdown/document.ts";
import { foreignLine } from "../markdown/foreign-text.ts";
import { appendToEnd } from "../markdown/section.ts";
import { refuseSlug } from "../slug.ts";
import { refuseBroken, refuseChange, type Change, type Refusal } from "./change.ts";
import {
  keyOfLearning,
  parseLearning,
  renderLearning,
  type Learning,
  type LearningInput,
} from "./learning.ts";

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;

/** What became of the learnings of one call. */
export interface LearningCounts {
  readonly appended: number;
  /** Said already, in these or nearly these words. */
  readonly skipped: number;
}

/**
 * The learnings of a file, oldest first, each once even if a merge doubled it; `line` is one-based. Every bullet outside of
 * code and lists within lists is one.
 */
export function parseLearnings(text: string): (Learning & { line: number })[] {
  return [...readBullets(parseMarkdown(text)).values()];
}

/**
 * Fills in what callers left out.
 * @param defaults day and unit of learnings that do not name their own
 */
export function completeLearnings(
  inputs: readonly LearningInput[],
  defaults: Pick<Learning, "date" | "unit">,
): { readonly ok: true; readonly learnings: readonly Learning[] } | Refusal {
  const learnings = inputs.map((input) => complete(input, defaults));
  const refused = learnings.map(refuseLearning).find((refusal) => refusal !== null);
  if (refused !== undefined) return refused;
  if (learnings.length > 0) return { ok: true, learnings };
  return refuseChange("There are no learnings in this call.", "Pass at least one.");
}

function complete(input: LearningInput, defaults: Pick<Learning, "date" | "unit">): Learning {
  const given: Partial<Learning> & { text: string } =
    typeof input === "string" ? parseLearning(input) : input;
  const date = ISO_DAY.test(given.date ?? "") ? (given.date ?? "") : defaults.date;
  return { ...defaults, kind: "insight", ...given, date, text: foreignLine(given.text) };
}

function refuseLearning({ text, unit, confidence = 1 }: Learning): Refusal | null {
  if (text === "") return refuseChange("A learning is empty.", "Say it in one sentence.");
  const badUnit = unit === undefined ? null : refuseSlug(unit);
  if (badUnit !== null) return refuseChange(`"${unit}" is not a work unit's name.`, badUnit);
  if (confidence >= 0 && confidence <= 1) return null;
  return refuseChange(`The confidence ${confidence} is out of range.`, "It goes from 0 to 1.");
}

/**
 * Adds learnings at the end of the file, one line each and no headings, so that git's union merge of two people's
 * additions is right. Lines that stand there stay as they are.
 */
export function addLearnings(text: string, learnings: readonly Learning[]): Change<LearningCounts> {
  const document = parseMarkdown(text);
  const broken = refuseBroken(document);
  if (broken !== null) return broken;
  const known = new Set(readBullets(document).keys());
  const added: string[] = [];
  for (const learning of learnings) {
    const key = keyOfLearning(learning);
    if (!known.has(key)) added.push(renderLearning(learning));
    known.add(key);
  }
  const result = { appended: added.length, skipped: learnings.length - added.length };
  if (added.length === 0) return { ok: true, text, result };
  const spaced = !endsWithBullet(document);
  return { ok: true, text: renderMarkdown(appendToEnd(document, added, spaced)), result };
}

function readBullets(document: MarkdownDocument): Map<string, Learning & { line: number }> {
  const found = new Map<string, Learning & { line: number }>();
  for (const block of document.blocks) {
    if (block.kind !== "text") continue;
    for (let at = block.start; at < block.end; at += 1) {
      const text = document.lines[at]?.text ?? "";
      if (!isBullet(text)) continue;
      const learning = { ...parseLearning(text), line: at + 1 };
      const key = keyOfLearning(learning);
      if (!found.has(key)) found.set(key, learning);
    }
  }
  return found;
}

function isBullet(text: string): boolean {
  return /^ ?[-*+][ \t]+\S/.test(text);
}

function endsWithBullet(document: MarkdownDocument): boolean {
  return isBullet(document.lines.findLast((line) => line.text.trim() !== "")?.text ?? "");
}
