import { isAbsolute, join } from "node:path";
import { describePutBack } from "../../checks/check-session.ts";
import { excerpt } from "../../lib/excerpt.ts";
import type { Effect, Examination } from "../../policy/examination.ts";
import type { TreeChange } from "../../snapshot/version.ts";
import type { Batch, FileDelta } from "../collaboration/batch.ts";
import { readFeedback } from "../collaboration/checkin-packet.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import {
  addToRecord,
  type BatchRecord,
  isEmptyRecord,
  NO_RECORD,
  RECORD,
  restoreRecord,
  whyNotUndone,
} from "./batch-record.ts";
import { countLines, readWork, unseenFiles } from "./file-deltas.ts";
import type { UsersFile } from "./ledger.ts";
import { createPutBack } from "./put-back.ts";
import { renderUsers } from "./render.ts";
import type { ReviewedWork } from "../../plan/review/brief.ts";

/** Effects that reach further than the files of the tree. */
const FURTHER: ReadonlySet<Effect> = new Set(["outside", "unknown"]);

const MAX_NAMES = 300;

export interface EndedCall {
  readonly callId: string;
  readonly examination: Examination;
  readonly what: string;
  /** A person read the very command and said yes. */
  readonly isApproved?: boolean;
  /** A checker's command, which leaves the project as it was. */
  readonly isCheck?: boolean;
  /** Files that its tool says it changed, by absolute path or relative to the project. */
  readonly told: readonly FileDelta[];
}

export interface CallChanges {
  /** The call's own. */
  readonly files: readonly FileDelta[];
  /** Its own or others' that ran beside it. */
  readonly shared: readonly FileDelta[];
  /** What the model has to know of it; empty mostly. */
  readonly told: string;
  /** False where the project could not be looked at before or after it. */
  readonly isKnown: boolean;
}

export interface Undone {
  readonly undone: readonly string[];
  readonly left: readonly { readonly path: string; readonly why: string }[];
  /** What it did beyond files, which stays. */
  readonly beyond: readonly string[];
  /** Why nothing at all was done; null where something was. */
  readonly why: string | null;
}

/** Whose the changes of the project are, as far as this conversation made them (SPEC 9). */
export type OwnWork = ReturnType<typeof createOwnWork>;

export function createOwnWork(
  conversation: Pick<ConversationCore, "rootId" | "state" | "tell" | "outbox">,
  services: Pick<
    ConversationServices,
    "vcs" | "clock" | "workWatch" | "workStore" | "host" | "place" | "isSensitive"
  >,
) {
  const { workWatch: watch, workStore: store, vcs } = services;
  const putBack = createPutBack(services, conversation.outbox);
  const name = `batch-${conversation.rootId}`;
  let now = NO_RECORD;
  let last = NO_RECORD;
  let seen: Batch = conversation.state.lastBatch;
  let loading: Promise<void> | null = null;
  let isLoaded = false;
  /** A batch was over before it was known. */
  let isOver = false;
  let wanted: Promise<Undone> | null = null;
  /** Of the tree that the batch was made in. */
  let { trees } = watch;
  let told = "";

  const load = async (): Promise<void> => {
    const saved = await store.load(name);
    const kept = restoreRecord(saved["now"]);
    // Where the next batch has begun meanwhile, what was kept of this one is the last.
    if (!isOver) now = addToRecord(kept, now);
    else if (isEmptyRecord(last)) last = kept;
    if (isEmptyRecord(last)) last = restoreRecord(saved["last"]);
    isLoaded = true;
  };
  const loaded = async (): Promise<void> => {
    await (loading ??= load());
    if (trees === watch.trees) return;
    // The work stands elsewhere now: what was done before is nothing that can be taken back there.
    ({ trees } = watch);
    [now, last] = [NO_RECORD, NO_RECORD];
  };
  const save = (): void => {
    store.save(name, () => ({ now, last }));
  };

  const isUnderWay = (): boolean => now.changes.length > 0 || now.movesCommits || now.isPartial;
  const undoLast = async (): Promise<Undone> => {
    await loaded();
    const isCurrent = isUnderWay();
    const record = isCurrent ? now : last;
    const why = whyNotUndone(record);
    const { beyond } = record;
    if (why !== null) return { undone: [], left: [], beyond, why };
    const results = await putBack.undo(`undo-${conversation.rootId}`, record.changes);
    const undone = results.filter(({ left }) => left === null).map(({ change }) => change);
    const kept = results.flatMap(({ change, left }) => (left === null ? [] : [change]));
    const rest: BatchRecord = { ...record, changes: kept, beyond: [] };
    if (isCurrent) now = rest;
    else last = rest;
    save();
    return {
      undone: undone.map(({ path }) => path),
      left: results.flatMap(({ change, left }) => (left === null ? [] : [{ path: change.path, why: left }])),
      beyond,
      why: null,
    };
  };

  const tellLater = async (): Promise<void> => {
    const line = await part.tellUsers();
    if (line !== "") conversation.tell(line);
  };
  /** A call names files from where it is made. */
  const fromProject = (path: string): string => {
    const { directory, project } = services.place;
    return directory === project || isAbsolute(path) ? path : join(directory, path);
  };

  const part = {
    /** Takes the last batch back, where its files are still as it left them. */
    undoLast,
    /** What changed since the last check-in; or in the batch that a user would take back now, also after a restart. */
    async batchChanges(which: "now" | "last"): Promise<readonly TreeChange[]> {
      // At once: the next batch may begin while it is read.
      if (which === "now") return now.changes;
      await loaded();
      return (isUnderWay() ? now : last).changes;
    },
    /** What became of the "undo last" that the user wrote just now; null where they wrote none. Each is told once. */
    async answerUndo(): Promise<Undone | null> {
      const undone = await wanted;
      wanted = null;
      return undone;
    },
    /** The files among these, relative to the project, that hold work of the user's own which no commit does; null where that cannot be told. */
    async usersOwnAmong(paths: readonly string[]): Promise<UsersFile[] | null> {
      const standing = await watch.look();
      const wanted = new Set(paths);
      return standing && standing.users.filter(({ path }) => wanted.has(path));
    },
    /** What of the uncommitted changes is to be reviewed as the work; null for all of it. */
    async reviewed(): Promise<ReviewedWork | null> {
      const standing = await watch.look();
      if (standing === null) return null;
      // Where all of it is committed, what is left is the user's, and no work to be reviewed.
      const hasWorked = !isEmptyRecord(now) || !isEmptyRecord(last);
      if (hasWorked && standing.work.length === 0) return { paths: [], diffs: "", leftOut: [], also: [] };
      return readWork(standing, watch.trees);
    },
    /** The files with uncommitted work of the user's own, in a few words; empty where there is none. */
    async usersNames(): Promise<string> {
      const users = vcs.kind === "none" ? [] : ((await watch.look())?.users ?? []);
      const names = users.map(({ path, isMixed }) => `${path}${isMixed ? " (in parts)" : ""}`);
      return excerpt(names.join(", "), MAX_NAMES);
    },
    /** Tells the user which files are taken for theirs, where that was not told yet. @returns the same for the model */
    async tellUsers(): Promise<string> {
      const names = await part.usersNames();
      if (names === "" || names === told) return "";
      told = names;
      conversation.outbox.note(
        `Uncommitted and yours: ${names}. GAIA leaves it out of commits, reviews and undo.`,
      );
      return renderUsers(names);
    },
    /** A call is about to run. @param isWatched whether the project's tree is to be compared before and after */
    async begins(
      callId: string,
      examination: Examination,
      isWatched: boolean,
      isOpenEnded: boolean,
    ): Promise<void> {
      await loaded();
      if (isWatched) await watch.begin(callId, examination.writes.map(fromProject), isOpenEnded);
    },
    async ends({
      callId,
      examination,
      what,
      told,
      isApproved = false,
      isCheck = false,
    }: EndedCall): Promise<CallChanges> {
      const work = await watch.end(callId);
      if (work?.isKnown !== true) {
        if (work !== null) now = addToRecord(now, { isPartial: true });
        return { files: told, shared: [], told: "", isKnown: work === null };
      }
      const call = { callId, examination, what, isApproved };
      const spared = await putBack.spare(call, work);
      const checked = isCheck && !isApproved ? await putBack.afterCheck(callId, spared, []) : null;
      const own = spared.own.filter(({ path }) => checked?.restored.includes(path) !== true);
      const { shared } = spared;
      const sentences = checked === null ? [] : describePutBack([excerpt(what, 80)], checked);
      const words = [spared.told, ...sentences.map((each) => `[GAIA: ${each}]`)].filter(Boolean).join("\n");
      const hidden = await unseenFiles(told, [...own, ...shared], vcs);
      const further = FURTHER.has(examination.effect) ? [excerpt(what, 120)] : [];
      const beyond = [...further, ...hidden.filter(({ path }) => !RECORD.test(path)).map(({ path }) => path)];
      now = addToRecord(now, {
        changes: [...own, ...shared],
        beyond,
        movesCommits: work.movesCommits,
      });
      save();
      return {
        files: [...(await countLines(watch.trees, own)), ...hidden],
        shared: await countLines(watch.trees, shared),
        told: words,
        isKnown: true,
      };
    },
    heard(event) {
      // OpenCode has put the files back itself.
      if (event.type === "taken-back") {
        now = NO_RECORD;
        seen = conversation.state.lastBatch;
      }
      const { lastBatch } = conversation.state;
      if (lastBatch !== seen) {
        seen = lastBatch;
        isOver ||= !isLoaded;
        if (!isEmptyRecord(now)) last = now;
        now = NO_RECORD;
        if (isLoaded) save();
      }
      if (event.type === "work-unit-changed" && event.workUnit !== null) void tellLater();
      // Of the batch that they saw; by now it is over.
      if (event.type === "user-message" && readFeedback(event.text).kind === "undo") wanted = undoLast();
    },
  } satisfies Part & Record<string, unknown>;
  return part;
}
