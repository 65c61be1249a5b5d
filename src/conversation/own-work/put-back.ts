import type { Effect } from "../../policy/examination.ts";
import { isRegenerable } from "../../policy/deletions.ts";
import type { TreeChange } from "../../vcs/tree/state.ts";
import type { Outbox } from "../display/outbox.ts";
import type { ConversationServices } from "../services.ts";
import type { EndedCall } from "./own-work.ts";
import { renderSaved, renderSavedForModel } from "./render-users.ts";
import { undoChanges, type UndoneFile } from "./undo.ts";
import type { Work } from "./work-watch.ts";

/** Effects of calls that no person has read. */
const UNTOLD: ReadonlySet<Effect> = new Set(["project", "unknown"]);

/** What a call leaves once the user's own work is put back. */
export interface Spared extends Pick<Work, "own" | "shared"> {
  /** What its model has to know; empty mostly. */
  readonly told: string;
}

/** Puts files back as they were before a change, where they are still as it left them. */
export interface PutBack {
  /** @param callId a name of its own, so that nobody else is said to have changed these files */
  undo(callId: string, changes: readonly TreeChange[]): Promise<UndoneFile[]>;
  /** Puts back what a call threw away of the user's work without having been asked for, and tells them. */
  spare(call: Pick<EndedCall, "callId" | "examination" | "what" | "isApproved">, work: Work): Promise<Spared>;
}

export function createPutBack(
  services: Pick<ConversationServices, "workWatch" | "place">,
  outbox: Pick<Outbox, "note">,
): PutBack {
  const { workWatch: watch } = services;
  const undo: PutBack["undo"] = async (callId, changes) => {
    if (watch.reader === null || changes.length === 0) return [];
    await watch.begin(
      callId,
      changes.map(({ path }) => path),
      false,
    );
    const results = await undoChanges(services.place.project, watch.reader, changes);
    await watch.end(callId);
    watch.putBack(results.filter(({ left }) => left === null).map(({ change }) => change));
    return results;
  };
  return {
    undo,
    async spare({ callId, examination, what, isApproved }, { own, shared, thrown }) {
      const isUntold = UNTOLD.has(examination.effect) && !isApproved;
      const theirs = isUntold ? thrown.filter(({ path }) => !isRegenerable(path)) : [];
      const gone: TreeChange[] = [];
      // The user may stash their work while a call runs, or it may do so itself.
      for (const change of theirs)
        if ((await watch.reader?.isStashed(change.path, change.before)) !== true) gone.push(change);
      const results = await undo(`${callId}-back`, gone);
      if (results.length > 0) outbox.note(renderSaved(what, results));
      const back = new Set(results.filter(({ left }) => left === null).map(({ change }) => change));
      const stays = (change: TreeChange): boolean => !back.has(change);
      return { own: own.filter(stays), shared: shared.filter(stays), told: renderSavedForModel(results) };
    },
  };
}
