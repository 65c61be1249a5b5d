import { existsSync } from "node:fs";
import { join } from "node:path";
import { openSnapshots, type Snapshots, takeUnlessAborted, type TreeId } from "../snapshot/snapshots.ts";
import { isSame, NO_FILE, OPAQUE, type TreeChange } from "../snapshot/version.ts";
import { UNKNOWN_CHANGES, type Vcs, type WorkingDiff } from "./port.ts";
import { RECORD } from "./status.ts";
import { plainTrees } from "./trees.ts";

/** Files whose lines are told. */
const MAX_DIFFED = 1_000;

/** What a folder is compared with; a text says why that cannot be told. */
export type Base = () => Promise<{ readonly tree: TreeId } | string>;

/** What a folder holds that its base does not. */
export interface SinceBase {
  readonly changes: readonly TreeChange[];
  /** As a unified diff, of these files alone. */
  patch(paths: readonly string[]): Promise<string>;
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
    workingDiff: async (isSensitive, _signal, only) =>
      showSince(await compare(directory, snapshots, base), isSensitive, only),
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
): Promise<SinceBase | string> {
  const from = await base();
  if (typeof from === "string") return from;
  const now = await snapshots.take();
  const all = now === null ? null : await snapshots.diff(from.tree, now);
  if (now === null || all === null) return "the files cannot be compared";
  // What a commit holds and snapshots leave out is still there.
  const isThere = ({ path, after }: TreeChange): boolean =>
    isSame(after, NO_FILE) && existsSync(join(directory, path));
  const changes = all.filter((change) => !change.path.startsWith(`${RECORD}/`) && !isThere(change));
  return { changes, patch: async (paths) => snapshots.patch(from.tree, now, paths) };
}

/** What differs, for reviewers. */
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
  const fresh = files.filter(({ before }) => isSame(before, NO_FILE));
  return { diff, newFiles: fresh.map(({ path }) => path) };
}
