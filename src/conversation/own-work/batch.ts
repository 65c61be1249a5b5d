import * as z from "zod/mini";
import { createLines, lazy } from "../../lib/async.ts";
import { orElse, readSaved, savedFlag } from "../../lib/schema.ts";
import { joinChanges } from "../../snapshot/version.ts";
import { savedChange } from "./ledger.ts";
import type { WorkStore } from "./store.ts";

/** Files of one batch that can be taken back; of more it is not told what they were. */
const MAX_CHANGES = 1_000;
const MAX_BEYOND = 10;

const recordSchema = lazy(() =>
  z.object({
    changes: orElse(z.array(savedChange()).check(z.maxLength(MAX_CHANGES)), []),
    /** What it did that no file of the tree shows: commits, files that are ignored, commands that reach further. */
    beyond: orElse(z.array(z.string()), []),
    /** Whether commits came or went, so that files alone do not tell how it was before. */
    movesCommits: savedFlag(),
    /** Whether some of it is not known. */
    isPartial: savedFlag(),
    /** The next one has begun, and nothing has changed in it yet. */
    isOver: savedFlag(),
  }),
);

/** What the last batch did that changed something, so that it can be taken back. */
export type BatchRecord = Readonly<z.infer<ReturnType<typeof recordSchema>>>;

export const NO_RECORD: BatchRecord = {
  changes: [],
  beyond: [],
  movesCommits: false,
  isPartial: false,
  isOver: false,
};

export function isEmptyRecord({ changes, beyond, movesCommits, isPartial }: BatchRecord): boolean {
  return changes.length + beyond.length === 0 && !movesCommits && !isPartial;
}

/** The record with one more call in it: the first that changes something in the next batch begins anew. */
export function addToRecord(known: BatchRecord, more: Partial<BatchRecord>): BatchRecord {
  const { changes: fresh = [], beyond = [], movesCommits = false, isPartial = false } = more;
  const isNext = known.isOver && (fresh.length > 0 || movesCommits || isPartial);
  const record = isNext ? NO_RECORD : known;
  const changes = joinChanges(record.changes, fresh);
  return {
    changes: changes.slice(0, MAX_CHANGES),
    beyond: [...new Set([...record.beyond, ...beyond])].slice(0, MAX_BEYOND),
    movesCommits: record.movesCommits || movesCommits,
    isPartial: record.isPartial || isPartial || changes.length > MAX_CHANGES,
    isOver: record.isOver,
  };
}

/** Why a batch cannot be taken back, in words for its user; null where it can. */
export function whyNotUndone({ changes, movesCommits, isPartial }: BatchRecord): string | null {
  if (movesCommits) return "commits came or went in it, and only you change the history";
  if (changes.length > 0) return null;
  return isPartial ? "the project's tree could not be looked at" : "there is nothing to take back";
}

/**
 * Keeps a batch over a restart. All is done with it in the order in which it was asked for, so it may end before what an
 * earlier process left of it is read.
 */
export function keepBatch(store: WorkStore, name: string) {
  const inLine = createLines();
  let kept: { record: BatchRecord } | null = null;
  return async <T>(work: (held: { record: BatchRecord }) => T | Promise<T>): Promise<T> =>
    inLine("", async () => {
      kept ??= { record: readSaved(recordSchema(), [await store.load(name)], 1)[0] ?? NO_RECORD };
      const { record } = kept;
      const done = await work(kept);
      if (kept.record !== record) store.save(name, () => ({ ...kept?.record }));
      return done;
    });
}
