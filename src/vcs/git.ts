import { join } from "node:path";
import type { Clock } from "../lib/clock.ts";
import { openSnapshots, type Snapshots, takeUnlessAborted } from "../snapshot/snapshots.ts";
import { findBranchBase } from "./branch-base.ts";
import { changesSince } from "./changes.ts";
import type { Repository } from "./command.ts";
import { compareWithBase, readWorkingDiff } from "./git-diff.ts";
import { WITHOUT_RECORD } from "./exclusions.ts";
import { runGit } from "./git-command.ts";
import { readCommits } from "./git-commits.ts";
import type { Vcs } from "./port.ts";
import { parseStatus, STATUS } from "./status.ts";
import { gitTrees } from "./trees.ts";

const MAX_REVISION_BYTES = 1_000;
const MAX_LIST_BYTES = 2_000_000;
const MAX_STATUS_BYTES = 4_000_000;

export function createGit(
  directory: string,
  clock: Clock,
  snapshots: Snapshots = openSnapshots(directory),
): Vcs {
  const at = (signal?: AbortSignal): Repository => ({ directory, clock, signal });
  let top: string | null = null;
  const topOf = async (): Promise<string> => {
    if (top !== null) return top;
    const { ok, text } = await runGit(at(), ["rev-parse", "--show-toplevel"], MAX_LIST_BYTES);
    top = ok ? text.replace(/\n$/u, "") : null;
    return top ?? directory;
  };
  return {
    kind: "git",
    trees: gitTrees(directory, clock, snapshots),
    async baseRevision(then) {
      const named = then === undefined ? [] : [`--before=@${Math.floor(then / 1000)}`];
      const { ok, text } = await runGit(at(), ["rev-list", "-1", ...named, "HEAD", "--"], MAX_REVISION_BYTES);
      return (ok && /^[0-9a-f]{7,64}/.exec(text)?.[0]) || null;
    },
    changesSince: async (base, signal) =>
      changesSince(base, async (from) => compareWithBase(at(signal), from)),
    workingDiff: async (isSensitive, signal, only, base) =>
      readWorkingDiff(at(signal), isSensitive, only, base),
    commitsAbout: async (subject) => readCommits(at(), subject),
    branchBase: async (name) => findBranchBase(at(), name),
    fingerprint: async (signal) => takeUnlessAborted(snapshots, signal),
    async uncommitted(signal) {
      const { ok, text } = await runGit(at(signal), [...STATUS, ...WITHOUT_RECORD], MAX_STATUS_BYTES);
      if (!ok || text.length >= MAX_STATUS_BYTES / 4) return null;
      const root = await topOf();
      return parseStatus(text).rows.map(({ path }) => join(root, path));
    },
    isIgnored: async (path) => (await runGit(at(), ["check-ignore", "-q", path], 0)).ok,
  };
}
