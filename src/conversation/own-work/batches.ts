import { createLines } from "../../lib/in-line.ts";
import { listOf, recordOf, textOf } from "../../lib/json.ts";
import { readSaved } from "../../lib/saved.ts";
import { joinChanges, type TreeChange } from "../../snapshot/version.ts";
import { savedChange } from "./ledger.ts";
import type { WorkStore } from "./store.ts";

/** Files of one batch that can be taken back; of more it is not told what they were. */
const MAX_CHANGES = 1_000;
const MAX_BEYOND = 10;

/** What a batch did, so that it can be taken back. */
export interface BatchRecord {
  readonly changes: readonly TreeChange[];
  /** What it did that no file of the tree shows: commits, files that are ignored, commands that reach further. */
  readonly beyond: readonly string[];
  /** Whether commits came or went, so that files alone do not tell how it was before. */
  readonly movesCommits: boolean;
  /** Whether some of it is not known. */
  readonly isPartial: boolean;
}

/** GAIA's own record, which is no part of the project's tree. */
export const RECORD = /^(?:\.\/)?\.gaia\//u;

const NOTHING: BatchRecord = { changes: [], beyond: [], movesCommits: false, isPartial: false };

function isEmpty({ changes, beyond, movesCommits, isPartial }: BatchRecord): boolean {
  return changes.length + beyond.length === 0 && !movesCommits && !isPartial;
}

function restore(saved: unknown): BatchRecord {
  const { changes, beyond, movesCommits, isPartial } = recordOf(saved);
  return {
    changes: readSaved(savedChange(), changes, MAX_CHANGES),
    beyond: listOf(beyond).flatMap((text) => textOf(text) ?? []),
    movesCommits: movesCommits === true,
    isPartial: isPartial === true,
  };
}

/** Why a batch cannot be taken back, in words for its user; null where it can. */
export function whyNotUndone({ changes, movesCommits, isPartial }: BatchRecord): string | null {
  if (movesCommits) return "commits came or went in it, and only you change the history";
  if (changes.length > 0) return null;
  return isPartial ? "the project's tree could not be looked at" : "there is nothing to take back";
}

/**
 * The batch under way and the one before it, also over a restart. All is done in the order in which it was asked for, so a batch
 * may end before what an earlier process left of it is read.
 */
export function createBatches(store: WorkStore, name: string) {
  const inLine = createLines();
  let isLoaded = false;
  let now = NOTHING;
  let last = NOTHING;
  const load = async (): Promise<void> => {
    if (isLoaded) return;
    isLoaded = true;
    const saved = await store.load(name);
    [now, last] = [restore(saved["now"]), restore(saved["last"])];
  };
  const inTurn = async <T>(work: () => T | Promise<T>): Promise<T> =>
    inLine("", async () => {
      await load();
      return work();
    });
  const save = (): void => {
    store.save(name, () => ({ now, last }));
  };
  const change = async (work: () => void): Promise<void> =>
    inTurn(() => {
      work();
      save();
    });
  const isUnderWay = (): boolean => now.changes.length > 0 || now.movesCommits || now.isPartial;
  const standing = (): BatchRecord => (isUnderWay() ? now : last);

  return {
    /** One more call belongs to the batch under way. */
    add: async (more: Partial<BatchRecord>): Promise<void> =>
      change(() => {
        const changes = joinChanges(now.changes, more.changes ?? []);
        now = {
          changes: changes.slice(0, MAX_CHANGES),
          beyond: [...new Set([...now.beyond, ...(more.beyond ?? [])])].slice(0, MAX_BEYOND),
          movesCommits: now.movesCommits || more.movesCommits === true,
          isPartial: now.isPartial || more.isPartial === true || changes.length > MAX_CHANGES,
        };
      }),
    end: async (): Promise<void> =>
      change(() => {
        if (!isEmpty(now)) last = now;
        now = NOTHING;
      }),
    /** What was under way is gone, or nothing that can be taken back here. */
    drop: async (which: "now" | "both"): Promise<void> =>
      change(() => {
        now = NOTHING;
        if (which === "both") last = NOTHING;
      }),
    read: async (which: "now" | "last"): Promise<readonly TreeChange[]> =>
      inTurn(() => (which === "now" ? now : standing()).changes),
    hasAny: async (): Promise<boolean> => inTurn(() => !isEmpty(now) || !isEmpty(last)),
    /** Takes a batch back, that under way or the one before. @param undo also gives the changes that stay; null where it did nothing */
    undo: async <T>(undo: (record: BatchRecord) => Promise<[T, readonly TreeChange[] | null]>): Promise<T> =>
      inTurn(async () => {
        const record = standing();
        const [answer, changes] = await undo(record);
        if (changes === null) return answer;
        const rest: BatchRecord = { ...record, changes, beyond: [] };
        if (isUnderWay()) now = rest;
        else last = rest;
        save();
        return answer;
      }),
  };
}
