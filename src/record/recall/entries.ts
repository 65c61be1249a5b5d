import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { statAll } from "../../lib/stat-all.ts";
import type { RecallEntry, RecallKind } from "./entry.ts";
import { signed } from "../store/atomic-file.ts";
import { parseDecisions } from "../documents/decision.ts";
import { isOverApprovals } from "../documents/log.ts";
import { parseMarkdown } from "../../lib/markdown.ts";
import { ARCHIVE, GAIA_FOLDER, KNOWLEDGE_FOLDER, refuseSlug, slugOfArchived } from "../gaia-path.ts";
import { excerpt } from "../../lib/text.ts";
import { readTextSync } from "../../lib/read-source.ts";
import type { JudgedEntry } from "../entries/judge.ts";

/** What one entry may hold, in characters; the rest of an endless paragraph is not searched. */
const MAX_TEXT = 1_000;

interface Source {
  /** Below `.gaia`, for example `archive/2026-01-31.auth/decisions.md`. */
  readonly path: string;
  readonly holds: Exclude<RecallKind, "learning">;
  readonly unit: string;
}

/** Something that is searched; the same as before where its signature is. */
export interface RecallDocument {
  readonly path: string;
  readonly holds: RecallKind;
  readonly signature: string;
  /** Reads it and takes it apart. */
  entries(): readonly RecallEntry[];
}

const MAX_BYTES = 16_000_000;

/** What the documents of the record are called, and what they hold. */
const UNIT_DOCUMENTS = {
  "plan.md": "plan",
  "spec.md": "plan",
  "log.md": "log",
  "decisions.md": "decision",
  "sessions.md": "log",
} as const;

/** Every document of the record that can be searched, archived units included, at one `lstat` each. Links are left out. */
export async function listDocuments(directory: string): Promise<RecallDocument[]> {
  const root = join(await realpath(directory), GAIA_FOLDER);
  const units = (await foldersIn(root)).filter((name) => refuseSlug(name) === null);
  const archived = await foldersIn(join(root, ARCHIVE));
  const sources = [
    ...units.map((name) => ({ folder: name, unit: name })),
    ...archived.map((name) => ({ folder: `${ARCHIVE}/${name}`, unit: slugOfArchived(name) })),
  ].flatMap(({ folder, unit }) =>
    Object.entries(UNIT_DOCUMENTS).map(([name, holds]): Source => ({
      path: `${folder}/${name}`,
      holds,
      unit,
    })),
  );
  const found = await statAll(sources.map(({ path }) => join(root, path)));
  return sources.flatMap((source) => {
    const path = join(root, source.path);
    const file = found.get(path);
    if (file?.isFile() !== true) return [];
    const entries = (): RecallEntry[] => entriesOf(source, readTextSync(path, MAX_BYTES, false));
    return { ...source, signature: signed(file), entries };
  });
}

/** Empty for what is no folder. */
async function foldersIn(path: string): Promise<string[]> {
  if ((await statAll([path])).get(path)?.isDirectory() !== true) return [];
  const entries = await readdir(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

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
  const read = source.holds === "decision" ? parseDecisions(text) : null;
  if (read?.ok !== true)
    return paragraphsOf(text)
      .filter(({ heading = "" }) => source.holds !== "log" || !isOverApprovals(heading))
      .map(make);
  return read.rows.map(({ date, question, choice, rationale, impact, line }) => {
    const answer = [`${question} → ${choice}`, rationale, impact].filter((part) => part !== "").join(" · ");
    return make({ text: answer, date: date.slice(0, 10), line });
  });
}

type Found = Pick<RecallEntry, "text" | "date" | "line"> & Partial<RecallEntry>;

/** The paragraphs, list items, tasks and table rows of free markdown, each with the heading above it. */
function paragraphsOf(text: string): Found[] {
  const { lines, kinds, sections } = parseMarkdown(text);
  const found: (Found & { lines: string[] })[] = [];
  let open = false;
  let heading = "";
  let date = "";
  let next = 0;
  for (const [at, { text: line }] of lines.entries()) {
    const section = kinds[at] === "heading" ? sections[next++] : undefined;
    if (section !== undefined) {
      heading = section.level === 1 ? "" : section.title;
      date = /\d{4}-\d{2}-\d{2}/.exec(section.title)?.[0] ?? (section.level <= 2 ? "" : date);
    }
    const isProse = (kinds[at] === "text" || kinds[at] === "table") && line.trim() !== "";
    // Each list item, quote and row begins something new.
    const begins = /^\s*(?:[-*+>|]|\d{1,4}[.)])(?:\s|$|\S*\|)/.test(line);
    if (isProse && open && !begins) found.at(-1)?.lines.push(line.trim());
    else if (isProse) found.push({ text: "", lines: [line.trim()], heading, date, line: at + 1 });
    open = isProse;
  }
  return found
    .map(({ lines: piece, ...each }) => ({ ...each, text: piece.join(" ").replace(/^- (?=\[[ xX]\] )/, "") }))
    .filter((each) => /\p{L}|\p{N}/u.test(each.text));
}

/** An entry says one thing; of a whole book the beginning is searched. */
const MAX_WHOLE = 8_000;

/** Accepted entries as they are searched. */
export function documentsOf(entries: readonly JudgedEntry[]): RecallDocument[] {
  return entries.map(({ path, hash, slug, id, kind, source, about, body, line, at: date }) => ({
    path,
    holds: "learning",
    signature: hash,
    entries: () => [
      {
        kind: "learning",
        text: excerpt(body, MAX_WHOLE),
        heading: id,
        learning: kind,
        about,
        unit: source || null,
        date: date.slice(0, 10),
        // No agent reads the file itself, in which proposals lie as well.
        path: `${GAIA_FOLDER}/${KNOWLEDGE_FOLDER}/${slug}.md`,
        line,
      },
    ],
  }));
}
