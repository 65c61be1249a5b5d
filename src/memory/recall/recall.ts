import { describeError } from "../../lib/error.ts";
import type { Logger } from "../../lib/logger.ts";
import type { RecordDocument } from "../../workspace/store/record-documents.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { entriesOf } from "./entries.ts";
import type { RecallKind } from "./entry.ts";
import type { RecallHit, SearchIndex } from "./search-index.ts";

/** Searches the whole record of a project, archived units included. */
export type Recall = ReturnType<typeof createRecall>;

/**
 * Keeps the index in memory and in step with the files: before each search, files with a new signature are read again.
 * Its code is loaded by the first search that has something to look through.
 */
export function createRecall(source: Pick<Workspace, "documents" | "readDocument">, logger: Logger) {
  let index: SearchIndex | null = null;
  const signatures = new Map<string, string>();
  let last: Promise<void> = Promise.resolve();

  const refresh = async (kinds: ReadonlySet<RecallKind>): Promise<void> => {
    const listed = await source.documents();
    if (!listed.ok) throw new Error(listed.error);
    if (index === null && !listed.documents.some(({ holds }) => kinds.has(holds))) return;
    index ??= (await import("./search-index.ts")).createSearchIndex();
    const present = new Set(listed.documents.map(({ path }) => path));
    for (const path of [...signatures.keys()].filter((known) => !present.has(known))) {
      index.drop(path);
      signatures.delete(path);
    }
    const changed = listed.documents.filter(
      ({ path, holds, signature }) => kinds.has(holds) && signatures.get(path) !== signature,
    );
    for (const document of changed) await readAgain(index, document);
  };

  const readAgain = async (into: SearchIndex, document: RecordDocument): Promise<void> => {
    signatures.set(document.path, document.signature);
    const read = await source.readDocument({ path: document.path });
    if (!read.ok) logger.log("warn", "recall", read.error);
    into.put(document.path, read.ok ? entriesOf(document, read.text) : []);
  };

  return {
    /** The hits of any word, best first, over the files as they are now. Never rejects: what cannot be read is logged. */
    async search(
      query: string,
      options: { kinds: ReadonlySet<RecallKind>; prefix: boolean },
    ): Promise<RecallHit[]> {
      // One after the other: two refreshes at once would read every new file twice.
      last = last
        .then(async () => refresh(options.kinds))
        .catch((error: unknown) => {
          logger.log("warn", "recall", describeError(error));
        });
      await last;
      return index?.search(query, options) ?? [];
    },
    /** How many entries are in memory. */
    get size() {
      return index?.size ?? 0;
    },
  };
}
