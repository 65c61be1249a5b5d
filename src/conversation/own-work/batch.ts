import { createLines } from "../../lib/async.ts";
import { joinChanges, type TreeChange } from "../../snapshot/version.ts";
import type { WorkStore } from "../../work-tree/work-store.ts";

/** Files of one batch that can be reverted; further ones are not recorded. */
const MAX_CHANGES = 1_000;
const MAX_BEYOND = 10;

/** The changes of the last batch that made any, for "undo last". */
export interface BatchRecord {
  readonly changes: readonly TreeChange[];
  /** What it did beyond the files of the tree: ignored files, commands with effects elsewhere. */
  readonly beyond: readonly string[];
  /** Whether HEAD moved: the files alone do not restore the state before. */
  readonly movesCommits: boolean;
  /** Whether some of its changes are unknown. */
  readonly isPartial: boolean;
  /** The next batch has begun, without a change so far. */
  readonly isOver: boolean;
}

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

/** Adds a call to the record. The first call that changes something in the next batch starts a new record. */
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

/** Why a batch cannot be undone, for the user; null where it can. */
export function whyNotUndone({ changes, movesCommits, isPartial }: BatchRecord): string | null {
  if (movesCommits) return "commits came or went in it, and only you change the history";
  if (changes.length > 0) return null;
  return isPartial ? "the project's tree could not be looked at" : "there is nothing to take back";
}

/** Keeps the record of a batch over a restart. Works with it in the order of the calls, after the saved one is read. */
export function keepBatch(store: WorkStore, name: string) {
  const inLine = createLines();
  let kept: { record: BatchRecord } | null = null;
  return async <T>(work: (held: { record: BatchRecord }) => T | Promise<T>): Promise<T> =>
    inLine("", async () => {
      kept ??= { record: { ...NO_RECORD, ...(await store.load(name)) } };
      const { record } = kept;
      const done = await work(kept);
      if (kept.record !== record) store.save(name, () => ({ ...kept?.record }));
      return done;
    });
}
