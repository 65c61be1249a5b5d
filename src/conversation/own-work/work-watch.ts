import { isAbsolute, join, relative } from "node:path";
import { bounded, type Clock } from "../../lib/async.ts";
import type { Logger } from "../../lib/error.ts";
import type { RestoredFile } from "../../snapshot/restore.ts";
import { takingTurns } from "../../snapshot/taking-turns.ts";
import { ownDataFolder } from "../../lib/folders.ts";
import { type FileVersion, isSame, joinChanges, type TreeChange } from "../../snapshot/version.ts";
import type { Vcs } from "../../snapshot/vcs.ts";
import type { TreeState } from "../../snapshot/uncommitted.ts";
import {
  creditWork,
  type Ledger,
  makersOf,
  pruneLedger,
  restoreLedger,
  type RunningWriter,
  thrownAway,
  timesOf,
  type UsersFile,
  usersFiles,
  workFiles,
} from "./ledger.ts";
import { createWorkStore, type WorkStore } from "./store.ts";

/** How long a call waits for a look at the tree, in milliseconds. */
const LOOK_LIMIT_MS = 3_000;
/** How long a call waits until it is written whose its changes are, in milliseconds. */
const SAVE_LIMIT_MS = 1_000;
const LEDGER = "ledger";

export interface Work {
  /** False where the tree could not be looked at before or after it: then only the call itself tells. */
  readonly isKnown: boolean;
  readonly own: readonly TreeChange[];
  /** Of this call or of others that ran with it; each is told with the newest of them only. */
  readonly shared: readonly TreeChange[];
  /** Those of either by which work of the user's own is gone that nothing else holds, in files that the call does not name. */
  readonly thrown: readonly TreeChange[];
  /** Whether commits came or went meanwhile. */
  readonly movesCommits: boolean;
}

/** How the project stands: what no commit holds, and whose it is. */
export interface Standing {
  readonly tree: TreeState;
  readonly users: readonly UsersFile[];
  readonly work: readonly string[];
  readonly ledger: Ledger;
}

/**
 * Watches the project's tree while calls run, so that each change is credited to the one who made it; shared by all
 * conversations of one instance, because they change the same files. What changes while no call runs is the user's.
 */
export type WorkWatch = ReturnType<typeof createWorkWatch>;

interface Running extends RunningWriter {
  isKnown: boolean;
  movesCommits: boolean;
  readonly own: TreeChange[];
  readonly shared: TreeChange[];
  readonly thrown: TreeChange[];
  endedAt?: number;
}

export interface WorkWatchInput {
  readonly directory: string;
  readonly vcs: Pick<Vcs, "trees">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: WorkStore;
}

export function createWorkWatch({ directory, vcs, clock, logger, store }: WorkWatchInput) {
  const { trees } = vcs;
  const running = new Map<string, Running>();
  /** As which version calls have left a file last. */
  const left = new Map<string, string>();
  let ledger: Ledger = new Map();
  let isLoaded = false;
  let last: TreeState | null = null;
  let isLooking = false;

  const load = async (): Promise<void> => {
    if (isLoaded) return;
    isLoaded = true;
    ledger = restoreLedger((await store.load(LEDGER))["files"]);
  };
  const save = (): void => {
    const files = (): object[] => [...ledger].map(([path, entry]) => ({ path, ...entry }));
    store.save(LEDGER, () => ({ directory, files: files() }));
  };
  const read = async (): Promise<TreeState | null> => {
    // One that takes too long goes on, and is of use to those that follow.
    if (isLooking) return null;
    isLooking = true;
    const look = trees.read().finally(() => (isLooking = false));
    return bounded(look, LOOK_LIMIT_MS, clock, "the project's tree").catch(() => {
      logger.log("warn", "own-work", `Looking at the project took more than ${LOOK_LIMIT_MS} ms.`);
      return null;
    });
  };

  const credit = async (changes: readonly TreeChange[], from: TreeState, to: TreeState): Promise<void> => {
    const ours: TreeChange[] = [];
    const calls = [...running.values()];
    const changedAt = await timesOf(directory, calls, changes);
    const thrown = new Set(thrownAway(changes, from, to, ledger));
    for (const change of changes) {
      const makers = makersOf(change, calls, changedAt(change.path));
      const newest = makers.at(-1);
      if (newest === undefined) continue;
      ours.push(change);
      left.set(change.path, change.after.id);
      (makers.length === 1 ? newest.own : newest.shared).push(change);
      if (thrown.has(change)) makers.findLast((call) => !names(call, change.path))?.thrown.push(change);
    }
    const before = ledger;
    if (ours.length > 0) ledger = creditWork(ledger, ours, from);
    if (last !== null) ledger = pruneLedger(ledger, last);
    if (ledger !== before) save();
  };

  /** Takes the tree as it is now, and credits what changed since it was taken last. */
  const step = async (): Promise<TreeState | null> => {
    await load();
    const from = last;
    const state = await read();
    last = state;
    const changes = state === null || from === null ? null : await trees.changes(from, state);
    if (state === null || from === null || changes === null) {
      if (from !== null || state === null) for (const call of running.values()) call.isKnown = false;
      return state;
    }
    const isMoved = [...state.heads].some(([folder, head]) => (from.heads.get(folder) ?? head) !== head);
    if (isMoved) for (const call of running.values()) if (call.isOpenEnded) call.movesCommits = true;
    await credit(changes, from, state);
    return state;
  };
  /** One after the other: what changes in between belongs to those that run then. */
  const inTurn = takingTurns(step);

  const watch = {
    trees,
    /** A call is about to change files. @param paths that it names @param isOpenEnded whether it may change others as well */
    async begin(callId: string, paths: readonly string[], isOpenEnded: boolean): Promise<void> {
      const writes = new Set(
        paths.map((path) => (isAbsolute(path) ? relative(directory, path) : path).replaceAll("\\", "/")),
      );
      const nothing = { movesCommits: false, own: [], shared: [], thrown: [] };
      await inTurn((state) => {
        running.set(callId, { writes, isOpenEnded, isKnown: state !== null, ...nothing });
      });
    },
    /**
     * The call is over, and what it did will be known after a crash; null for one that did not begin here.
     * @param endedAt when it ended, by the time of day: what changed later is not its work; now by default
     */
    async end(callId: string, endedAt: number = Date.now()): Promise<Work | null> {
      const ended = running.get(callId);
      if (ended?.endedAt !== undefined || ended === undefined) return null;
      ended.endedAt = endedAt;
      await inTurn(() => running.delete(callId));
      // Anyone who is told of it now goes on from there: a crash must not make it the user's.
      await bounded(store.settled(), SAVE_LIMIT_MS, clock, "what is remembered").catch(() => undefined);
      return { ...ended, own: joinChanges(ended.own), shared: joinChanges(ended.shared) };
    },
    /** Whether a call of this process left the file like this, and none has changed it since. */
    hasLeft: (path: string, version: FileVersion): boolean => left.get(path) === version.id,
    /** How the project stands now; null where that cannot be told. */
    async look(): Promise<Standing | null> {
      return inTurn((tree) => {
        if (tree === null) return null;
        return { tree, users: usersFiles(ledger, tree), work: workFiles(ledger, tree), ledger };
      });
    },
    /**
     * Puts files back as they were before a change, where they are still as it left them. Never throws.
     * @param name of its own, so that nobody else is said to have changed these files
     */
    async putBack(name: string, changes: readonly TreeChange[]): Promise<RestoredFile[]> {
      if (changes.length === 0) return [];
      const paths = changes.map(({ path }) => path);
      await watch.begin(name, paths, false);
      const results = await trees.restore(changes);
      await watch.end(name);
      const next = new Map(ledger);
      for (const { change, left } of results) {
        const { path, before, after } = change;
        const was = next.get(path)?.before;
        if (was === undefined || left !== null) continue;
        // What was remembered of the file is gone where it was clean meanwhile, and so it may be the user's.
        if (isSame(was, before) || isSame(was, after)) next.delete(path);
      }
      ledger = next;
      save();
      return results;
    },
  };
  return watch;
}

/** Whether a call names a file, or a folder that holds it, so that it was judged by that. */
function names({ writes }: RunningWriter, path: string): boolean {
  return [...writes].some((name) => path === name || path.startsWith(`${name}/`));
}

/** What watches whose the changes of a project are, with what is kept of it among the user's own data. */
export function openOwnWork(input: Omit<WorkWatchInput, "store">): {
  readonly workStore: WorkStore;
  readonly workWatch: WorkWatch;
} {
  const folder = join(ownDataFolder(process.env), "own-work");
  const workStore = createWorkStore(folder, input.directory, input.logger);
  return { workStore, workWatch: createWorkWatch({ ...input, store: workStore }) };
}
