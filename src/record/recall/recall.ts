import { setImmediate as breathe } from "node:timers/promises";
import { describeError, type Logger } from "../../lib/error.ts";
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
    async search(query: string, kinds: ReadonlySet<RecallKind> = ALL_KINDS): Promise<RecallHit[]> {
      await refreshed(kinds);
      return rankEntries(entriesOfKinds(kinds), query);
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
