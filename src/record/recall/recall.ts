import { setImmediate as breathe } from "node:timers/promises";
import { describeError } from "../../lib/error.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Knowledge } from "../knowledge.ts";
import type { Workspace } from "../workspace.ts";
import { type RecallEntry, ALL_KINDS, idOfEntry, type RecallKind } from "./entry.ts";
import { documentsOf } from "./entries.ts";
import { rankEntries, type RecallHit } from "./rank.ts";

const AT_ONCE = 50;

export type Recall = ReturnType<typeof createRecall>;

/** Keeps entries in step with the files by their signatures. @param knowledge is searched beside the record's documents */
export function createRecall(
  source: Pick<Workspace, "documents">,
  logger: Logger,
  knowledge?: Pick<Knowledge, "accepted">,
) {
  const taken = new Map<string, { signature: string; holds: RecallKind; entries: readonly RecallEntry[] }>();
  let last: Promise<void> = Promise.resolve();

  const refresh = async (kinds: ReadonlySet<RecallKind>): Promise<void> => {
    const listed = await source.documents();
    if (!listed.ok) throw new Error(listed.error);
    const given = kinds.has("learning") ? documentsOf((await knowledge?.accepted()) ?? []) : [];
    const all = [...listed.documents, ...given].filter(({ holds }) => kinds.has(holds));
    const present = new Set(all.map(({ path }) => path));
    for (const [path, { holds }] of taken) if (kinds.has(holds) && !present.has(path)) taken.delete(path);
    const stale = all.filter(({ path, signature }) => taken.get(path)?.signature !== signature);
    for (const [at, { path, signature, holds, entries }] of stale.entries()) {
      if (at % AT_ONCE === AT_ONCE - 1) await breathe();
      taken.set(path, { signature, holds, entries: entries() });
    }
  };
  const entriesOfKinds = (kinds: ReadonlySet<RecallKind>): RecallEntry[] =>
    [...taken.values()].flatMap(({ holds, entries }) => (kinds.has(holds) ? entries : []));

  /** One after the other: two refreshes at once would read every new file twice. */
  const refreshed = async (kinds: ReadonlySet<RecallKind>): Promise<void> => {
    last = last
      .then(async () => refresh(kinds))
      .catch((error: unknown) => {
        logger.log("warn", "recall", describeError(error));
      });
    return last;
  };

  return {
    /** The hits of any word, best first, over the files as they are now. Never rejects: what cannot be read is logged. */
    async search(
      query: string,
      { kinds, prefix }: { kinds: ReadonlySet<RecallKind>; prefix: boolean },
    ): Promise<RecallHit[]> {
      await refreshed(kinds);
      return rankEntries(entriesOfKinds(kinds), query, prefix);
    },
    /** The entry with this id, or that stands at this place (`path:line`), as the files are now. Never rejects. */
    async get(id: string): Promise<RecallEntry | null> {
      await refreshed(ALL_KINDS);
      const isIt = (entry: RecallEntry): boolean =>
        idOfEntry(entry) === id || `${entry.path}:${entry.line}` === id;
      return entriesOfKinds(ALL_KINDS).find(isIt) ?? null;
    },
    get size() {
      return entriesOfKinds(ALL_KINDS).length;
    },
  };
}

interface KnownQuestion {
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
