import type { Knowledge } from "../entries/open.ts";
import type { Clock } from "../../lib/clock.ts";
import { documentsOf } from "./entries.ts";
import { recallKey, type RecallKind } from "./entry.ts";
import type { Recall } from "./recall.ts";

const KNOWN = new Set<RecallKind>(["learning"]);

export interface KnownQuestion {
  readonly query: string;
  readonly limit?: number | undefined;
  /** The part of the best one's score that an answer has at least; 0.3 by default. */
  readonly threshold?: number | undefined;
}

interface KnownAnswer {
  readonly id: string;
  readonly type: string;
  readonly scope: "project" | "user";
  readonly text: string;
  /** ISO day; empty when unknown. */
  readonly date: string;
  readonly score: number;
}

/** Searches accepted entries, the project's first. @param timeoutMs then the answer is not whole: from what was read by then */
export function createKnownQuery(
  recall: Pick<Recall, "search">,
  knowledge: Pick<Knowledge, "accepted">,
  clock: Clock,
  timeoutMs: number,
): (question: KnownQuestion) => Promise<{ answers: readonly KnownAnswer[]; isWhole: boolean }> {
  return async ({ query, limit = 5, threshold = 0.3 }) => {
    let isWhole = true;
    let cancel = (): void => undefined;
    const upTo = new Promise<void>((done) => {
      cancel = clock.after(timeoutMs, () => {
        isWhole = false;
        done();
      });
    });
    const known = documentsOf(await knowledge.accepted());
    const found = await recall.search(query, { kinds: KNOWN, prefix: true, upTo });
    cancel();
    // What could not be looked at in time may hold what counted before.
    const counting = new Set(known.flatMap(({ entries }) => entries().map(recallKey)));
    const hits = found.filter(({ entry }) => counting.has(recallKey(entry)));
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
    return { answers, isWhole };
  };
}
