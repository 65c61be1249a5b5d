import type { Clock } from "../../lib/clock.ts";
import type { Knowledge } from "../entries/open.ts";
import { documentsOf } from "./entries.ts";
import { rankEntries } from "./rank.ts";

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

/** Searches accepted entries, the project's first. @param timeoutMs what took so long to read may not be all of it */
export function createKnownQuery(
  knowledge: Pick<Knowledge, "accepted">,
  clock: Pick<Clock, "now">,
  timeoutMs: number,
): (question: KnownQuestion) => Promise<{ answers: readonly KnownAnswer[]; isWhole: boolean }> {
  return async ({ query, limit = 5, threshold = 0.3 }) => {
    const begun = clock.now();
    const known = documentsOf(await knowledge.accepted());
    const isWhole = clock.now() - begun < timeoutMs;
    const hits = await rankEntries(
      known.flatMap(({ entries }) => entries()),
      query,
      true,
    );
    const best = hits[0]?.score ?? 1;
    // Of an entry that is found in several places, the best of them.
    const places = new Map(hits.toReversed().map((hit) => [hit.entry.path, hit]));
    const answers = [...places.values()]
      .toReversed()
      .map(({ entry, score }): KnownAnswer => {
        const { heading: id, learning: type = "note", text, date, path } = entry;
        const scope = path.startsWith("user/") ? "user" : "project";
        return { id, type, scope, text, date, score: Math.round((score / best) * 100) / 100 };
      })
      .filter(({ score }) => score >= threshold)
      .toSorted((a, b) => b.score - a.score)
      .toSorted((a, b) => Number(a.scope === "user") - Number(b.scope === "user"))
      .slice(0, limit);
    return { answers, isWhole };
  };
}
