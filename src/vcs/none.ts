import { existsSync } from "node:fs";
import { join } from "node:path";
import { openSnapshots, type Snapshots, takeUnlessAborted, type TreeId } from "../snapshot/snapshots.ts";
import { isSame, NO_FILE, OPAQUE, type TreeChange } from "../snapshot/version.ts";
import { UNKNOWN_CHANGES, type Vcs, type WorkingDiff } from "./port.ts";
import { RECORD } from "./status.ts";
import { plainTrees } from "./trees.ts";

const MAX_DIFFED = 1_000;

/** What a folder is compared with; a text says why that cannot be told. */
export type Base = () => Promise<{ readonly tree: TreeId } | string>;

/** What a folder holds that its base does not. */
export interface SinceBase {
  readonly changes: readonly TreeChange[];
  /** Files that snapshots leave out, and that are others than the base's. */
  readonly unseen: readonly string[];
  /** As a unified diff, of these files alone; null where that cannot be told. */
  patch(paths: readonly string[]): Promise<string | null>;
}

/**
 * A project without version control: compared with what the folder held when this process first looked; with an earlier revision
 * nothing can be compared.
 */
export function createNoVcs(directory: string, snapshots: Snapshots = openSnapshots(directory)): Vcs {
  const trees = plainTrees(snapshots);
  const base: Base = async () => {
    const tree = await trees.first();
    return tree === null ? "" : { tree };
  };
  return {
    kind: "none",
    trees,
    baseRevision: async () => null,
    changesSince: async () => UNKNOWN_CHANGES,
    workingDiff: async (isSensitive, signal, only) =>
      showSince(await compare(directory, snapshots, base, signal), isSensitive, only),
    fingerprint: async (signal) => takeUnlessAborted(snapshots, signal),
    uncommitted: async () => [],
    commitsAbout: async () => [],
    branchBase: async () => ({ kind: "unknown", why: "there is no version control" }),
    isIgnored: async () => false,
  };
}

/** Compares a folder with its base by snapshots alone; a text says why that cannot be. */
export async function compare(
  directory: string,
  snapshots: Snapshots,
  base: Base,
  signal?: AbortSignal,
): Promise<SinceBase | string> {
  const from = await base();
  if (typeof from === "string") return from;
  const now = await takeUnlessAborted(snapshots, signal);
  const all = now === null ? null : await snapshots.diff(from.tree, now);
  if (now === null || all === null) return "the files cannot be compared";
  const ours = all.filter(({ path }) => !path.startsWith(`${RECORD}/`));
  // What a commit holds and snapshots leave out is still there.
  const isThere = ({ path, after }: TreeChange): boolean =>
    isSame(after, NO_FILE) && existsSync(join(directory, path));
  const left = ours.filter(isThere).slice(0, MAX_DIFFED);
  const seen = await Promise.all(left.map(async ({ path }) => snapshots.versionNow(path)));
  const isOther = (change: TreeChange, at: number): boolean => {
    const { id, mode } = seen[at] ?? NO_FILE;
    return !isSame(change.before, { id, mode });
  };
  return {
    changes: ours.filter((change) => !isThere(change)),
    unseen: left.filter(isOther).map(({ path }) => path),
    patch: async (paths) => snapshots.patch(from.tree, now, paths),
  };
}

export async function showSince(
  since: SinceBase | string,
  isSensitive: (path: string) => boolean,
  only?: readonly string[],
): Promise<WorkingDiff> {
  if (typeof since === "string")
    return { diff: "", newFiles: [], ...(since === "" ? {} : { failed: since }) };
  const files = since.changes.filter(({ path }) => only?.includes(path) !== false);
  const shown = files.filter(
    ({ path, before, after }) => !isSensitive(path) && before.mode !== OPAQUE && after.mode !== OPAQUE,
  );
  const diff = await since.patch(shown.slice(0, MAX_DIFFED).map(({ path }) => path));
  const fresh = files.filter(({ before }) => isSame(before, NO_FILE)).map(({ path }) => path);
  const newFiles = [...fresh, ...since.unseen.filter((path) => only?.includes(path) !== false)];
  if (diff === null) return { diff: "", newFiles, failed: "the changed lines cannot be told" };
  // More than a diff of each can be made of.
  return { diff, newFiles, ...(shown.length > MAX_DIFFED && { manyFiles: files.map(({ path }) => path) }) };
}
