import { isAbsolute, join, relative } from "node:path";
import { bounded, type Clock, takingTurns } from "../lib/async.ts";
import type { Logger } from "../lib/error.ts";
import type { RestoredFile } from "../snapshot/restore.ts";
import { ownDataFolder } from "../lib/folders.ts";
import { type FileVersion, isSame, joinChanges, type TreeChange } from "../snapshot/version.ts";
import type { Vcs } from "../snapshot/vcs.ts";
import type { TreeState } from "../snapshot/uncommitted.ts";
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
import { createWorkStore, type WorkStore } from "./work-store.ts";

/** How long a call waits for a look at the tree, in milliseconds. */
const LOOK_LIMIT_MS = 3_000;
/** How long a call waits until its changes are recorded as its own, in milliseconds. */
const SAVE_LIMIT_MS = 1_000;
const LEDGER = "ledger";

export interface Work {
  /** False where the tree could not be read before or after it: then only the call itself tells its changes. */
  readonly isKnown: boolean;
  readonly own: readonly TreeChange[];
  /** Made by this call or by others that ran beside it; each is reported with the newest of them only. */
  readonly shared: readonly TreeChange[];
  /** Changes of either kind that destroyed the user's own work, in files that the call does not name. */
  readonly thrown: readonly TreeChange[];
  /** Whether HEAD of a repository moved meanwhile. */
  readonly movesCommits: boolean;
}

/** The uncommitted files of the project, and who made them. */
export interface Standing {
  readonly tree: TreeState;
  readonly users: readonly UsersFile[];
  readonly work: readonly string[];
  readonly ledger: Ledger;
}

/**
 * Watches the project's tree while calls run, and credits each change to the call that made it. All conversations of an instance
 * share it, because they change the same files. A change while no call runs is the user's.
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
  /** The last version of each file that a call has left. */
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
    // A slow read goes on; later calls use its result.
    if (isLooking) return null;
    isLooking = true;
    const look = trees.read().finally(() => (isLooking = false));
    return bounded(look, LOOK_LIMIT_MS, clock, "the project's tree").catch(() => {
      logger.log("warn", "work-tree", `Looking at the project took more than ${LOOK_LIMIT_MS} ms.`);
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
      for (const call of thrown.has(change) ? makers : [])
        if (!names(call, change.path)) call.thrown.push(change);
    }
    const before = ledger;
    if (ours.length > 0) ledger = creditWork(ledger, ours, from);
    if (last !== null) ledger = pruneLedger(ledger, last);
    if (ledger !== before) save();
  };

  /** Reads the tree, and credits what changed since the last read. */
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
  /** One after the other: a change between two reads belongs to the calls that ran then. */
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
     * Ends a call; what it did is known after a crash. Null for one that did not begin here.
     * @param endedAt when it ended, by the time of day: a later change is not its work; now by default
     */
    async end(callId: string, endedAt: number = Date.now()): Promise<Work | null> {
      const ended = running.get(callId);
      if (ended?.endedAt !== undefined || ended === undefined) return null;
      ended.endedAt = endedAt;
      await inTurn(() => running.delete(callId));
      // After a crash these changes must not count as the user's.
      await bounded(store.settled(), SAVE_LIMIT_MS, clock, "what is remembered").catch(() => undefined);
      return { ...ended, own: joinChanges(ended.own), shared: joinChanges(ended.shared) };
    },
    /** Whether a call of this process left the file like this, and none has changed it since. */
    hasLeft: (path: string, version: FileVersion): boolean => left.get(path) === version.id,
    /** The state of the project now; null where the tree cannot be read. */
    async look(): Promise<Standing | null> {
      return inTurn((tree) => {
        if (tree === null) return null;
        return { tree, users: usersFiles(ledger, tree), work: workFiles(ledger, tree), ledger };
      });
    },
    /**
     * Reverts changes of files that are still as the change left them. Never throws.
     * @param name a call id of its own: no other call is credited with it
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
        // The file was clean meanwhile, and its entry pruned: it may be the user's.
        if (isSame(was, before) || isSame(was, after)) next.delete(path);
      }
      ledger = next;
      save();
      return results;
    },
  };
  return watch;
}

/** Whether a call names a file, or a folder that holds it: the policy has judged that. */
function names({ writes }: RunningWriter, path: string): boolean {
  return [...writes].some((name) => path === name || path.startsWith(`${name}/`));
}

/** Opens the watch of a project, with its store in the user's data folder. */
export function openOwnWork(input: Omit<WorkWatchInput, "store">): {
  readonly workStore: WorkStore;
  readonly workWatch: WorkWatch;
} {
  const folder = join(ownDataFolder(process.env), "own-work");
  const workStore = createWorkStore(folder, input.directory, input.logger);
  return { workStore, workWatch: createWorkWatch({ ...input, store: workStore }) };
}
