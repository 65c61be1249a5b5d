import type { Clock } from "../lib/clock.ts";
import { openSnapshots } from "../snapshot/snapshots.ts";
import { plainTrees } from "./trees.ts";
import { changesSince } from "./changes.ts";
import { hostJj, runVcs, type VcsRun } from "./command.ts";
import { cutRecord } from "./exclusions.ts";
import { createGit } from "./git.ts";
import type { ChangedFile, Vcs } from "./port.ts";
import { parseUnifiedDiff } from "./unified-diff.ts";

const MAX_BYTES = 2_000_000;
/** The parent of the working copy, which jj keeps as a commit of its own; the newest where it has several. */
const BASE = [
  "log",
  "--ignore-working-copy",
  "--revisions=@-",
  "--no-graph",
  "--limit=1",
  "--template=commit_id",
] as const;

/**
 * Jujutsu. It has no new files apart from changed ones: every command takes them into the working copy first. What it does
 * not tell git answers, where both share a folder.
 */
export function createJj(directory: string, clock: Clock, hasGit: boolean): Vcs {
  const run = async (args: readonly string[], signal?: AbortSignal) =>
    runVcs({ directory, clock, signal }, hostJj(args), MAX_BYTES);
  const diff = async (base: string | null, signal?: AbortSignal): Promise<VcsRun> => {
    const told = await run(["diff", "--git", ...(base === null ? [] : [`--from=${base}`])], signal);
    return { ...told, text: told.ok ? cutRecord(told.text) : "" };
  };
  const snapshots = openSnapshots(directory);
  const git = createGit(directory, clock, snapshots);
  const { fingerprint, isIgnored, commitsAbout } = git;
  return {
    kind: "jj",
    trees: hasGit ? git.trees : plainTrees(snapshots),
    fingerprint,
    isIgnored,
    commitsAbout,
    // Nothing is staged there: a commit takes all of it.
    uncommitted: async () => [],
    branchBase: async () => ({
      kind: "unknown",
      why: "that is told by git alone; in Jujutsu only the working copy is reviewed",
    }),
    async baseRevision() {
      const { ok, text } = await run(BASE);
      return (ok && /^[0-9a-f]{7,64}/.exec(text.trim())?.[0]) || null;
    },
    changesSince: async (base, signal) =>
      changesSince(base, async (from) => countFiles(await diff(from, signal))),
    async workingDiff(_isSensitive, signal, only) {
      const { ok, text: all, words } = await diff(null, signal);
      return {
        diff: only === undefined ? all : cutOthers(all, new Set(only)),
        newFiles: [],
        ...(ok ? {} : { failed: words }),
      };
    },
  };
}

function countFiles({ ok, text, words }: VcsRun): ChangedFile[] | string {
  if (!ok) return words;
  return parseUnifiedDiff(text).map(({ path, added, removed }) => ({ path, added, removed }));
}

function cutOthers(diff: string, only: ReadonlySet<string>): string {
  const files = diff.split(/^(?=diff --git )/mu);
  return files.filter((file) => parseUnifiedDiff(file).some(({ path }) => only.has(path))).join("");
}
