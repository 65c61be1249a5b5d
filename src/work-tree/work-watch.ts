import { isAbsolute, join, relative } from "node:path";
import { bounded, type Clock, lazy, takingTurns, within } from "../lib/async.ts";
import type { Logger } from "../lib/error.ts";
import type { RestoredFile } from "../snapshot/restore.ts";
import { statAll } from "../lib/stat-all.ts";
import { type FileVersion, isSame, joinChanges, type TreeChange } from "../snapshot/version.ts";
import type { Vcs } from "../snapshot/vcs.ts";
import type { TreeState } from "../snapshot/uncommitted.ts";
import {
  creditWork,
  type Ledger,
  type LedgerEntry,
  makersOf,
  pruneLedger,
  type RunningWriter,
  thrownAway,
  type UsersFile,
  usersFiles,
  workFiles,
} from "./ledger.ts";
import type { WorkStore } from "./work-store.ts";

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
  readonly writes: Map<string, FileVersion | null>;
  lateSince: number | null;
  isKnown: boolean;
  movesCommits: boolean;
  readonly own: TreeChange[];
  readonly shared: TreeChange[];
  readonly thrown: TreeChange[];
  endedAt?: number;
}

type Told = readonly Pick<TreeChange, "path">[];
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
  /** The last state that was read: what differs from it nobody has been credited with yet. */
  let last: TreeState | null = null;
  /** A look that took longer than its call waited: the next call goes on from it. */
  let slow: Promise<TreeState | null> | null = null;
  const fromProject = (path: string): string =>
    (isAbsolute(path) ? relative(directory, path) : path).replaceAll("\\", "/");
  const load = lazy(async () => {
    const { files = [] } = await store.load(LEDGER);
    ledger = new Map(files as [string, LedgerEntry][]);
  });
  const save = (): void => store.save(LEDGER, () => ({ directory, files: [...ledger] }));
  const read = async (): Promise<TreeState | null> => {
    const state = await within((slow ??= trees.read()), LOOK_LIMIT_MS, clock);
    if (state === undefined)
      logger.log("warn", "work-tree", `Looking at the project took more than ${LOOK_LIMIT_MS} ms.`);
    else slow = null;
    return state ?? null;
  };
  const credit = async (changes: readonly TreeChange[], from: TreeState, to: TreeState): Promise<void> => {
    const ours: Parameters<typeof creditWork>[1][number][] = [];
    const calls = [...running.values()];
    const stats = await statAll(changes.map(({ path }) => join(directory, path)));
    const thrown = new Set(thrownAway(changes, from, to, ledger));
    for (const change of changes) {
      const { path, after } = change;
      const makers = makersOf(change, calls, stats.get(join(directory, path)));
      const [oldest, newest] = [makers[0], makers.at(-1)];
      const before = oldest?.writes.get(path) ?? change.before;
      if (oldest === undefined || newest === undefined || isSame(before, after)) continue;
      const isGuess = makers.some((call) => call.lateSince !== null && !call.writes.has(path));
      const credited = { path, before, after, isShared: isGuess || !isSame(before, change.before) };
      if (oldest.writes.has(path)) oldest.writes.set(path, after);
      ours.push(credited);
      left.set(path, after.id);
      (makers.length === 1 ? newest.own : newest.shared).push(credited);
      for (const call of thrown.has(change) ? makers : []) if (!names(call, path)) call.thrown.push(credited);
    }
    const before = ledger;
    if (ours.length > 0) ledger = creditWork(ledger, ours, from);
    ledger = pruneLedger(ledger, to);
    if (ledger !== before) save();
  };

  /** Credits what changed since the last state; since the commits, where none was read before. */
  const advance = async (state: TreeState): Promise<void> => {
    const from = last ?? { ...state, id: state.committed, dirty: new Map() };
    const changes = await trees.changes(from, state);
    last = state;
    const isMoved = [...state.heads].some(([folder, head]) => (from.heads.get(folder) ?? head) !== head);
    for (const call of running.values()) {
      if (changes === null) call.isKnown = false;
      if (isMoved && call.isOpenEnded) call.movesCommits = true;
    }
    if (changes !== null) await credit(changes, from, state);
  };
  /** Reads the tree, and credits what changed since the last read. */
  const step = async (): Promise<TreeState | null> => {
    await load();
    if (slow !== null) {
      const missed = await read();
      if (missed === null) return null;
      await advance(missed);
      for (const call of running.values()) call.lateSince = null;
    }
    const over = [...running].filter(([, { endedAt }]) => endedAt !== undefined);
    const state = await read();
    if (state === null) return null;
    await advance(state);
    for (const [callId] of over) running.delete(callId);
    return state;
  };
  /** One after the other: a change between two reads belongs to the calls that ran then. */
  const inTurn = takingTurns(step);

  const watch = {
    trees,
    /** A call is about to change files. @param paths that it names @param isOpenEnded whether it may change others as well */
    async begin(callId: string, paths: readonly string[], isOpenEnded: boolean): Promise<void> {
      await inTurn(async (state) => {
        const writes: Running["writes"] = new Map();
        for (const path of paths.map(fromProject))
          writes.set(path, state === null ? await trees.versionNow(path) : null);
        const lateSince = state === null ? Date.now() : null;
        const nothing = { movesCommits: false, own: [], shared: [], thrown: [] };
        running.set(callId, { writes, isOpenEnded, lateSince, isKnown: true, ...nothing });
      });
    },
    /**
     * Ends a call; what it did is known after a crash. Null for one that did not begin here.
     * @param endedAt when it ended, by the time of day: a later change is not its work @param told files that it says it wrote
     */
    async end(callId: string, endedAt = Date.now(), told: Told = []): Promise<Work | null> {
      const ended = running.get(callId);
      if (ended?.endedAt !== undefined || ended === undefined) return null;
      ended.endedAt = endedAt;
      for (const { path } of told)
        if (!ended.writes.has(fromProject(path))) ended.writes.set(fromProject(path), null);
      // Without a look, the next one credits it.
      await inTurn((state) => {
        ended.isKnown &&= state !== null && (ended.lateSince === null || !ended.isOpenEnded);
      });
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
      running.delete(name);
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
  return [...writes.keys()].some((name) => path === name || path.startsWith(`${name}/`));
}
