import { isAbsolute, join } from "node:path";
import { describePutBack } from "../../checks/check-session.ts";
import { bounded } from "../../lib/async.ts";
import { logFailure } from "../../lib/error.ts";
import { excerpt } from "../../lib/text.ts";
import type { Effect, Examination } from "../../policy/examination.ts";
import type { ReviewedWork } from "../../plan/review/brief.ts";
import { isSame, runsOf, type TreeChange } from "../../snapshot/version.ts";
import type { ChangedFile } from "../../snapshot/vcs.ts";
import type { DiffFile } from "../../lib/line-diff.ts";
import { type Batch, EMPTY_BATCH, type FileDelta } from "../collaboration/batch.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { addToRecord, type BatchRecord, isEmptyRecord, keepBatch, NO_RECORD, whyNotUndone } from "./batch.ts";
import type { UsersFile } from "../../work-tree/ledger.ts";
import {
  countLines,
  isInRecord,
  readDiff,
  readWork,
  renderChangedLines,
  unseenFiles,
} from "../../work-tree/lines.ts";
import { putCheckBack, spare, type WatchedCall } from "../../work-tree/put-back.ts";
import { createTakenBack } from "./taken-back.ts";
import type { WorkWatch } from "../../work-tree/work-watch.ts";

/** Effects beyond the files of the tree. */
const FURTHER: ReadonlySet<Effect> = new Set(["outside", "unknown"]);

const MAX_NAMES = 300;
const MAX_LIST = 600;
const MAX_FOR_MODEL = 600;
/** How long a check-in waits for its lines, in milliseconds; it then comes without. */
const READ_LIMIT_MS = 3_000;

interface EndedCall extends WatchedCall {
  /** A checker's command: its changes are reverted. */
  readonly isCheck?: boolean;
  /** Files that its tool reports as changed, by absolute path or relative to the project. */
  readonly told: readonly FileDelta[];
}

export interface CallChanges {
  /** Made by this call. */
  readonly files: readonly FileDelta[];
  /** Made by this call or by others that ran beside it. */
  readonly shared: readonly FileDelta[];
  /** A line for the model; mostly empty. */
  readonly told: string;
  /** False where the tree could not be read before or after it. */
  readonly isKnown: boolean;
}

export interface Undone {
  readonly undone: readonly string[];
  readonly left: readonly { readonly path: string; readonly why: string }[];
  /** What it did beyond files, which is not undone. */
  readonly beyond: readonly string[];
  /** Why nothing was undone; null where something was. */
  readonly why: string | null;
}

/** Which changes of the project this conversation made (SPEC 10), for check-ins, reviews, commits and "undo last". */
export type OwnWork = ReturnType<typeof createOwnWork>;

export function createOwnWork(
  conversation: ConversationCore,
  services: Pick<
    ConversationServices,
    "clock" | "treeOf" | "workStore" | "host" | "isSensitive" | "redact" | "workspace"
  >,
) {
  const { workStore, isSensitive, host, clock } = services;
  const tree = () => services.treeOf(conversation.state.workUnit);
  const batch = keepBatch(workStore, `batch-${conversation.rootId}`);
  /** The watch of the tree in which each running call began. */
  const begun = new Map<string, WorkWatch>();
  let watch = tree().workWatch;
  let seen: Batch = conversation.state.batch;
  let told = "";
  /** Since the piece of work began that is told of at its end. */
  let piece: readonly TreeChange[] = [];

  /** Work in another tree cannot be undone here: the record starts anew. */
  const follow = async (): Promise<void> => {
    if (watch === tree().workWatch) return;
    watch = tree().workWatch;
    await batch((held) => void (held.record = NO_RECORD));
  };
  const undoLast = async (): Promise<Undone> => {
    await follow();
    return batch(async (held) => {
      const { record } = held;
      const { beyond } = record;
      const why = whyNotUndone(record);
      if (why !== null) return { undone: [], left: [], beyond, why };
      const results = await watch.putBack(`undo-${conversation.rootId}`, [...record.changes]);
      const kept = results.flatMap(({ change, left }) => (left === null ? [] : [{ change, why: left }]));
      held.record = { ...record, changes: kept.map(({ change }) => change), beyond: [] };
      return {
        undone: results.flatMap(({ change, left }) => (left === null ? change.path : [])),
        left: kept.map(({ change: { path }, why }) => ({ path, why })),
        beyond,
        why: null,
      };
    });
  };
  const readBatch = async (): Promise<DiffFile[]> => {
    const files = batch(({ record }) => (record.isOver ? [] : record.changes)).then(async (changes) =>
      readDiff(changes, tree().workWatch.trees, services),
    );
    const read = bounded(files, READ_LIMIT_MS, clock, "the changed lines");
    return (await read.catch(logFailure(host.logger, "warn", "own-work"))) ?? [];
  };

  const add = async (more: Parameters<typeof addToRecord>[1]): Promise<BatchRecord> =>
    batch((held) => (held.record = addToRecord(held.record, more)));
  /** The lines that these files have changed by in all. @param all every change since then */
  const countNet = async (
    trees: WorkWatch["trees"],
    paths: readonly string[],
    all: readonly TreeChange[],
  ): Promise<FileDelta[]> => {
    const own = all.filter(({ path, before, after }) => paths.includes(path) && !isSame(before, after));
    const lines = await countLines(trees, own);
    return [...new Set(paths)].map((path) => {
      const runs = lines.filter((each) => each.path === path);
      const sum = (of: "added" | "removed"): number => runs.reduce((total, run) => total + run[of], 0);
      const net = runs.length === 0 ? "none" : "some";
      return { path, ...runs.at(-1), added: sum("added"), removed: sum("removed"), net };
    });
  };

  /** A call names files relative to the folder in which it is made. */
  const fromProject = (path: string): string => {
    const { directory, project } = tree().place;
    return directory === project || isAbsolute(path) ? path : join(directory, path);
  };

  const part = {
    ...createTakenBack(conversation, services),
    /** Reverts the last batch, where its files are still as it left them. */
    undoLast,
    /** What "undo last" would revert now, also after a restart. */
    lastChanges: async (): Promise<readonly TreeChange[]> => batch(({ record }) => record.changes),
    /** The lines that changed since the check-in before, by file. */
    changedLines: async (): Promise<ReadonlyMap<string, readonly string[]>> =>
      renderChangedLines(await readBatch()),
    beginPiece(): void {
      piece = [];
    },
    /** What the piece of work has changed, all calls together. */
    linesOfPiece: async (): Promise<readonly FileDelta[]> =>
      countNet(tree().workWatch.trees, pathsOf(piece), piece),
    /** These changes without the user's: their files, and their lines in files of both. */
    async withoutUsers(files: readonly ChangedFile[]): Promise<ChangedFile[]> {
      const { workWatch } = tree();
      const users = (await workWatch.look())?.users ?? [];
      const theirs = new Set(pathsOf(users));
      const mixed = users.flatMap(({ path, isMixed, entry }) =>
        isMixed && entry !== undefined && files.some((file) => file.path === path)
          ? [{ ...entry, path }]
          : [],
      );
      const own = await countNet(workWatch.trees, pathsOf(mixed), mixed);
      const counted = new Map(own.map((file) => [file.path, file.net === "some" ? [file] : []]));
      return files.flatMap((file) => counted.get(file.path) ?? (theirs.has(file.path) ? [] : [file]));
    },
    /** Those of these files, relative to the project, that hold uncommitted work of the user's; null where the tree cannot be read. */
    async usersOwnAmong(paths: readonly string[]): Promise<UsersFile[] | null> {
      const standing = await tree().workWatch.look();
      const among = new Set(paths);
      return standing && standing.users.filter(({ path }) => among.has(path));
    },
    /** The part of the uncommitted changes that is to be reviewed; null for all of it. */
    async reviewed(): Promise<ReviewedWork | null> {
      const { workWatch } = tree();
      const standing = await workWatch.look();
      if (standing === null) return null;
      // All of GAIA's work is committed: the rest is the user's and is not reviewed.
      if (standing.work.length === 0 && (await batch(({ record }) => !isEmptyRecord(record))))
        return { paths: [], diffs: [], leftOut: [], also: [] };
      return readWork(standing, workWatch.trees);
    },
    /** The files with uncommitted work of the user's own, as one line; empty for none. */
    async usersNames(): Promise<string> {
      const { vcs, workWatch } = tree();
      const users = vcs.kind === "none" ? [] : ((await workWatch.look())?.users ?? []);
      const names = users.map(({ path, isMixed }) => `${path}${isMixed ? " (in parts)" : ""}`);
      return excerpt(names.join(", "), MAX_NAMES);
    },
    /** Tells the user which files count as theirs, once. @returns the same for the model */
    async tellUsers(): Promise<string> {
      const names = await part.usersNames();
      if (names === "" || names === told) return "";
      told = names;
      conversation.outbox.note(
        `Uncommitted and yours: ${names}. GAIA leaves it out of commits, reviews and undo.`,
      );
      return renderUsers(names);
    },
    /** A call is about to run. @param isWatched whether the tree is compared before and after it */
    async begins(
      callId: string,
      examination: Examination,
      isWatched: boolean,
      isOpenEnded: boolean,
    ): Promise<void> {
      await follow();
      if (!isWatched) return;
      begun.set(callId, watch);
      await watch.begin(callId, examination.writes.map(fromProject), isOpenEnded);
    },
    async ends(call: EndedCall): Promise<CallChanges> {
      const { callId, examination, what } = call;
      const at = begun.get(callId);
      begun.delete(callId);
      const work = (await at?.end(callId, Date.now(), call.told)) ?? null;
      if (at === undefined || work?.isKnown !== true) {
        if (work !== null) await add({ isPartial: true });
        return { files: call.told, shared: [], told: "", isKnown: work === null };
      }
      const spared = await spare(at, conversation.outbox, call, work);
      const isReverted = call.isCheck === true && call.isApproved !== true;
      const place = { workWatch: at, workStore, isSensitive };
      const reverted = isReverted ? await putCheckBack(place, callId, spared, []) : null;
      const own = spared.own.filter(({ path }) => reverted?.restored.includes(path) !== true);
      const sentences = reverted === null ? [] : describePutBack([excerpt(what, 80)], reverted);
      const changes = [...own, ...spared.shared];
      const hidden = await unseenFiles(call.told, changes, tree().vcs);
      const further = FURTHER.has(examination.effect) ? [excerpt(what, 120)] : [];
      const beyond = [...further, ...hidden.filter(({ path }) => !isInRecord(path)).map(({ path }) => path)];
      const { changes: all } = await add({ changes, beyond, movesCommits: work.movesCommits });
      piece = runsOf(piece, changes);
      const net = async (of: readonly TreeChange[]): Promise<FileDelta[]> =>
        countNet(at.trees, pathsOf(of), all);
      return {
        files: [...(await net(own)), ...hidden],
        shared: await net(spared.shared),
        told: [spared.told, ...sentences.map((each) => `[GAIA: ${each}]`)].filter(Boolean).join("\n"),
        isKnown: true,
      };
    },
    /** The session of a call is deleted: no event tells its end. */
    async forget(callId: string): Promise<void> {
      await begun.get(callId)?.end(callId);
      begun.delete(callId);
    },
    dispose() {
      for (const callId of begun.keys()) void part.forget(callId);
    },
    heard(event) {
      const { batch: now } = conversation.state;
      // OpenCode has restored the files itself.
      if (event.type === "taken-back")
        void batch((held) => void (held.record.isOver ? null : (held.record = NO_RECORD)));
      else if (now === EMPTY_BATCH && seen !== now)
        void batch((held) => void (held.record = { ...held.record, isOver: true }));
      seen = now;
      if (event.type === "work-unit-changed" && event.workUnit !== null)
        void part.tellUsers().then((line) => line !== "" && conversation.tell(line));
    },
  } satisfies Part & Record<string, unknown>;
  return part;
}

function pathsOf(files: readonly { readonly path: string }[]): string[] {
  return files.map(({ path }) => path);
}

export function renderUndoForUser({ undone, left, beyond, why }: Undone): string {
  if (why !== null) {
    return `Nothing was undone: ${why}. "git status" and "git log" show where things stand; name what is to be changed back, or do it by hand.`;
  }
  const kept = left.map((file) => `${file.path} (${file.why})`);
  return [
    `Undone: ${excerpt(undone.join(", "), MAX_LIST) || "nothing"}`,
    ...(kept.length === 0 ? [] : [`Left as it is: ${excerpt(kept.join(", "), MAX_LIST)}`]),
    ...(beyond.length === 0
      ? []
      : [`Not undone, as no file here shows it: ${excerpt(beyond.join("; "), MAX_LIST)}`]),
  ].join("\n");
}

/** The same for the model, at most 600 characters. */
export function renderUndoForModel(undone: Undone): string {
  const orders =
    "The user has been shown this. Undo nothing yourself; answer with one short line and end your turn.";
  const told = renderUndoForUser(undone).replaceAll("\n", ". ");
  return `The plugin has carried out "undo last". ${excerpt(told, MAX_FOR_MODEL - orders.length - 50)} ${orders}`;
}

/** The user's own uncommitted files, for those who work beside them. */
export function renderUsers(names: string): string {
  return `Uncommitted and the user's own: ${names}. It is left out of commits; never undo or rewrite it.`;
}
