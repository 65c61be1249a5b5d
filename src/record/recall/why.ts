import { lstat } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { excerpt } from "../../lib/text.ts";
import { pathIn } from "../../lib/path-in.ts";
import { type HistorySubject, readCommits } from "../../commit/history.ts";
import type { RecallEntry, RecallKind } from "./entry.ts";
import type { Recall } from "./recall.ts";
import type { RecallHit } from "./rank.ts";
import { isGeneric, termOf, wordsOf } from "./terms.ts";

const MAX_OF_KIND = 8;
const MAX_TEXT = 300;

const TITLES: readonly (readonly [RecallKind, string])[] = [
  ["learning", "Known"],
  ["decision", "Decided"],
  ["log", "From the log"],
  ["plan", "Planned"],
];

interface Sources {
  readonly recall: Pick<Recall, "search">;
  readonly directory: string;
  /** The folder in which the user is, from which names are read first. */
  readonly from: string;
}

/** Why something is as it is, by record and history; null for nothing known. Not redacted. @param asked file, line, words */
export async function tellWhy({ recall, directory, from }: Sources, asked: string): Promise<string | null> {
  const subject = await subjectOf(asked, { directory, from });
  const query = "text" in subject ? subject.text : subject.path;
  const [hits, commits] = await Promise.all([
    recall.search(query),
    readCommits({ folder: directory }, subject),
  ]);
  const entries = hits.filter((hit) => isAbout(hit, subject)).map(({ entry }) => entry);
  const sections = TITLES.map(([kind, title]) =>
    section(title, entries.filter((entry) => entry.kind === kind).map(renderEntry)),
  );
  const history = commits.map(({ id, date, subject: title, body }) =>
    [`${date} ${id} ${title}`, excerpt(body, MAX_TEXT)].filter(Boolean).join(" · "),
  );
  const found = [...sections, section("Commits", history)].filter(Boolean);
  return found.length === 0 ? null : [`Why ${query}`, ...found].join("\n\n");
}

/** What is asked about: a file where there is one of this name, else words. */
async function subjectOf(
  asked: string,
  { directory, from }: Omit<Sources, "recall">,
): Promise<HistorySubject> {
  const text = asked.replace(/^[@"'`]+|["'`]+$/g, "").trim();
  const [, name = text, line] = /^(.+?)(?::(\d+))?(?::\d+)?$/s.exec(text) ?? [];
  const path = (await pathIn(directory, from, name)) ?? relative(directory, resolve(from, name));
  const isInside = path !== "" && !path.startsWith("..") && !isAbsolute(path);
  const isThere = isInside && (await lstat(join(directory, path)).catch(() => null)) !== null;
  const subject = { path: path.replaceAll("\\", "/"), line: line === undefined ? null : Number(line) };
  if (isThere) return subject;
  // One that is gone is known by how it is written, or by the history.
  const isSpelt = !/\s/.test(name) && /[\\/].*\.\w+$/.test(name);
  const isKnown = async (): Promise<boolean> =>
    /[\\/]|\.\w+$/.test(name) &&
    (await readCommits({ folder: directory }, { ...subject, line: null })).length > 0;
  return isInside && (isSpelt || (await isKnown())) ? subject : { text };
}

/** Whether an entry names the place itself, and does not only share a word with it. */
function isAbout({ entry, terms }: RecallHit, subject: HistorySubject): boolean {
  const said = `${entry.heading}\n${entry.text}`;
  if ("path" in subject) {
    const name = subject.path.split("/").at(-1) ?? "";
    const named = said.split(/[\s"'`()[\]{}<>,;:|]+|[.!?](?=\s|$)/).filter((piece) => piece.endsWith(name));
    return named.some((piece) => `/${subject.path}`.endsWith(`/${piece.replace(/^(?:\.?\/)+/, "")}`));
  }
  if (said.includes(subject.text)) return true;
  const wanted = wordsOf(subject.text).flatMap((word) => termOf(word) ?? []);
  const isTelling = wanted.length > 1 || wanted.some((term) => !isGeneric(term));
  return isTelling && wanted.every((term) => terms.includes(term));
}

function renderEntry({ text, date, path, line }: RecallEntry): string {
  const plain = text
    .replace(/^[-*+] +/, "")
    .replace(/^\[( |x)\] +/i, (_box, tick) => (tick === " " ? "○ " : "✓ "));
  return [date, excerpt(plain, MAX_TEXT), `(${path}:${line})`].filter(Boolean).join(" ");
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  return [`${title}:`, ...lines.slice(0, MAX_OF_KIND).map((line) => `- ${line}`)].join("\n");
}
