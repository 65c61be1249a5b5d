import { createHash } from "node:crypto";
import { excerpt } from "../../lib/text.ts";
import { foreignLine } from "../../lib/markdown.ts";
import { readFrontMatter, readList, readScalar } from "../../lib/front-matter.ts";

export const KNOWLEDGE_STATUSES = ["proposed", "accepted", "rejected", "replaced"] as const;
export type KnowledgeStatus = (typeof KNOWLEDGE_STATUSES)[number];

/** The kinds that the plugin and models give; people may use words of their own. */
export const ENTRY_KINDS = [
  "correction",
  "decision",
  "preference",
  "pattern",
  "anti_pattern",
  "constraint",
  "insight",
] as const;

/** Something that was learnt, in a file of its own, as the file has it: what of that counts is decided elsewhere. */
export interface KnowledgeEntry {
  /** The name of its file, with the folders below that of the knowledge: `http/retry`. */
  readonly slug: string;
  readonly id: string;
  readonly kind: string;
  readonly status: KnowledgeStatus;
  readonly by: string;
  readonly at: string;
  readonly reason: string;
  /** The work unit in which it was learnt; empty for none. */
  readonly source: string;
  readonly evidence: string;
  readonly about: readonly string[];
  /** Ids of entries that it takes the place of. */
  readonly supersedes: readonly string[];
  readonly body: string;
  /** The line of its file, from 1, with which the body begins. */
  readonly line: number;
}

const ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const KIND = /^[a-z][a-z0-9_-]{0,31}$/;
const MAX_FIELD = 400;
const CONFLICT = /^(?:<{7}|={7}|>{7})/;
/** What is written anew when someone decides; in the order in which it stands in a file. */
type Verdict = Pick<KnowledgeEntry, "status" | "by" | "at" | "reason">;

export function isKnowledgeName(text: string): boolean {
  return ID.test(text);
}

/** Whether a file or folder of this name, without its ending, holds entries: people write some of them in capitals. */
export function isEntryFile(name: string): boolean {
  return ID.test(name.toLowerCase());
}

/** A kind as it stands in a file; a note where the word is none. */
export function kindOf(text: string): string {
  const kind = text.trim().toLowerCase();
  return KIND.test(kind) ? kind : "note";
}

/** Reads a file. Never fails: what cannot be read of it counts as not said, and without one clear status it is a proposal. */
export function parseKnowledge(text: string, slug: string): KnowledgeEntry {
  const { fields, body, bodyLine, doubled, broken } = readFrontMatter(text);
  const field = (name: string): string => excerpt(readScalar(fields.get(name) ?? ""), MAX_FIELD);
  const id = field("id").toLowerCase();
  const isNeverClosed = broken[0] === 1;
  // Said twice, or within what a merge left unresolved, it is said by nobody.
  const lines = broken.length === 0 ? [] : text.split(/\r\n|\r|\n/);
  const isUnclear = doubled.has("status") || broken.some((at) => CONFLICT.test(lines[at - 1] ?? ""));
  const said = isUnclear ? "" : field("status").toLowerCase();
  return {
    slug,
    id: ID.test(id) ? id : slug.toLowerCase().replaceAll("/", ".").slice(0, 64),
    kind: kindOf(field("kind")),
    status: KNOWLEDGE_STATUSES.find((status) => status === said) ?? "proposed",
    by: field("by"),
    at: field("at"),
    reason: field("reason"),
    source: field("source"),
    evidence: field("evidence"),
    about: readList(fields.get("about") ?? ""),
    supersedes: readList(fields.get("supersedes") ?? "").map((name) => name.toLowerCase()),
    body: isNeverClosed ? text.trim() : body,
    line: bodyLine,
  };
}

export function renderKnowledge(entry: Omit<KnowledgeEntry, "slug" | "line">): string {
  const { id, kind, source, evidence, about, supersedes, body } = entry;
  const list = (name: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`${name}: [${items.join(", ")}]`];
  return [
    "---",
    `id: ${id}`,
    `kind: ${kind}`,
    ...quoted({ source, evidence }),
    ...list(
      "about",
      about.filter((each) => !/["\n\r]/.test(each)).map((each) => `"${each}"`),
    ),
    ...list("supersedes", supersedes.filter(isKnowledgeName)),
    ...verdictLines(entry),
    "---",
    "",
    body.trim(),
    "",
  ].join("\n");
}

/** The same file with another verdict; everything else that someone wrote stays. Front matter is made where there is none. */
export function restate(text: string, verdict: Verdict): string {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  const { end } = readFrontMatter(text);
  if (end < 1) return ["---", ...verdictLines(verdict), "---", "", text.trim(), ""].join("\n");
  let isDropped = false;
  const kept = lines.slice(1, end).filter((line) => {
    const name = /^([A-Za-z][\w-]*)[ \t]*:/.exec(line)?.[1]?.toLowerCase();
    if (name !== undefined) isDropped = /^(?:status|by|at|reason)$/.test(name);
    return !isDropped;
  });
  return ["---", ...kept, ...verdictLines(verdict), ...lines.slice(end)].join("\n");
}

function verdictLines({ status, by, at, reason }: Verdict): string[] {
  return [`status: ${status}`, ...quoted({ by, at, reason })];
}

/** A line for each that is not empty. */
function quoted(fields: Readonly<Record<string, string>>): string[] {
  return Object.entries(fields).flatMap(([name, text]) =>
    text === "" ? [] : `${name}: "${excerpt(text.replaceAll('"', "'"), MAX_FIELD)}"`,
  );
}

export function titleOf({ body, id }: Pick<KnowledgeEntry, "body" | "id">): string {
  const line = body.split("\n").find((each) => each.trim() !== "") ?? id;
  return excerpt(line.replace(/^#+\s+/, ""), 120);
}

/** How a line begins that names a kind, as models and people write it. */
const MARKS = ENTRY_KINDS.flatMap((kind) => [`**${kind}** `, `${kind}: `].map((mark) => ({ kind, mark })));

/** Reads a learning of one line, with or without its bullet; an insight where no kind is named. */
export function parseLearning(text: string): { readonly kind: string; readonly text: string } {
  const line = foreignLine(text.startsWith("- ") ? text.slice(2) : text);
  const found = MARKS.find(({ mark }) => line.slice(0, mark.length).toLowerCase() === mark);
  return { kind: found?.kind ?? "insight", text: line.slice(found?.mark.length ?? 0).trim() };
}

/** What two wordings of one thing have in common: marks, quotes, letter case and final punctuation aside. */
function plainOf(text: string): string {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[*_`"'“”‘’]/g, "");
  return foreignLine(plain).replace(/[.!;,]{1,8}$/, "") || text;
}

/** Short and stable: the same for two wordings of one thing. */
export function entryKey(text: string): string {
  return createHash("sha256").update(plainOf(text)).digest("hex").slice(0, 8);
}

/** What a text is called that has no name of its own: two branches give one name to one thing, and never the same to two. */
export function entryName(text: string): string {
  const words = titleOf({ body: text, id: "note" })
    .normalize("NFKD")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const title = (words ?? ["note"]).join("-").slice(0, 40).replace(/-+$/, "");
  return `${title}-${entryKey(text)}`;
}

/** What a person's yes is to: just this text, under this name. */
export function hashOf(slug: string, text: string): string {
  return createHash("sha256")
    .update(JSON.stringify([slug, text]))
    .digest("hex");
}
