import { parseMarkdown, renderMarkdown } from "../markdown/document.ts";
import { foreignLine, foreignLines } from "../markdown/foreign-text.ts";
import { appendToEnd, replaceWithin, sectionsOf } from "../markdown/section.ts";
import { refuseBroken, type Change } from "./change.ts";
import { isTitled } from "./work-log.ts";

/** How `sessions.md` begins. */
const TITLE = "# Sessions\n";
/** Sessions without a unit that are kept. */
const MAX_LOCAL = 50;

/** What one session did for a work unit. */
export interface SessionSummary {
  /** The conversation's session. */
  readonly root: string;
  /** Lines of a list. */
  readonly markdown: string;
}

/** Writes the section of a session, or what stands in it: each session has one. */
export function setSession(text: string, { root, markdown }: SessionSummary, day: string): Change<null> {
  const document = parseMarkdown(text.trim() === "" ? TITLE : text);
  const broken = refuseBroken(document);
  if (broken !== null) return broken;
  const title = `Session ${foreignLine(root)}`;
  const lines = foreignLines(markdown);
  const known = sectionsOf(document).find((section) => isTitled(section, title));
  const changed =
    known === undefined
      ? appendToEnd(document, [`## ${day} — ${title}`, "", ...lines], true)
      : replaceWithin(document, known, lines);
  return { ok: true, text: renderMarkdown(changed), result: null };
}

/**
 * The same for a session without a unit, of which only the newest are kept; without words it takes the section out, for a unit has
 * it now. Nothing else is in this file, so what cannot be read begins anew.
 */
export function setLocalSession(text: string, summary: SessionSummary, day: string): string {
  const written = summary.markdown === "" ? null : setSession(text, summary, day);
  const whole = written?.ok === true ? written.text : text;
  const document = parseMarkdown(whole);
  const title = `Session ${foreignLine(summary.root)}`;
  const sections = sectionsOf(document).filter(({ heading }) => heading.level === 2);
  const kept = summary.markdown === "" ? sections.filter((section) => !isTitled(section, title)) : sections;
  const texts = kept.slice(-MAX_LOCAL).map(({ heading, end }) =>
    document.lines
      .slice(heading.start, end)
      .map((line) => line.text)
      .join("\n")
      .trim(),
  );
  return [TITLE.trim(), ...texts, ""].join("\n\n").replace(/\n\n$/, "\n");
}

/** What stands in the newest section of a session, without its heading; empty for none. */
export function lastSession(text: string): string {
  const document = parseMarkdown(text);
  const last = sectionsOf(document).findLast(
    ({ heading }) => heading.level === 2 && heading.text.includes("— Session "),
  );
  const lines = last === undefined ? [] : document.lines.slice(last.start, last.end);
  return lines
    .map((line) => line.text)
    .join("\n")
    .trim();
}
