import { existsSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import type { VcsType } from "../contracts/contract.ts";
import { type DiffFile, diffTexts } from "../lib/line-diff.ts";
import { askGit } from "../process/git.ts";
import { openSnapshots, type Snapshots, versionText, type TreeId } from "./snapshots.ts";
import { isStashed, newestRevision, openLook, RECORD, type TreeState, UNTOLD } from "./uncommitted.ts";
import { type FileVersion, isSame, type LineCount, NO_FILE, OPAQUE, type TreeChange } from "./version.ts";

/** By its path relative to the project. */
export type ChangedFile = Pick<DiffFile, "path" | "added" | "removed">;

export interface Changes {
  readonly files: readonly ChangedFile[];
  /** The revision of the comparison; null for uncommitted changes only. */
  readonly base: string | null;
  /** False where the files cannot be compared. */
  readonly known: boolean;
  /** The error of version control, in its own words. */
  readonly failed?: string;
}

export const MAX_CHANGED_FILES = 1_000;

export interface WorkingDiff {
  /** Of the bytes on disk; a file that is not shown has no hunks. */
  readonly files: readonly DiffFile[];
  /** The error of version control: the files are incomplete. */
  readonly failed?: string;
}

export type Vcs = ReturnType<typeof createVcs>;
/** Reads a project's tree, and what its commits hold of it. */
export type Trees = Vcs["trees"];

/**
 * The version control of a project. A jj repository often has a `.git` as well, so jj is looked for first.
 * @param worktree the folder that would hold the repository; `directory` is the project, the same or below it
 */
export function openVcs(worktree: string, directory: string): Vcs {
  const isThere = (name: string): boolean => existsSync(join(worktree, name));
  return createVcs(isThere(".jj") ? "jj" : isThere(".git") ? "git" : "none", directory);
}

interface Difference {
  readonly changes: readonly TreeChange[];
  readonly from: TreeId;
  readonly to: TreeId;
  /** Whether the trees hold both versions of a change. */
  isHeld(change: TreeChange): boolean;
}

/**
 * The version control of one project: snapshots tell what differs, git or Jujutsu only what is committed. Every answer excludes GAIA's
 * own record. Nothing here throws, takes git's locks or writes; each program is stopped after ten seconds.
 */
export function createVcs(kind: VcsType, directory: string, snapshots = openSnapshots(directory)) {
  const look = openLook(kind, directory, snapshots);

  /** @param tree the snapshot to compare with, in the place of the base */
  const since = async (
    base: string | null,
    signal?: AbortSignal,
    tree?: TreeId,
  ): Promise<Difference | string> => {
    const state = await look(signal);
    if (typeof state === "string") return state;
    const { id: to, heads, dirty, committed } = state;
    const from = tree ?? (base === null ? committed : await snapshots.treeOf(base));
    if (from === null) return `the files of ${base} are not there`;
    const [all, older] = [await snapshots.diff(from, to), await snapshots.diff(from, committed)];
    if (all === null || older === null) return UNTOLD;
    const held = new Map(all.map((change) => [change.path, change]));
    const told = new Map(held);
    const inner = [...heads].filter(([path]) => path !== "");
    // Of a nested repository only its commit; a snapshot tells it by its files.
    for (const [path, id] of inner)
      if (tree === undefined || all.some((change) => change.path.startsWith(`${path}/`)))
        told.set(path, { path, before: held.get(path)?.before ?? NO_FILE, after: { id, mode: OPAQUE } });
    // Git may store a file with other bytes than on disk: that is not a change.
    const meant = new Set([...dirty.keys(), ...older.map(({ path }) => path), ...heads.keys()]);
    const changes = [...told.values()]
      .map((change) => ({ ...change, after: dirty.get(change.path)?.now ?? change.after }))
      .filter(({ path, before, after }) => meant.has(path) && !isSame(before, after))
      .filter(({ path }) => !inner.some(([folder]) => path.startsWith(`${folder}/`)))
      .filter(({ path }) => !path.startsWith(`${RECORD}/`));
    const isHeld = ({ path, before, after }: TreeChange): boolean =>
      before.mode !== OPAQUE && after.mode !== OPAQUE && isSame(held.get(path)?.after ?? NO_FILE, after);
    return { changes, from, to, isHeld };
  };

  return {
    kind,
    trees: {
      ...snapshots,
      async read(): Promise<TreeState | null> {
        const state = await look();
        return typeof state === "string" ? null : state;
      },
      /** The changes between two states; null where one is gone. */
      async changes(from: TreeState, to: TreeState): Promise<TreeChange[] | null> {
        const changes = await snapshots.diff(from.id, to.id);
        // The commit of a submodule is not in a file.
        const commits = [...to.heads].flatMap(([path, head]) => {
          const old = from.heads.get(path);
          const isModule = path !== "" && to.dirty.get(path)?.now.mode === OPAQUE;
          if (!isModule || old === undefined || old === head) return [];
          return [{ path, before: { id: old, mode: OPAQUE }, after: { id: head, mode: OPAQUE } }];
        });
        return changes && [...changes, ...commits];
      },
      /** Whether the newest stash holds this version of a file. */
      isStashed: async (path: string, version: FileVersion): Promise<boolean> =>
        isStashed(directory, path, await snapshots.bytes(version)),
    },
    /** The newest commit of the project; null where it is unknown. */
    baseRevision: async (): Promise<string | null> => (await newestRevision(kind, directory)).id,
    /**
     * The files that differ from `base` now, committed since or not; the uncommitted ones where `base` is unknown or gone. Without
     * version control, those that differ from what was there when it was first looked at.
     * @param tree a snapshot of this project to compare with in the place of `base`, as long as it is kept
     */
    async changesSince(base: string | null, signal?: AbortSignal, tree?: TreeId): Promise<Changes> {
      const early = tree === undefined ? "" : await since(base, signal, tree);
      const asked = typeof early === "string" ? await since(base, signal) : early;
      const isSince = typeof asked !== "string";
      // The base may be gone after a rewrite of history.
      const found = isSince || base === null ? asked : await since(null, signal);
      if (typeof found === "string") return { files: [], base: null, known: false, failed: found };
      const lines = await snapshots.lines(found.from, found.to);
      const files = found.changes.slice(0, MAX_CHANGED_FILES).map((change) => {
        const { added = 0, removed = 0 } = (found.isHeld(change) && lines?.get(change.path)) || {};
        return { path: change.path, added, removed };
      });
      return { files, base: isSince ? base : null, known: true };
    },
    /**
     * The differences line by line.
     * @param isSensitive files that must not be opened, by their path relative to the project
     * @param only these files; all by default
     * @param base the revision to compare with; the newest commit by default
     */
    async workingDiff(
      isSensitive: (path: string) => boolean,
      signal?: AbortSignal,
      only?: readonly string[],
      base?: string,
    ): Promise<WorkingDiff> {
      if (only?.length === 0) return { files: [] };
      const found = await since(base ?? null, signal);
      if (typeof found === "string") return { files: [], failed: found };
      const wanted = only === undefined ? null : new Set(only);
      const changes = found.changes.filter(({ path }) => wanted?.has(path) !== false);
      return showDifference(directory, snapshots, { ...found, changes }, isSensitive);
    },
    /**
     * Identifies the content of the project's files, also in nested repositories; staging and committing do not change it. Null
     * where it fails or was aborted.
     */
    fingerprint: async (signal?: AbortSignal): Promise<string | null> => snapshots.take(signal),
    /** The uncommitted files by absolute paths; null where they are unknown. */
    async uncommitted(): Promise<readonly string[] | null> {
      // In Jujutsu nothing is staged: a commit takes all of it.
      if (kind !== "git") return [];
      const found = await since(null);
      return typeof found === "string" ? null : found.changes.map(({ path }) => join(directory, path));
    },
    /** Whether version control ignores a path, relative to the project. */
    isIgnored: async (path: string): Promise<boolean> =>
      (await askGit({ folder: directory }, ["check-ignore", "-q", path], { maxBytes: 0 })).ok,
  };
}

const MAX_DIFFED = 1_000;
/** Over so many changed lines in all, files with more than the second number are not shown. */
const MANY_LINES = 20_000;
const MANY_LINES_OF_ONE = 2_000;
/** Files that are read at once. */
const AT_ONCE = 50;

async function showDifference(
  directory: string,
  snapshots: Snapshots,
  { changes, from, to, isHeld }: Difference,
  isSensitive: (path: string) => boolean,
): Promise<WorkingDiff> {
  const lines = await snapshots.lines(from, to);
  if (lines === null) return { files: [], failed: UNTOLD };
  const countOf = (change: TreeChange): LineCount =>
    (isHeld(change) ? lines.get(change.path) : undefined) ?? { added: 0, removed: 0, isBinary: false };
  const sizeOf = (change: TreeChange): number => countOf(change).added + countOf(change).removed;
  const isMuch = changes.reduce((sum, change) => sum + sizeOf(change), 0) > MANY_LINES;
  const shown = new Set(
    changes
      .filter((change) => isHeld(change) && !countOf(change).isBinary && !isSensitive(change.path))
      .filter((change) => !isMuch || sizeOf(change) <= MANY_LINES_OF_ONE)
      .slice(0, MAX_DIFFED),
  );
  const show = async (change: TreeChange): Promise<DiffFile> => {
    const { path, before, after } = change;
    const isGone = isSame(after, NO_FILE);
    const status = isSame(before, NO_FILE) ? "added" : isGone ? "deleted" : "modified";
    const { isBinary, ...count } = countOf(change);
    const bare = { path, status, ...count, hunks: [] } as const;
    if (isBinary || before.mode === OPAQUE || after.mode === OPAQUE) return sizeOnly(directory, change, bare);
    if (!shown.has(change)) return bare;
    const [old, fresh] = await Promise.all([before, after].map(async (each) => versionText(snapshots, each)));
    if (typeof old !== "string" || typeof fresh !== "string") return bare;
    await breathe();
    const told = diffTexts(path, old, fresh);
    // Where only line ends differ, show them.
    return { ...(told.hunks.length > 0 ? told : diffTexts(path, old, fresh, true)), status };
  };
  const files: DiffFile[] = [];
  for (let at = 0; at < changes.length; at += AT_ONCE)
    files.push(...(await Promise.all(changes.slice(at, at + AT_ONCE).map(show))));
  return { files };
}

/** A binary file by its size, a submodule by its commits. */
async function sizeOnly(
  directory: string,
  { path, before, after }: TreeChange,
  bare: DiffFile,
): Promise<DiffFile> {
  const entry = await lstat(join(directory, path)).catch(() => null);
  if (entry?.isDirectory() !== true) return { ...bare, status: "binary", bytes: entry?.size ?? 0 };
  const commit = ({ id }: FileVersion): string => `Subproject commit ${id}\n`;
  return diffTexts(path, commit(before), commit(after));
}
