import type { JudgedEntry } from "../../knowledge/judge.ts";
import { excerpt } from "../../lib/excerpt.ts";
import type { ReadyDocument } from "./recall.ts";

/** What of an entry can be searched, in characters. */
const MAX_TEXT = 4_000;

const made = new WeakMap<readonly JudgedEntry[], readonly ReadyDocument[]>();

/** Accepted entries as they are searched: each is one thing that is known. The same for the same list. */
export function documentsOf(entries: readonly JudgedEntry[]): readonly ReadyDocument[] {
  const documents = made.get(entries) ?? makeDocuments(entries);
  made.set(entries, documents);
  return documents;
}

function makeDocuments(entries: readonly JudgedEntry[]): ReadyDocument[] {
  return entries.map(({ path, hash, scope, slug, id, type, body, at }) => ({
    path,
    signature: hash,
    entries: [
      {
        kind: "knowledge",
        text: excerpt(body, MAX_TEXT),
        heading: id,
        learning: type,
        unit: null,
        date: at.slice(0, 10),
        // No agent reads the file itself, in which proposals lie as well.
        path: scope === "user" ? `user/${slug}.md` : `.gaia/knowledge/${slug}.md`,
        line: 1,
      },
    ],
  }));
}
