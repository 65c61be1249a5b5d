import { type Clock, steadyClock } from "../lib/clock.ts";
import { openSnapshots, type Snapshots, takeUnlessAborted } from "../snapshot/snapshots.ts";
import { isSame, NO_FILE, OPAQUE } from "../snapshot/version.ts";
import { UNKNOWN_CHANGES } from "./changes.ts";
import type { Vcs, WorkingDiff } from "./port.ts";
import { diffTexts, type Versions } from "./text-diff.ts";
import { plainTrees, type Trees } from "./trees.ts";

/** Files whose lines are told. */
const MAX_DIFFED = 40;

/**
 * A project without version control: compared with what the folder held when this process first looked; with an earlier revision
 * nothing can be compared.
 */
export function createNoVcs(
  directory: string,
  clock: Clock = steadyClock,
  snapshots: Snapshots = openSnapshots(directory),
): Vcs {
  const trees = plainTrees(snapshots);
  return {
    kind: "none",
    trees,
    baseRevision: async () => null,
    changesSince: async () => UNKNOWN_CHANGES,
    workingDiff: async (isSensitive, _signal, only) => diffFolder(trees, clock, isSensitive, only),
    fingerprint: async (signal) => takeUnlessAborted(snapshots, signal),
    uncommitted: async () => [],
    commitsAbout: async () => [],
    branchBase: async () => ({ kind: "unknown", why: "there is no version control" }),
    isIgnored: async () => false,
  };
}

async function diffFolder(
  trees: Trees,
  clock: Clock,
  isSensitive: (path: string) => boolean,
  only: readonly string[] | undefined,
): Promise<WorkingDiff> {
  const state = await trees.read();
  const files = [...(state?.dirty ?? [])].filter(([path]) => only?.includes(path) !== false);
  const told: (Versions & { readonly mark: string })[] = [];
  for (const [path, { now, committed }] of files.slice(0, MAX_DIFFED)) {
    if (isSensitive(path) || now.mode === OPAQUE || committed.mode === OPAQUE) continue;
    const [isNew, isGone] = [isSame(committed, NO_FILE), isSame(now, NO_FILE)];
    const before = isNew ? Buffer.alloc(0) : await trees.bytes(committed);
    const after = isGone ? Buffer.alloc(0) : await trees.bytes(now);
    if (before === null || after === null) continue;
    const mark = isNew ? "new file mode 100644\n" : isGone ? "deleted file mode 100644\n" : "";
    told.push({ path, before, after, mark });
  }
  const diffs = (await diffTexts(told, clock)).map((diff, at) =>
    diff.replace(/^--- /mu, `${told[at]?.mark}--- `),
  );
  const fresh = files.filter(([, { committed }]) => isSame(committed, NO_FILE));
  return { diff: diffs.join(""), newFiles: fresh.map(([path]) => path) };
}
