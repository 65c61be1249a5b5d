import { setImmediate as breathe } from "node:timers/promises";
import MiniSearch from "minisearch";
import type { RecallEntry, RecallKind } from "./entries.ts";
import { termOf, wordsOf } from "./terms.ts";

/** A found entry. `terms` are the words of the query, in their indexed form, that it holds. */
export interface RecallHit {
  readonly entry: RecallEntry;
  readonly score: number;
  readonly terms: readonly string[];
}

/** A query longer than this is a pasted log; its first words say what it is about. */
const MAX_QUERY_TERMS = 60;
/** With this many entries found by the rarer words of a query, its commoner words only rank those. */
const ENOUGH = 200;
/** Entries that are taken up before anyone else gets a turn: a few milliseconds. */
const AT_ONCE = 100;

interface Indexed {
  readonly id: number;
  readonly text: string;
  readonly heading: string;
  readonly unit: string;
  readonly about: string;
}

/** The record in memory, ranked by BM25+. */
export type SearchIndex = ReturnType<typeof createSearchIndex>;

export function createSearchIndex() {
  /** How often each term was indexed; what is gone since then does not matter for an order of rarity. */
  const occurrences = new Map<string, number>();
  const index = new MiniSearch<Indexed>({
    fields: ["text", "heading", "unit", "about"],
    tokenize: wordsOf,
    processTerm(word, field) {
      const term = termOf(word);
      if (field !== undefined && term !== null) occurrences.set(term, (occurrences.get(term) ?? 0) + 1);
      return term;
    },
    searchOptions: { boost: { text: 2 }, combineWith: "OR" },
  });
  const entries = new Map<number, RecallEntry>();
  const files = new Map<string, Map<string, number[]>>();
  let nextId = 0;

  const add = (entry: RecallEntry): number => {
    nextId += 1;
    entries.set(nextId, entry);
    const { text, heading, unit, about = [] } = entry;
    index.add({ id: nextId, text, heading, unit: unit ?? "", about: about.join(" ") });
    return nextId;
  };
  const put = async (path: string, fresh: readonly RecallEntry[]): Promise<void> => {
    const before = files.get(path) ?? new Map<string, number[]>();
    const after = new Map<string, number[]>();
    let added = 0;
    for (const entry of fresh) {
      const key = `${entry.heading}\n${entry.text}`;
      const known = before.get(key)?.shift();
      // An entry that only moved keeps its place in the index: a log that grows is not indexed again each time.
      if (known !== undefined) entries.set(known, entry);
      const id = known ?? add(entry);
      if (known === undefined && (added += 1) % AT_ONCE === 0) await breathe();
      after.set(key, [...(after.get(key) ?? []), id]);
    }
    for (const id of [...before.values()].flat()) {
      index.discard(id);
      entries.delete(id);
    }
    files.set(path, after);
  };

  return {
    /** Makes `entries` what stands in the file `path`; only what differs from before is indexed. One at a time. */
    put,
    async drop(path: string): Promise<void> {
      await put(path, []);
      files.delete(path);
    },
    /**
     * Entries that hold any word of the query, the best first.
     * @param options `prefix`: longer words of the query also find words that begin with them, and where the rarer ones
     * find {@link ENOUGH}, entries that hold none of those are left out: they would stand at the end of a long list
     */
    search(
      query: string,
      { kinds, prefix }: { kinds: ReadonlySet<RecallKind>; prefix: boolean },
    ): RecallHit[] {
      const terms = new Set(wordsOf(query).filter((word) => termOf(word) !== null));
      if (terms.size === 0) return [];
      const rarity = (word: string): number => occurrences.get(termOf(word) ?? "") ?? 0;
      const asked = [...terms].slice(0, MAX_QUERY_TERMS);
      const ordered = prefix ? asked.toSorted((a, b) => rarity(a) - rarity(b)) : asked;
      const results = index.search(ordered.join(" "), {
        prefix: prefix ? (term) => term.length > 3 : false,
        ...(prefix ? { boostDocument: onlyEnough(ordered.map((word) => termOf(word) ?? word)) } : {}),
        filter: ({ id }) => kinds.has(entries.get(id as number)?.kind ?? "plan"),
      });
      return results.flatMap(({ id, score, queryTerms }) => {
        const entry = entries.get(id as number);
        return entry === undefined ? [] : [{ entry, score, terms: queryTerms }];
      });
    },
    all: (): Iterable<RecallEntry> => entries.values(),
    /** How many entries it holds. */
    get size() {
      return entries.size;
    },
  };
}

/** Weighs an entry by 0 when it is found by a commoner word only, and there are enough without it. */
function onlyEnough(terms: readonly string[]): (id: unknown, found: string) => number {
  const known = new Set<unknown>();
  let last = "";
  let word: string | undefined;
  let isFull = false;
  return (id, found) => {
    // Words come one after the other, each with all that begin with it.
    if (found !== last) {
      last = found;
      const begun = terms.find((term) => found.startsWith(term));
      if (begun !== word) isFull = known.size >= ENOUGH;
      word = begun;
    }
    if (isFull && !known.has(id)) return 0;
    known.add(id);
    return 1;
  };
}
