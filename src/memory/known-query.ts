import type { Knowledge } from "../knowledge/open.ts";
import type { Clock } from "../lib/clock.ts";
import type { RecallKind } from "./recall/entry.ts";
import type { Recall } from "./recall/recall.ts";

/** How long an answer is given again, as long as nothing that counts has changed. */
const CACHED_MS = 60_000;
const MAX_CACHED = 200;
const KNOWN = new Set<RecallKind>(["knowledge"]);

/** What someone asks of what is known. */
export interface KnownQuestion {
  readonly query: string;
  /** The most answers; 5 by default. */
  readonly limit?: number | undefined;
  /** The part of the best one's score that an answer has at least; 0.3 by default. */
  readonly threshold?: number | undefined;
}

/** An accepted entry that answers. */
export interface KnownAnswer {
  readonly id: string;
  readonly type: string;
  readonly scope: "project" | "user";
  readonly text: string;
  /** ISO day; empty when unknown. */
  readonly date: string;
  /** 1 for the best. */
  readonly score: number;
}

/** Asks what people accepted as known: the best of the project's before the best of the user's own. */
export function createKnownQuery(
  recall: Pick<Recall, "search">,
  knowledge: Pick<Knowledge, "accepted">,
  clock: Clock,
): (question: KnownQuestion) => Promise<readonly KnownAnswer[]> {
  const cache = new Map<string, { readonly at: number; readonly answers: readonly KnownAnswer[] }>();
  let state: readonly unknown[] = [];
  return async ({ query, limit = 5, threshold = 0.3 }) => {
    const now = await knowledge.accepted();
    if (now !== state) cache.clear();
    state = now;
    const key = JSON.stringify([query, limit, threshold]);
    const before = cache.get(key);
    if (before !== undefined && clock.now() - before.at < CACHED_MS) return before.answers;
    const hits = await recall.search(query, { kinds: KNOWN, prefix: true });
    const best = hits[0]?.score ?? 1;
    // Of an entry that is found in several places, the best of them.
    const places = new Map(hits.toReversed().map((hit) => [hit.entry.path, hit]));
    const answers = [...places.values()]
      .toSorted((one, other) => other.score - one.score)
      .map(({ entry, score }): KnownAnswer => {
        const { heading: id, learning: type = "note", text, date, path } = entry;
        const scope = path.startsWith("user/") ? "user" : "project";
        return { id, type, scope, text, date, score: Math.round((score / best) * 100) / 100 };
      })
      .filter(({ score }) => score >= threshold)
      .toSorted((a, b) => Number(a.scope === "user") - Number(b.scope === "user"))
      .slice(0, limit);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(key, { at: clock.now(), answers });
    return answers;
  };
}
