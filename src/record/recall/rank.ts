import { inTurns } from "../../lib/async.ts";
import type { RecallEntry } from "./entry.ts";
import { isGeneric, termOf, wordsOf } from "./terms.ts";

export type RecallHit = Awaited<ReturnType<typeof rankEntries>>[number];

/** A query longer than this is a pasted log; its first words say what it is about. */
const MAX_QUERY_TERMS = 60;
/** Entries that are looked at before anyone else gets a turn. */
const AT_ONCE = 200;
/** How soon repetition stops to count, as in BM25. */
const SATURATION = 1.2;
/** What a word counts that only begins as a term does; shorter terms than this begin too many. */
const PART = 0.2;
const MIN_PREFIX = 4;
const GENERIC = 0.5;

/** Entries with any word of the query, those with the most and the rarest first. One pass: for one query faster than an index. */
export async function rankEntries(entries: readonly RecallEntry[], query: string) {
  const terms = [...new Set(wordsOf(query).flatMap((word) => termOf(word) ?? []))].slice(0, MAX_QUERY_TERMS);
  if (terms.length === 0) return [];
  const count = createCounter(terms);
  const spread = new Map<string, number>();
  const found: { readonly entry: RecallEntry; readonly counts: ReadonlyMap<string, number> }[] = [];
  for await (const some of inTurns(entries, AT_ONCE))
    for (const entry of some) {
      const counts = count(entry);
      for (const term of counts.keys()) spread.set(term, (spread.get(term) ?? 0) + 1);
      if (counts.size > 0) found.push({ entry, counts });
    }
  const weightOf = (term: string): number =>
    Math.log(1 + entries.length / (spread.get(term) ?? 1)) * (isGeneric(term) ? GENERIC : 1);
  const weights = new Map(terms.map((term) => [term, weightOf(term)]));
  return found
    .map(({ entry, counts }) => ({
      entry,
      score: [...counts].reduce(
        (sum, [term, n]) => sum + ((weights.get(term) ?? 0) * n) / (n + SATURATION),
        0,
      ),
      /** Those of the query that it holds. */
      terms: [...counts].filter(([, n]) => n >= 1).map(([term]) => term),
    }))
    .toSorted((one, other) => other.score - one.score);
}

/** How often an entry holds each of these terms; less than once where its words only begin alike. */
function createCounter(terms: readonly string[]): (entry: RecallEntry) => ReadonlyMap<string, number> {
  // Singular and plural are found without reducing each word of the record.
  const forms = new Map(
    terms.flatMap((term) =>
      [term, `${term}s`, term.replace(/y$/, "ies")]
        .filter((form) => termOf(form) === term)
        .map((form) => [form, term] as const),
    ),
  );
  const beginnings = terms.filter((term) => term.length >= MIN_PREFIX);
  return ({ text, heading, unit, about = [] }) => {
    const counts = new Map<string, number>();
    const add = (term: string, n: number): void => void counts.set(term, (counts.get(term) ?? 0) + n);
    const others = new Set<string>();
    for (const word of wordsOf([text, heading, unit ?? "", ...about].join(" "))) {
      const term = forms.get(word);
      if (term === undefined) others.add(word);
      else add(term, 1);
    }
    for (const begun of beginnings) if ([...others].some((word) => word.startsWith(begun))) add(begun, PART);
    return counts;
  };
}
