import { lstatSync } from "node:fs";
import { join } from "node:path";
import { parseMarkdown, renderMarkdown, editLines, foreignLine, textIn } from "../../lib/markdown.ts";
import { parseJson, recordOf, listOf, textOf } from "../../lib/json.ts";
import { GAIA_FOLDER, KNOWLEDGE_FOLDER, LOCAL_FOLDER } from "../gaia-path.ts";
import type { GaiaFiles, GaiaWriter } from "../store/gaia-files.ts";
import { blobNames, ENTRY_KINDS, hashOf, entryKey, listLines, entryName, renderKnowledge } from "./entry.ts";
import { LEARNINGS, MAX_READ, PATTERNS, sign } from "./files.ts";
import { type Authors, BY_AGENT, type SaidStore } from "./authors.ts";

/** Proposed learnings, and ids of what was decided on. */
const PROPOSALS = `${LOCAL_FOLDER}/proposals.json`;
/** Where files lie of which all was taken. */
const KEPT = `${LOCAL_FOLDER}/taken-over`;
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

function make({ kind, text, date, unit, evidence }: Learning, isTheirs: boolean): Made {
  // What nobody has accepted is not in a name either, which models may see.
  const [status, id] = isTheirs
    ? (["accepted", entryName(text)] as const)
    : (["proposed", `learnt-${entryKey(text)}`] as const);
  const about = kind === "pattern" ? listLines(text).flatMap(({ path }) => path ?? []) : [];
  const said = { id, kind, source: unit, evidence, about, supersedes: [], body: text };
  // By nothing but what it says: two clones make the same file of it, and git has nothing to merge.
  const file = renderKnowledge({ ...said, scope: "project", status, by: "", at: date, reason: "" });
  return { slug: id, text: file, isTheirs };
}

/**
 * Takes over what earlier versions wrote. Entries first, then the file is put away: a kill between loses nothing.
 * What an agent has written is proposed.
 */
export function createEarlier(
  directory: string,
  files: GaiaFiles,
  said: () => SaidStore,
  state: Authors["state"],
) {
  let taken = "";

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
  const take = async (
    writer: GaiaWriter,
    name: string,
    read: (text: string, isTheirs: (line: string) => boolean) => { made: Made[]; rest: string | null },
  ): Promise<void> => {
    const text = (await writer.read(name)) ?? "";
    const { hashes } = await said().read();
    // It is not known yet whose it is; see the next time.
    if (state() === "running") taken = "";
    if (state() === "running" || text === "" || text.length > MAX_READ) return;
    const isAgents = state() === "doubted" || blobNames(text, 40).some((blob) => hashes.has(BY_AGENT + blob));
    const { made, rest } = read(text, (line) => {
      const key = entryKey(line);
      return !isAgents && (!hashes.has(LEFT + key) || hashes.has(KEPT_LINE + key));
    });
    if (made.length === 0) return;
    await write(writer, made);
    const { lines, kinds } = parseMarkdown(rest ?? "");
    const isMore = lines.some(
      (line, at) => kinds[at] !== "heading" && kinds[at] !== "comment" && line.text.trim() !== "",
    );
    const isWhole = !isMore && made.every(({ isTheirs }) => isTheirs);
    // Someone who saved the file meanwhile is read the next time.
    const isPut = await writer.change(name, (now) => ({
      text: now === text && !isWhole ? rest : null,
      result: now === text && !isMore,
    }));
    if (isPut) await writer.move(name, `${KEPT}/${name}`);
  };
  const takeProposals = async (writer: GaiaWriter): Promise<void> => {
    const notes = recordOf(parseJson((await writer.read(PROPOSALS, "replaceable")) ?? ""));
    if (listOf(notes["proposals"]).length === 0) return;
    const made = listOf(notes["proposals"]).flatMap((each): Made[] => {
      const saidOf = (name: string, unsaid = ""): string => textOf(recordOf(each)[name]) ?? unsaid;
      const [text, kind] = [saidOf("text"), saidOf("kind", "insight")];
      const learning = { kind, text, date: saidOf("date"), unit: saidOf("unit"), evidence: "" };
      return text === "" ? [] : [make(learning, false)];
    });
    await write(writer, made);
    const text = `${JSON.stringify({ settled: listOf(notes["settled"]) }, null, 1)}\n`;
    await writer.change(PROPOSALS, () => ({ text, result: null }), "replaceable");
  };
  /** Differs after any change of these files; empty where there is none. */
  const look = (): string =>
    [LEARNINGS, PATTERNS, PROPOSALS]
      .map((name) => sign(join(directory, GAIA_FOLDER, name))?.signature ?? "")
      .join("");
  return {
    /** Costs three looks at the disk where there is nothing. @throws what reading and writing throw */
    async take(): Promise<void> {
      const now = look();
      if (now === "" || now === taken || state() === "running") return;
      // Where it fails, it is tried again when something changes, or at the next start.
      taken = now;
      await files.exclusive(async (writer) => {
        await take(writer, LEARNINGS, (text, isTheirs) => {
          const found = learningsIn(text);
          const made = found.map((each) => make(each, isTheirs(each.text)));
          const rest = found.reduceRight(
            (next, { line }) => editLines(next, line, 1, []),
            parseMarkdown(text),
          );
          return { made, rest: renderMarkdown(rest) };
        });
        await take(writer, PATTERNS, (text, isTheirs) => ({ made: patternsIn(text, isTheirs), rest: null }));
        await takeProposals(writer);
      });
      if (taken !== "") taken = look();
    },
    /** Whether a person wrote something there that is no list of learnings. */
    isLeft: (): boolean =>
      lstatSync(join(directory, GAIA_FOLDER, LEARNINGS), { throwIfNoEntry: false }) !== undefined,
  };
}

function patternsIn(text: string, isTheirs: (line: string) => boolean): Made[] {
  const document = parseMarkdown(text);
  const sections = document.sections.filter(({ level, title }) => level === 2 && title.trim() !== "");
  return sections.map((section) => {
    const body = `## ${section.title}\n\n${textIn(document, section)}`;
    const learning = { kind: "pattern", text: body, date: "", unit: "", evidence: "" };
    return make(learning, isTheirs(body));
  });
}
