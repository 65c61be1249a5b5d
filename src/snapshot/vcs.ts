import { existsSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import type { VcsType } from "../contracts/contract.ts";
import { type DiffFile, diffTexts } from "../lib/line-diff.ts";
import { askGit } from "../process/git.ts";
import { openSnapshots, type Snapshots, versionText, type TreeId } from "./snapshots.ts";
import { isStashed, newestRevision, openLook, RECORD, type TreeState, UNTOLD } from "./uncommitted.ts";
import { type FileVersion, isSame, NO_FILE, OPAQUE, type TreeChange } from "./version.ts";

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
  ): Promise<readonly TreeChange[] | string> => {
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
    return [...told.values()]
      .map((change) => ({ ...change, after: dirty.get(change.path)?.now ?? change.after }))
      .filter(({ path, before, after }) => meant.has(path) && !isSame(before, after))
      .filter(({ path }) => !inner.some(([folder]) => path.startsWith(`${folder}/`)))
      .filter(({ path }) => !path.startsWith(`${RECORD}/`));
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
      const files = await Promise.all(
        found.slice(0, MAX_CHANGED_FILES).map(async (change, at): Promise<ChangedFile> => {
          const lines = at < MAX_COUNTED ? await diffOf(snapshots, change) : null;
          return { path: change.path, added: lines?.added ?? 0, removed: lines?.removed ?? 0 };
        }),
      );
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
      const changes = found.filter(({ path }) => wanted?.has(path) !== false);
      return { files: await showChanges(directory, snapshots, changes, isSensitive) };
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
      return typeof found === "string" ? null : found.map(({ path }) => join(directory, path));
    },
    /** Whether version control ignores a path, relative to the project. */
    isIgnored: async (path: string): Promise<boolean> =>
      (await askGit({ folder: directory }, ["check-ignore", "-q", path], { maxBytes: 0 })).ok,
  };
}

/** Changes whose lines are counted; of the others only the files are told. */
export const MAX_COUNTED = 200;
const MAX_DIFFED = 1_000;
/** Over so many changed lines in all, files with more than the second number are not shown. */
const MANY_LINES = 20_000;
const MANY_LINES_OF_ONE = 2_000;
/** Files that are read at once. */
const AT_ONCE = 50;

interface DiffOptions {
  /** What is shown of a text. */
  readonly shown?: (text: string) => string;
  readonly maxBytes?: number;
  readonly withEnds?: boolean;
}

/** A change line by line; null for what is no text, is too long, or is kept by nobody. */
export async function diffOf(
  snapshots: Pick<Snapshots, "bytes">,
  { path, before, after }: TreeChange,
  { shown = (text) => text, maxBytes, withEnds = false }: DiffOptions = {},
): Promise<DiffFile | null> {
  const texts = [before, after].map(async (each) => versionText(snapshots, each, maxBytes));
  const [old, fresh] = await Promise.all(texts);
  return typeof old === "string" && typeof fresh === "string"
    ? diffTexts(path, shown(old), shown(fresh), withEnds)
    : null;
}

async function showChanges(
  directory: string,
  snapshots: Snapshots,
  changes: readonly TreeChange[],
  isSensitive: (path: string) => boolean,
): Promise<DiffFile[]> {
  const show = async (change: TreeChange, at: number): Promise<DiffFile> => {
    const { path, before, after } = change;
    const isGone = isSame(after, NO_FILE);
    const status = isSame(before, NO_FILE) ? "added" : isGone ? "deleted" : "modified";
    const bare = { path, status, added: 0, removed: 0, hunks: [] } as const;
    if (at >= MAX_DIFFED) return bare;
    await breathe();
    const told = await diffOf(snapshots, change);
    if (told === null) return sizeOnly(directory, change, bare);
    if (isSensitive(path)) return { ...told, status, hunks: [] };
    // Where only line ends differ, show them.
    const lines = told.hunks.length > 0 ? told : await diffOf(snapshots, change, { withEnds: true });
    return { ...(lines ?? told), status };
  };
  const files: DiffFile[] = [];
  for (let from = 0; from < changes.length; from += AT_ONCE) {
    const some = changes.slice(from, from + AT_ONCE).map(async (change, at) => show(change, from + at));
    files.push(...(await Promise.all(some)));
  }
  const sizeOf = ({ added, removed }: DiffFile): number => added + removed;
  const isMuch = files.reduce((sum, file) => sum + sizeOf(file), 0) > MANY_LINES;
  return files.map((file) => (isMuch && sizeOf(file) > MANY_LINES_OF_ONE ? { ...file, hunks: [] } : file));
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
