import { editLines, parseMarkdown, renderMarkdown, setLine } from "../markdown/document.ts";
import { foreignLine, foreignLines } from "../markdown/foreign-text.ts";
import { appendToEnd, appendWithin, sectionsOf, type Section } from "../markdown/section.ts";
import { refuseBroken, type Change } from "./change.ts";

/** What one delegation really did, as the plugin saw it. */
export interface WorkLine {
  /** Of its task: by it a line that stands there is known, so that nothing is written twice. */
  readonly id: string;
  readonly text: string;
}

/** What a historian made of the work of one conversation. */
export interface WorkRecord {
  /** Of the task that wrote it. */
  readonly id: string;
  readonly by: string;
  /** Empty where the historian has written an entry of their own. */
  readonly markdown: string;
}

/** The section of a conversation's work that no historian has put into words yet. */
const headingOf = (root: string): string => `Work in ${root}`;
const markOf = (id: string): string => `\`${id}\``;

/**
 * Adds lines to the section of a conversation's work, each task once in the whole log.
 * @param root the conversation's session
 * @param day ISO day for a new section
 */
export function addWork(
  text: string,
  { root, lines }: { readonly root: string; readonly lines: readonly WorkLine[] },
  day: string,
): Change<{ added: number }> {
  return addLines(text, { title: headingOf(root), lines }, day);
}

/** Adds lines to the section of this title, each once in the whole log. */
export function addLines(
  text: string,
  { title, lines }: { readonly title: string; readonly lines: readonly WorkLine[] },
  day: string,
): Change<{ added: number }> {
  const document = parseMarkdown(text);
  const broken = refuseBroken(document);
  if (broken !== null) return broken;
  const known = document.lines.filter((line) => line.text.startsWith("- ")).map((line) => line.text);
  const fresh = lines.filter(({ id }) => !known.some((line) => line.endsWith(markOf(id))));
  const rendered = fresh.map((line) => `- ${foreignLine(line.text)} · ${markOf(line.id)}`);
  const result = { added: fresh.length };
  if (rendered.length === 0) return { ok: true, text, result };
  const open = sectionsOf(document).find((section) => isTitled(section, title));
  const changed =
    open === undefined
      ? appendToEnd(document, [`## ${day} — ${title}`, "", ...rendered], true)
      : appendWithin(document, open, rendered, false);
  return { ok: true, text: renderMarkdown(changed), result };
}

/** Whether this task's record stands in a log. */
export function hasRecord(text: string, id: string): boolean {
  return sectionsOf(parseMarkdown(text)).some(({ heading }) => heading.text.endsWith(`(${id})`));
}

/**
 * Puts the words of a historian over the lines of a conversation's work, and names the section after them: what the plugin saw
 * stays, under what was made of it. Without such a section it is one of its own. Does nothing when it stands there already.
 */
export function recordWork(
  text: string,
  { root, id, by, markdown }: WorkRecord & { readonly root: string },
  day: string,
): Change<{ written: boolean }> {
  const document = parseMarkdown(text);
  const broken = refuseBroken(document);
  if (broken !== null) return broken;
  if (hasRecord(text, id)) return { ok: true, text, result: { written: false } };
  const title = `## ${day} — Recorded by ${foreignLine(by)} (${id})`;
  const words = markdown.trim() === "" ? [] : ["", ...foreignLines(lowered(markdown))];
  const open = sectionsOf(document).find((section) => isWork(section, root));
  if (open === undefined) {
    const added = appendToEnd(document, [title, ...words], true);
    return { ok: true, text: renderMarkdown(added), result: { written: true } };
  }
  const renamed = setLine(document, open.heading.start, title);
  return {
    ok: true,
    text: renderMarkdown(editLines(renamed, open.start, 0, words)),
    result: { written: true },
  };
}

/** How the title of a section begins that holds what was found out about the project. */
export const RECON_TITLE = "Recon by ";

/** Whether a section holds what was found out about the project. */
export function isRecon({ heading }: Section): boolean {
  return heading.level === 2 && heading.text.includes(`— ${RECON_TITLE}`);
}

/** Whether a section holds what the plugin saw of a conversation's work, with no historian's words yet. */
export function isWork(section: Section, root: string): boolean {
  return isTitled(section, headingOf(root));
}

/** Whether a section is an entry of this title. */
export function isTitled({ heading }: Section, title: string): boolean {
  return heading.level === 2 && heading.text.endsWith(`— ${title}`);
}

/** Headings below the entry's own, which they would end. */
function lowered(markdown: string): string {
  let document = parseMarkdown(markdown);
  for (const block of document.blocks) {
    const line = document.lines[block.start]?.text ?? "";
    if (block.kind !== "heading" || block.level > 2 || !/^ {0,3}#/.test(line)) continue;
    document = setLine(document, block.start, line.replace(/^ {0,3}#{1,2}(?=\s|$)/, "###"));
  }
  return renderMarkdown(document);
}
