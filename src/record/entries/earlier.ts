import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseMarkdown, renderMarkdown, editLines, foreignLine, textIn } from "../../lib/markdown.ts";
import { parseJson, recordOf, listOf, textOf } from "../../lib/json.ts";
import { readTextSync } from "../../lib/read-source.ts";
import { GAIA_FOLDER, LOCAL_FOLDER } from "../gaia-path.ts";
import type { GaiaFiles, GaiaWriter } from "../store/gaia-files.ts";
import { KNOWLEDGE_FOLDER, PATTERNS } from "./committed.ts";
import {
  ENTRY_KINDS,
  hashOf,
  entryKey,
  type KnowledgeStatus,
  listLines,
  entryName,
  renderKnowledge,
} from "./entry.ts";
import type { SaidStore } from "./said.ts";

/** One line each: `- **kind** text — unit, 2026-01-31, confidence 0.8`, of which the text alone must be there. */
export const LEARNINGS = "learnings.md";
/** Proposed learnings, and ids of what was decided on. */
const PROPOSALS = `${LOCAL_FOLDER}/proposals.json`;
/** Where files lie of which all was taken. */
const KEPT = `${LOCAL_FOLDER}/taken-over`;
const MAX_BYTES = 4_000_000;
/** In the user's own data: lines that an agent may have written, and those of them that a person has kept. */
const LEFT = "learnt:";
const KEPT_LINE = "kept:";

export interface Learning {
  readonly kind: string;
  readonly text: string;
  readonly date: string;
  readonly unit: string;
  readonly evidence: string;
}

/** Unit, day and confidence behind the last ` — ` of a line. */
const PROVENANCE = /^(?:([a-z0-9][a-z0-9-]*), )?(\d{4}-\d\d-\d\d)(?:, (confidence [01](?:\.\d+)?))?$/;
const BULLET = "- ";
const MAX_MARK = 40;
/** How a line begins that names a kind; models write `kind: text`. */
const MARKS = ENTRY_KINDS.flatMap((kind) => [`**${kind}** `, `${kind}: `].map((mark) => ({ kind, mark })));

/** Reads a learning as models and earlier versions write it, with or without its bullet; an insight where no kind is named. */
export function parseLearning(bullet: string): Learning {
  const line = foreignLine(bullet.startsWith(BULLET) ? bullet.slice(BULLET.length) : bullet);
  const start = `${line} `.slice(0, MAX_MARK).toLowerCase();
  const { kind, mark } = MARKS.find((each) => start.startsWith(each.mark)) ?? { kind: "insight", mark: "" };
  const rest = line.slice(mark.length);
  const cut = rest.lastIndexOf(" — ");
  const [, unit = "", date, evidence = ""] = PROVENANCE.exec(cut === -1 ? "" : rest.slice(cut + 3)) ?? [];
  if (date === undefined) return { kind, text: rest.trim(), date: "", unit: "", evidence: "" };
  return { kind, text: rest.slice(0, cut).trim(), date, unit, evidence };
}

function learningsIn(text: string): (Learning & { readonly line: number })[] {
  const { lines, kinds } = parseMarkdown(text);
  return lines.flatMap(({ text: line }, at) => {
    if (kinds[at] !== "text" || !line.startsWith(BULLET)) return [];
    const learning = parseLearning(line);
    return learning.text === "" ? [] : [{ ...learning, line: at }];
  });
}

interface Made {
  readonly slug: string;
  readonly text: string;
  readonly isTheirs: boolean;
}

function make(
  { kind, text, date, unit, evidence }: Learning,
  status: KnowledgeStatus,
  {
    id = status === "proposed" ? `learnt-${entryKey(text)}` : entryName(text),
    about = [],
  }: { readonly id?: string; readonly about?: readonly string[] } = {},
): Omit<Made, "isTheirs"> {
  const verdict = { status, by: "", at: date, reason: "" };
  const entry = { id, kind, scope: "project", source: unit, evidence, about, supersedes: [], body: text };
  // What nobody has accepted is not in a name either, which models may see. By nothing but what it says: two clones make the same file of it, and git has nothing to merge.
  return { slug: id, text: renderKnowledge({ ...entry, scope: "project", ...verdict }) };
}

/** Takes over what earlier versions wrote. Entries first, then the file is put away: a kill between loses nothing. */
export function createEarlier(
  directory: string,
  files: GaiaFiles,
  said: () => SaidStore,
  isCommitted: (name: string, text: string) => Promise<boolean>,
) {
  const path = (name: string): string => join(directory, GAIA_FOLDER, name);
  let before: ReadonlySet<string> | null = null;
  let running = 0;
  let isDoubted = false;

  const linesNow = (): ReadonlySet<string> => {
    if (!existsSync(path(LEARNINGS))) return new Set();
    return new Set(learningsIn(readTextSync(path(LEARNINGS), MAX_BYTES)).map(({ text }) => text));
  };
  const write = async (writer: GaiaWriter, made: readonly Made[]): Promise<void> => {
    const theirs: string[] = [];
    // What a merge doubled is one; where a person stands behind one of them, they stand behind it.
    const best = made.toReversed().toSorted((a, b) => Number(a.isTheirs) - Number(b.isTheirs));
    const each = new Map(best.map((one) => [one.slug, one]));
    for (const { slug, text, isTheirs } of each.values()) {
      const inside = `${KNOWLEDGE_FOLDER}/${slug}.md`;
      const now = await writer.change(inside, (known) => ({
        text: known === null ? text : null,
        result: known ?? text,
      }));
      if (isTheirs && now === text) theirs.push(hashOf("project", slug, text));
    }
    if (theirs.length > 0) await said().grant(theirs);
  };
  const takeLearnings = async (writer: GaiaWriter): Promise<void> => {
    const text = (await writer.read(LEARNINGS)) ?? "";
    const found = learningsIn(text);
    if (found.length === 0) return;
    const { hashes } = await said().read();
    const isTheirs = ({ text: line }: Learning): boolean => {
      const key = entryKey(line);
      if (hashes.has(LEFT + key) && !hashes.has(KEPT_LINE + key)) return false;
      return running === 0 && !isDoubted ? true : (before?.has(line) ?? false);
    };
    await write(
      writer,
      found.map((each) => {
        const theirs = isTheirs(each);
        return { ...make(each, theirs ? "accepted" : "proposed"), isTheirs: theirs };
      }),
    );
    const document = parseMarkdown(text);
    const rest = found.reduceRight((next, { line }) => editLines(next, line, 1, []), document);
    const isMore = rest.lines.some(
      (line, at) => rest.kinds[at] !== "heading" && rest.kinds[at] !== "comment" && line.text.trim() !== "",
    );
    if (!isMore) {
      const forged = found.filter((each) => !isTheirs(each));
      const theirs = forged.reduceRight((next, { line }) => editLines(next, line, 1, []), document);
      await writer.change(LEARNINGS, () => ({ text: renderMarkdown(theirs), result: null }));
      return writer.move(LEARNINGS, `${KEPT}/${LEARNINGS}`);
    }
    // Someone who saved the file meanwhile is read the next time.
    await writer.change(LEARNINGS, (now) => ({
      text: now === text ? renderMarkdown(rest) : null,
      result: null,
    }));
  };
  const takePatterns = async (writer: GaiaWriter): Promise<void> => {
    const text = (await writer.read(PATTERNS)) ?? "";
    const document = parseMarkdown(text);
    const sections = document.sections.filter(({ level, title }) => level === 2 && title.trim() !== "");
    if (sections.length === 0) return;
    const isTheirs = await isCommitted(PATTERNS, text);
    const made = sections.map((section) => {
      const body = `## ${section.title}\n\n${textIn(document, section)}`;
      const learning = { kind: "pattern", text: body, date: "", unit: "", evidence: "" };
      return {
        ...make(learning, "accepted", { about: listLines(body).flatMap(({ path }) => path ?? []) }),
        isTheirs,
      };
    });
    await write(writer, made);
    await writer.move(PATTERNS, `${KEPT}/${PATTERNS}`);
  };
  const takeProposals = async (writer: GaiaWriter): Promise<void> => {
    const notes = recordOf(parseJson((await writer.read(PROPOSALS, "replaceable")) ?? ""));
    if (listOf(notes["proposals"]).length === 0) return;
    const made = listOf(notes["proposals"]).flatMap((each): Made[] => {
      const { text, kind, date, unit } = recordOf(each);
      const body = textOf(text) ?? "";
      if (body === "") return [];
      const said = {
        kind: textOf(kind) ?? "insight",
        text: body,
        date: textOf(date) ?? "",
        unit: textOf(unit) ?? "",
      };
      return [{ ...make({ ...said, evidence: "" }, "proposed"), isTheirs: false }];
    });
    await write(writer, made);
    const settled = listOf(notes["settled"]);
    await writer.change(
      PROPOSALS,
      () => ({ text: `${JSON.stringify({ settled }, null, 1)}\n`, result: null }),
      "replaceable",
    );
  };
  /** Differs after any change of these files; empty where there is none. */
  const look = (): string =>
    [LEARNINGS, PATTERNS, PROPOSALS]
      .map((name) => {
        const found = statSync(path(name), { bigint: true, throwIfNoEntry: false });
        return found === undefined ? "" : `${found.ino}-${found.size}-${found.mtimeNs}`;
      })
      .join("");
  let taken = "";

  return {
    /** Costs three looks at the disk where there is nothing. @throws what reading and writing throw */
    async take(): Promise<void> {
      const now = look();
      if (now === "" || now === taken) return;
      // Where it fails, it is tried again when something changes, or at the next start.
      taken = now;
      await files.exclusive(async (writer) => {
        await takeLearnings(writer);
        await takePatterns(writer);
        await takeProposals(writer);
      });
      taken = look();
    },
    /** Whether a person wrote something there that is no list of learnings. */
    isLeft: (): boolean => existsSync(path(LEARNINGS)),
    /** A call of an agent's runs until the result is called: what comes meanwhile is nobody's yet. */
    begins(): () => void {
      if (running === 0 && !isDoubted) before = linesNow();
      running += 1;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        running -= 1;
      };
    },
    doubt(): void {
      if (running === 0 && !isDoubted) before = linesNow();
      isDoubted = true;
    },
  };
}
