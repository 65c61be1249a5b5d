import type { JudgedEntry } from "../entries/judge.ts";
import { excerpt } from "../../lib/excerpt.ts";
import type { RecallEntry } from "./entry.ts";
import type { ReadyDocument } from "./recall.ts";

/** An entry is found as one thing up to this many characters. */
const MAX_WHOLE = 4_000;
/** A longer one in pieces of about so many, each from a blank line or a heading on. */
const PIECE = 1_500;
const MAX_PIECES = 400;

interface Piece {
  readonly text: string;
  /** From 0, within the body. */
  readonly at: number;
}

const made = new WeakMap<readonly JudgedEntry[], readonly ReadyDocument[]>();

/** Accepted entries as they are searched: each is one thing that is known, a long one many. The same for the same list. */
export function documentsOf(entries: readonly JudgedEntry[]): readonly ReadyDocument[] {
  const documents = made.get(entries) ?? makeDocuments(entries);
  made.set(entries, documents);
  return documents;
}

function makeDocuments(entries: readonly JudgedEntry[]): ReadyDocument[] {
  return entries.map(({ path, hash, scope, slug, id, kind, source, about, body, line, at: date }) => ({
    path,
    signature: hash,
    entries: piecesOf(body).map(({ text, at }): RecallEntry => ({
      kind: "learning",
      text: excerpt(text, MAX_WHOLE),
      heading: id,
      learning: kind,
      about,
      unit: source || null,
      date: date.slice(0, 10),
      // No agent reads the file itself, in which proposals lie as well.
      path: scope === "user" ? `user/${slug}.md` : `.gaia/knowledge/${slug}.md`,
      line: line + at,
    })),
  }));
}

function piecesOf(body: string): Piece[] {
  if (body.length <= MAX_WHOLE) return [{ text: body, at: 0 }];
  const pieces: { lines: string[]; at: number; size: number }[] = [];
  let isBlank = true;
  for (const [at, line] of body.split("\n").entries()) {
    const last = pieces.at(-1);
    const isFull = last === undefined || last.size > MAX_WHOLE || (isBlank && last.size > PIECE);
    if (isFull || (/^#{1,6}\s/.test(line) && last.size > PIECE / 4))
      pieces.push({ lines: [line], at, size: line.length });
    else {
      last.lines.push(line);
      last.size += line.length;
    }
    isBlank = line.trim() === "";
  }
  return pieces.slice(0, MAX_PIECES).map(({ lines, at }) => ({ text: lines.join("\n"), at }));
}
