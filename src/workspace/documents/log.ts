import { parseMarkdown, renderMarkdown } from "../markdown/document.ts";
import { foreignLine, foreignLines } from "../markdown/foreign-text.ts";
import { appendToEnd, replaceWithin, sectionsOf } from "../markdown/section.ts";
import { refuseBroken, refuseChange, type Change } from "./change.ts";

/** Something to add to a log. */
export interface LogEntry {
  readonly markdown: string;
  /** Stands in the entry's heading after the date. An entry that begins with its own `## ` heading needs none. */
  readonly title?: string;
  /** Where the log holds this already, nothing is added. */
  readonly unless?: string | undefined;
}

/**
 * Adds an entry at the end of `log.md`, under a heading `## <day> — <title>`. When the last section already has that
 * heading, the entry continues it.
 * @param day ISO day of the entry
 */
export function appendLogEntry(text: string, entry: LogEntry, day: string): Change<{ heading: string }> {
  const lines = foreignLines(entry.markdown);
  if (lines.length === 0) return refuseChange("The log entry is empty.", "Pass what was done as markdown.");
  const document = parseMarkdown(text);
  const broken = refuseBroken(document);
  if (broken !== null) return broken;
  const title = foreignLine(entry.title ?? "");
  const own = /^## +(\S.*)$/.exec(lines[0] ?? "")?.[1];
  const heading = own ?? (title === "" ? day : `${day} — ${title}`);
  if (entry.unless !== undefined && text.includes(entry.unless))
    return { ok: true, text, result: { heading } };
  const last = sectionsOf(document).findLast((section) => section.heading.level <= 2);
  const continues = own === undefined && last?.heading.level === 2 && last.heading.text === heading;
  const added = own !== undefined || continues ? lines : [`## ${heading}`, "", ...lines];
  return { ok: true, text: renderMarkdown(appendToEnd(document, added, true)), result: { heading } };
}

/** Writes the section `## <day> — Receipt`, or what stands in it. */
export function setReceipt(text: string, markdown: string, day: string): Change<null> {
  const document = parseMarkdown(text);
  const broken = refuseBroken(document);
  if (broken !== null) return broken;
  const lines = foreignLines(markdown);
  const known = sectionsOf(document).findLast(
    ({ heading }) => heading.level === 2 && heading.text.endsWith("— Receipt"),
  );
  const changed =
    known === undefined
      ? appendToEnd(document, [`## ${day} — Receipt`, "", ...lines], true)
      : replaceWithin(document, known, lines);
  return { ok: true, text: renderMarkdown(changed), result: null };
}
