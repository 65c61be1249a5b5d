import { createLines, inTurns, lazy } from "../../lib/async.ts";
import { type Logger, logFailure } from "../../lib/error.ts";
import type { Knowledge } from "../knowledge.ts";
import type { Workspace } from "../workspace.ts";
import { type RecallEntry, ALL_KINDS, idOfEntry, type RecallKind } from "./entry.ts";
import { documentsOf, type RecallDocument } from "./entries.ts";
import { rankEntries, type RecallHit } from "./rank.ts";

/** Documents that are taken apart before others have their turn. */
const AT_ONCE = 50;

export type Recall = ReturnType<typeof createRecall>;

/** Keeps entries in step with the files by their signatures. @param knowledge is searched beside the record's documents */
export function createRecall(
  source: Pick<Workspace, "documents">,
  logger: Logger,
  knowledge?: Pick<Knowledge, "accepted">,
) {
  const inLine = createLines();
  let known: ReadonlyMap<string, RecallDocument> = new Map();
  let size = 0;

  const refresh = async (): Promise<void> => {
    const listed = await source.documents();
    if (!listed.ok) throw new Error(listed.error);
    const all = [...listed.documents, ...documentsOf((await knowledge?.accepted()) ?? [])];
    const asBefore = (fresh: RecallDocument): RecallDocument => {
      const before = known.get(fresh.path);
      return before?.signature === fresh.signature ? before : { ...fresh, entries: lazy(fresh.entries) };
    };
    known = new Map(all.map((fresh) => [fresh.path, asBefore(fresh)]));
  };
  const entriesOfKinds = async (kinds: ReadonlySet<RecallKind>): Promise<RecallEntry[]> => {
    // One after the other: the later one has what the earlier one took apart.
    await inLine("", refresh).catch(logFailure(logger, "warn", "recall"));
    const wanted = [...known.values()].filter(({ holds }) => kinds.has(holds));
    const found: (readonly RecallEntry[])[] = [];
    for await (const some of inTurns(wanted, AT_ONCE)) found.push(...some.map((each) => each.entries()));
    const entries = found.flat();
    size = entries.length;
    return entries;
  };

  return {
    /** The hits of any word, best first, over the files as they are now. Never rejects: what cannot be read is logged. */
    async search(query: string, kinds: ReadonlySet<RecallKind> = ALL_KINDS): Promise<RecallHit[]> {
      return rankEntries(await entriesOfKinds(kinds), query);
    },
    /** The entry with this id, or that stands at this place (`path:line`), as the files are now. Never rejects. */
    async get(id: string): Promise<RecallEntry | null> {
      const isIt = (entry: RecallEntry): boolean =>
        idOfEntry(entry) === id || `${entry.path}:${entry.line}` === id;
      return (await entriesOfKinds(ALL_KINDS)).find(isIt) ?? null;
    },
    /** How many entries the last question was asked of. */
    get size() {
      return size;
    },
  };
}
