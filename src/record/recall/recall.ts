import { setImmediate as breathe } from "node:timers/promises";
import { describeError } from "../../lib/error.ts";
import type { Logger } from "../../lib/logger.ts";
import type { RecordDocument } from "../store/record-documents.ts";
import type { Workspace } from "../workspace.ts";
import { entriesOf, ALL_KINDS, idOfEntry, type RecallEntry, type RecallKind } from "./entries.ts";
import type { RecallHit, SearchIndex } from "./search-index.ts";

/** Entries that someone else has read and judged. */
export interface ReadyDocument {
  readonly path: string;
  /** Differs after any change. */
  readonly signature: string;
  readonly entries: readonly RecallEntry[];
}

/** Documents that are taken up before anyone else gets a turn. */
const AT_ONCE = 50;

/** How a search goes. */
export interface RecallOptions {
  readonly kinds: ReadonlySet<RecallKind>;
  readonly prefix: boolean;
  readonly known?: () => Promise<readonly ReadyDocument[]>;
  readonly upTo?: Promise<unknown>;
}

/** Searches the whole record of a project, archived units included. */
export type Recall = ReturnType<typeof createRecall>;

/**
 * Keeps the index in memory and in step with the files: before each search, files with a new signature are read again.
 * Its code is loaded by the first search that has something to look through.
 * @param ready the entries that are searched beside the documents of the record
 */
export function createRecall(
  source: Pick<Workspace, "documents" | "readDocument">,
  logger: Logger,
  ready: () => Promise<readonly ReadyDocument[]> = async () => [],
) {
  let index: SearchIndex | null = null;
  /** What is in the index, by path. */
  const taken = new Map<string, { readonly signature: string; readonly holds: RecallKind }>();
  let last: Promise<void> = Promise.resolve();

  const refresh = async (kinds: ReadonlySet<RecallKind>, known: typeof ready): Promise<void> => {
    const listed = await source.documents();
    if (!listed.ok) throw new Error(listed.error);
    const given = kinds.has("learning") ? await known() : [];
    const all = [
      ...listed.documents.map((document) => ({ ...document, entries: async () => read(document) })),
      ...given.map(({ path, signature, entries }) => ({
        path,
        signature,
        holds: "learning" as const,
        entries: () => entries,
      })),
    ].filter(({ holds }) => kinds.has(holds));
    if (index === null && all.length === 0) return;
    index ??= (await import("./search-index.ts")).createSearchIndex();
    const present = new Set(all.map(({ path }) => path));
    for (const [path, { holds }] of taken) {
      if (!kinds.has(holds) || present.has(path)) continue;
      await index.drop(path);
      taken.delete(path);
    }
    let count = 0;
    for (const { path, signature, holds, entries } of all) {
      if (taken.get(path)?.signature === signature) continue;
      taken.set(path, { signature, holds });
      await index.put(path, await entries());
      count += 1;
      if (count % AT_ONCE === 0) await breathe();
    }
  };
  const read = async (document: RecordDocument): Promise<readonly RecallEntry[]> => {
    const found = await source.readDocument({ path: document.path });
    if (found.ok) return entriesOf(document, found.text);
    logger.log("warn", "recall", found.error);
    return [];
  };

  /** One after the other: two refreshes at once would read every new file twice. */
  const refreshed = async (kinds: ReadonlySet<RecallKind>, known = ready): Promise<void> => {
    last = last
      .then(async () => refresh(kinds, known))
      .catch((error: unknown) => {
        logger.log("warn", "recall", describeError(error));
      });
    return last;
  };

  return {
    /**
     * The hits of any word, best first, over the files as they are now. Never rejects: what cannot be read is logged.
     * @param options `known`: in place of `ready`; `upTo`: who asks waits no longer than for this, and is answered from what was
     * read by then, while reading goes on
     */
    async search(query: string, { known, upTo, ...options }: RecallOptions): Promise<RecallHit[]> {
      const whole = refreshed(options.kinds, known);
      await (upTo === undefined ? whole : Promise.race([whole, upTo]));
      return index?.search(query, options) ?? [];
    },
    /** The entry with this id, or that stands at this place (`path:line`), as the files are now. Never rejects. */
    async get(id: string): Promise<RecallEntry | null> {
      await refreshed(ALL_KINDS);
      for (const entry of index?.all() ?? [])
        if (idOfEntry(entry) === id || `${entry.path}:${entry.line}` === id) return entry;
      return null;
    },
    /** How many entries are in memory. */
    get size() {
      return index?.size ?? 0;
    },
  };
}
