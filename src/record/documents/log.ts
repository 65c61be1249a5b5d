import {
  appendLines,
  editLines,
  foreignLine,
  foreignLines,
  parseMarkdown,
  textIn,
  type Markdown,
  type Section,
} from "../../lib/markdown.ts";
import { findingText } from "./finding.ts";
import { changeMarkdown, refuseChange, type Updated } from "./table.ts";

export type WorkLine = Readonly<Record<"id" | "text", string>>;

export type DebtNote = Readonly<Record<"place" | "text" | "by", string>>;

/** Titles of the sections that the plugin writes; each stands behind a day: `## 2026-01-31 — Approvals`. */
export const APPROVALS = "Approvals";
const DEBT = "Noted in reviews, not fixed";
/** How the title of a section begins that holds what was found out about the project, or what a maker says of their work. */
export const RECON_TITLE = "Recon by ";
export const MAKER_TITLE = "Noted by ";
export const HANDOVER_TITLE = "Hand-over of ";
export const SESSION_TITLE = "Session ";
export const workTitle = (root: string): string => `Work in ${root}`;
export const sessionTitle = (root: string): string => `${SESSION_TITLE}${foreignLine(root)}`;

const BULLET = "- ";
const SEPARATOR = " · ";

function isTitled({ level, title }: Section, wanted: string): boolean {
  return level === 2 && title.endsWith(`— ${wanted}`);
}

/** The sections of a log whose titles begin so behind their day, the oldest first. */
export function sectionsBy(log: string, beginning: string): { title: string; markdown: string }[] {
  const document = parseMarkdown(log);
  return document.sections
    .filter(({ level, title }) => level === 2 && title.includes(`— ${beginning}`))
    .map((section) => ({
      title: section.title.replace(/^.*?— /u, ""),
      markdown: textIn(document, section),
    }));
}

export function isOverApprovals(heading: string): boolean {
  return heading.endsWith(`— ${APPROVALS}`);
}

/**
 * Adds an entry under `## <day> — <title>`; continues the last section where that has this heading. One that begins with a heading of
 * its own needs no title. @param entry where the log holds `unless` already, nothing is added @param day ISO day
 */
export function appendLogEntry(
  text: string,
  entry: { readonly markdown: string; readonly title?: string; readonly unless?: string | undefined },
  day: string,
): Updated<{ heading: string }> {
  const lines = foreignLines(entry.markdown);
  const [first = ""] = lines;
  if (first === "") return refuseChange("The log entry is empty.", "Pass what was done as markdown.");
  return changeMarkdown(text, (document) => {
    const own = first.startsWith("## ") ? first.slice(3).trim() : "";
    const title = foreignLine(entry.title ?? "");
    const heading = own || (title === "" ? day : `${day} — ${title}`);
    if (entry.unless !== undefined && text.includes(entry.unless)) return [document, { heading }];
    const last = document.sections.findLast(({ level }) => level <= 2);
    const continues = own === "" && last?.level === 2 && last.title === heading;
    const below = lowered(own === "" ? lines : lines.slice(1));
    const added = continues ? below : [`## ${heading}`, ...(own === "" ? [""] : []), ...below];
    return [appendLines(document, added, true), { heading }];
  });
}

export function setSection(
  text: string,
  { title, markdown }: { readonly title: string; readonly markdown: string },
  day: string,
): Updated<object> {
  return changeMarkdown<object>(text, (document) => {
    const lines = lowered(foreignLines(markdown));
    const known = sectionOf(document, title);
    if (known === undefined) return [addSection(document, `${day} — ${title}`, lines), {}];
    const after = known.end === document.lines.length ? [] : [""];
    return [editLines(document, known.start, known.end - known.start, ["", ...lines, ...after]), {}];
  });
}

/** Adds lines to the section of this title, each once in the whole log. */
export function addLines(
  text: string,
  { title, lines }: { readonly title: string; readonly lines: readonly WorkLine[] },
  day: string,
): Updated<{ added: number }> {
  return changeMarkdown(text, (document) => {
    const known = new Set(bulletsIn(document).map((parts) => parts.at(-1)));
    const isNew = ({ id }: WorkLine): boolean => known.size < known.add(`\`${id}\``).size;
    const fresh = lines
      .filter(isNew)
      .map(({ id, text: words }) => `${BULLET}${foreignLine(words)} · \`${id}\``);
    if (fresh.length === 0) return [document, { added: 0 }];
    const open = sectionOf(document, title);
    const next =
      open === undefined
        ? addSection(document, `${day} — ${title}`, fresh)
        : appendLines(document, fresh, false, open);
    return [next, { added: fresh.length }];
  });
}

/** Adds to a log what is not noted there yet: the same words about the same file are one note, wherever its lines have gone. */
export function addDebt(text: string, notes: readonly DebtNote[], day: string): Updated<{ added: number }> {
  const lines = notes.map(({ place, text: words, by }) => {
    const shown = place === "" || words.includes(place) ? words : `${place}: ${words}`;
    const key = findingText({ where: place, what: words.replaceAll(/:\d+/g, "") });
    return { id: `note-${key}`, text: `${shown} (${by})` };
  });
  return addLines(text, { title: DEBT, lines }, day);
}

/** What is noted in a log, oldest first; a line that a person struck out is not. */
export function debtOf(log: string): string[] {
  const document = parseMarkdown(log);
  return document.sections
    .filter((section) => isTitled(section, DEBT))
    .flatMap((section) => bulletsIn(document, section))
    .filter((parts) => parts.at(-1)?.startsWith("`note-") === true)
    .map((parts) => parts.slice(0, -1).join(SEPARATOR));
}

/** How a line of a maker's notes begins that names what is left broken. */
const KNOWN_ISSUE = "- known issues: ";

/** What makers say of a unit's work that is left broken, by its log; what a person takes out there is not. */
export function knownIssuesIn(log: string): string[] {
  return sectionsBy(log, MAKER_TITLE)
    .flatMap(({ markdown }) => markdown.split("\n"))
    .flatMap((line) => (line.startsWith(KNOWN_ISSUE) ? [line.slice(KNOWN_ISSUE.length)] : []));
}

export function hasRecord(log: string, id: string): boolean {
  return parseMarkdown(log).sections.some(({ title }) => title.endsWith(`(${id})`));
}

/** Puts a historian's words, if there are any, over the lines of a conversation's work. Does nothing when the record is there already. */
export function recordWork(
  text: string,
  { root, id, by, markdown }: Readonly<Record<"root" | "id" | "by" | "markdown", string>>,
  day: string,
): Updated<{ written: boolean }> {
  return changeMarkdown<{ written: boolean }>(text, (document) => {
    if (hasRecord(text, id)) return [document, { written: false }];
    const title = `${day} — Recorded by ${foreignLine(by)} (${id})`;
    const words = markdown.trim() === "" ? [] : lowered(foreignLines(markdown));
    const open = sectionOf(document, workTitle(root));
    if (open === undefined) return [addSection(document, title, words), { written: true }];
    const told = words.length === 0 ? document : editLines(document, open.start, 0, ["", ...words]);
    return [editLines(told, open.start - 1, 1, [`## ${title}`]), { written: true }];
  });
}

/** Headings below the entry's own, which they would end. */
function lowered(lines: readonly string[]): string[] {
  const { kinds } = parseMarkdown(lines.join("\n"));
  return lines.map((line, at) => (kinds[at] === "heading" ? line.replace(/^#{1,2}(?!#)/, "###") : line));
}

/** The newest section of a title, whatever its day. */
function sectionOf({ sections }: Markdown, title: string): Section | undefined {
  return sections.findLast((section) => isTitled(section, title));
}

function addSection(document: Markdown, title: string, lines: readonly string[]): Markdown {
  return appendLines(document, [`## ${title}`, ...(lines.length === 0 ? [] : [""]), ...lines], true);
}

function bulletsIn({ lines }: Markdown, { start, end }: Partial<Section> = {}): string[][] {
  return lines
    .slice(start, end)
    .filter(({ text }) => text.startsWith(BULLET))
    .map(({ text }) => text.slice(BULLET.length).split(SEPARATOR));
}
