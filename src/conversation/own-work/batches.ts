import * as z from "zod/mini";
import { createLines } from "../../lib/in-line.ts";
import { lazy } from "../../lib/lazy.ts";
import { listOf, recordOf, textOf } from "../../lib/json.ts";
import { readSaved } from "../../lib/schema.ts";
import { joinChanges, type TreeChange } from "../../snapshot/version.ts";
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
  }),
);

/** What a batch did, so that it can be taken back. */
export type BatchRecord = Readonly<z.infer<ReturnType<typeof recordSchema>>>;

/** GAIA's own record, which is no part of the project's tree. */
export const RECORD = /^(?:\.\/)?\.gaia\//u;

export const NO_RECORD: BatchRecord = { changes: [], beyond: [], movesCommits: false, isPartial: false };

export function isEmptyRecord({ changes, beyond, movesCommits, isPartial }: BatchRecord): boolean {
  return changes.length + beyond.length === 0 && !movesCommits && !isPartial;
}

/** The record with one more call in it. */
export function addToRecord(record: BatchRecord, more: Partial<BatchRecord>): BatchRecord {
  const changes = joinChanges(record.changes, more.changes ?? []);
  return {
    changes: changes.slice(0, MAX_CHANGES),
    beyond: [...new Set([...record.beyond, ...(more.beyond ?? [])])].slice(0, MAX_BEYOND),
    movesCommits: record.movesCommits || more.movesCommits === true,
    isPartial: record.isPartial || more.isPartial === true || changes.length > MAX_CHANGES,
  };
}

/** Why a batch cannot be taken back, in words for its user; null where it can. */
export function whyNotUndone({ changes, movesCommits, isPartial }: BatchRecord): string | null {
  if (movesCommits) return "commits came or went in it, and only you change the history";
  if (changes.length > 0) return null;
  return isPartial ? "the project's tree could not be looked at" : "there is nothing to take back";
}

/** The batch under way and the one before it. */
export interface Batches {
  now: BatchRecord;
  last: BatchRecord;
}

/** Which of them a user would take back. */
export function standingOf({ now: { changes, movesCommits, isPartial } }: Batches): keyof Batches {
  return changes.length > 0 || movesCommits || isPartial ? "now" : "last";
}

/**
 * Keeps both over a restart. All is done with them in the order in which it was asked for, so a batch may end before what an
 * earlier process left of it is read.
 */
export function keepBatches(store: WorkStore, name: string) {
  const inLine = createLines();
  let batches: Batches | null = null;
  return async <T>(work: (batches: Batches) => T | Promise<T>): Promise<T> =>
    inLine("", async () => {
      if (batches === null) {
        const saved = await store.load(name);
        const restore = (record: unknown): BatchRecord =>
          readSaved(recordSchema(), [record], 1)[0] ?? NO_RECORD;
        batches = { now: restore(saved["now"]), last: restore(saved["last"]) };
      }
      const held = batches;
      const { now, last } = held;
      const done = await work(held);
      if (held.now !== now || held.last !== last) store.save(name, () => ({ ...held }));
      return done;
    });
}
