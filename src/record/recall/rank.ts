import { setImmediate as breathe } from "node:timers/promises";
import type { RecallEntry } from "./entry.ts";
import { isGeneric, termOf, wordsOf } from "./terms.ts";

export interface RecallHit {
  readonly entry: RecallEntry;
  readonly score: number;
  readonly terms: readonly string[];
}

/** A query longer than this is a pasted log; its first words say what it is about. */
const MAX_QUERY_TERMS = 60;
/** Entries that are looked at before anyone else gets a turn. */
const AT_ONCE = 200;
/** BM25+: how soon repetition stops to count, how much length does, and what a word counts at least. */
const [SATURATION, LENGTH, LEAST] = [1.2, 0.7, 0.5];
/** What a longer word counts that begins with a word of the query; shorter ones than this begin too many. */
const PART = 0.3;
const MIN_PREFIX = 4;
/** Behind a term, for words that only begin with it: they are counted and weighed by themselves. */
const BEGUN = "*";
const GENERIC = 0.5;

/** Entries with any word of the query by BM25+, the best first. One pass: for one query faster than an index. */
export async function rankEntries(
  entries: readonly RecallEntry[],
  query: string,
  prefix: boolean,
): Promise<RecallHit[]> {
  const terms = [...new Set(wordsOf(query).flatMap((word) => termOf(word) ?? []))].slice(0, MAX_QUERY_TERMS);
  if (terms.length === 0) return [];
  const count = createCounter(terms, prefix);
  const spread = new Map<string, number>();
  const found: { readonly entry: RecallEntry; readonly counts: ReadonlyMap<string, number> }[] = [];
  let characters = 0;
  for (const [at, entry] of entries.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await breathe();
    characters += entry.text.length;
    const counts = count(entry);
    for (const term of counts.keys()) spread.set(term, (spread.get(term) ?? 0) + 1);
    if (counts.size > 0) found.push({ entry, counts });
  }
  const weightOf = (term: string, n: number): number =>
    Math.log(1 + (entries.length - n + 0.5) / (n + 0.5)) * (isGeneric(term.replace(BEGUN, "")) ? GENERIC : 1);
  const weights = new Map([...spread].map(([term, n]) => [term, weightOf(term, n)] as const));
  const usual = characters / entries.length;
  const scoreOf = ({ entry, counts }: (typeof found)[number]): number => {
    const bound = SATURATION * (1 - LENGTH + (LENGTH * entry.text.length) / usual);
    const worthOf = ([key, n]: readonly [string, number]): number =>
      (weights.get(key) ?? 0) *
      (LEAST + (n * (SATURATION + 1)) / (n + bound)) *
      (key.endsWith(BEGUN) ? PART : 1);
    return [...counts].reduce((sum, each) => sum + worthOf(each), 0);
  };
  const termsOf = (counts: ReadonlyMap<string, number>): string[] => [
    ...new Set([...counts.keys()].map((key) => key.replace(BEGUN, ""))),
  ];
  return found
    .map((each) => ({ entry: each.entry, score: scoreOf(each), terms: termsOf(each.counts) }))
    .toSorted((one, other) => other.score - one.score);
}

/** How often an entry holds each of these terms, and words that begin with it; what stands in its text counts twice. */
function createCounter(
  terms: readonly string[],
  prefix: boolean,
): (entry: RecallEntry) => ReadonlyMap<string, number> {
  const forms = new Map<string, string>();
  for (const term of terms)
    for (const form of [term, `${term}s`, term.replace(/y$/, "ies")])
      if (termOf(form) === term) forms.set(form, term);
  const beginnings = prefix ? terms.filter((term) => term.length >= MIN_PREFIX) : [];
  const foundIn = (field: string): string[] =>
    wordsOf(field).flatMap((word) => {
      const term = forms.get(word);
      const begun = beginnings.filter((each) => each !== term && word.startsWith(each));
      return [...(term === undefined ? [] : [term]), ...begun.map((each) => each + BEGUN)];
    });
  return ({ text, heading, unit, about = [] }) => {
    const counts = new Map<string, number>();
    const around = foundIn([heading, unit ?? "", ...about].join(" "));
    for (const term of foundIn(text)) counts.set(term, (counts.get(term) ?? 0) + 2);
    for (const term of around) counts.set(term, (counts.get(term) ?? 0) + 1);
    return counts;
  };
}
