import { type Clock, steadyClock } from "../lib/clock.ts";
import { UNKNOWN_CHANGES } from "./changes.ts";
import type { Vcs, WorkingDiff } from "./port.ts";
import { diffTexts, type Versions } from "./text-diff.ts";
import { createFolderReader } from "./tree/folder-reader.ts";
import type { TreeReader } from "./tree/reader.ts";
import { type FileVersion, isSame, NO_FILE } from "./tree/state.ts";
import { walkFiles } from "./walk.ts";

/** Files whose lines are told. */
const MAX_DIFFED = 40;

/**
 * A project without version control: its files are told apart by names, sizes and times, and compared with what the folder held
 * when this process first looked; with an earlier revision nothing can be compared.
 */
export function createNoVcs(directory: string, clock: Clock = steadyClock): Vcs {
  const tree = createFolderReader(directory);
  return {
    kind: "none",
    tree,
    baseRevision: async () => null,
    changesSince: async () => UNKNOWN_CHANGES,
    workingDiff: async (isSensitive, signal, only) => diffFolder(tree, clock, isSensitive, only, signal),
    filesNow: async (signal) => walkFiles(directory, signal),
    fingerprint: async (signal) => (await walkFiles(directory, signal))?.fingerprint ?? null,
    uncommitted: async () => [],
    commitsAbout: async () => [],
    held: async () => [],
    branchBase: async () => ({ kind: "unknown", why: "there is no version control" }),
    isIgnored: async () => false,
  };
}

async function diffFolder(
  tree: TreeReader,
  clock: Clock,
  isSensitive: (path: string) => boolean,
  only: readonly string[] | undefined,
  signal: AbortSignal | undefined,
): Promise<WorkingDiff> {
  const state = await tree.read(() => true, signal);
  const files = [...(state?.dirty ?? [])].filter(([path]) => only?.includes(path) !== false);
  const bytesOf = async (path: string, version: FileVersion): Promise<Buffer | null> =>
    isSame(version, NO_FILE) ? Buffer.alloc(0) : tree.bytes(path, version);
  const told: (Versions & { readonly mark: string })[] = [];
  for (const [path, { now, committed }] of files.slice(0, MAX_DIFFED)) {
    const [before, after] = isSensitive(path)
      ? [null, null]
      : [await bytesOf(path, committed), await bytesOf(path, now)];
    if (before === null || after === null) continue;
    const [isNew, isGone] = [isSame(committed, NO_FILE), isSame(now, NO_FILE)];
    const mark = isNew ? "new file mode 100644\n" : isGone ? "deleted file mode 100644\n" : "";
    told.push({ path, before, after, mark });
  }
  const diffs = (await diffTexts(told, clock)).map((diff, at) =>
    diff.replace(/^--- /mu, `${told[at]?.mark}--- `),
  );
  const fresh = files.filter(([, { committed }]) => isSame(committed, NO_FILE));
  return { diff: diffs.join(""), newFiles: fresh.map(([path]) => path) };
}
