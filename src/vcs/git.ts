import { askGit, type GitPlace } from "../process/git.ts";
import { join } from "node:path";
import { openSnapshots, type Snapshots, takeUnlessAborted } from "../snapshot/snapshots.ts";
import { findBranchBase } from "./branch-base.ts";
import { compareWithBase, readWorkingDiff } from "./git-diff.ts";
import { readCommits } from "./git-commits.ts";
import { changesSince, type Vcs } from "./port.ts";
import { parseStatus, STATUS } from "./status.ts";
import { gitTrees } from "./trees.ts";

const MAX_REVISION_BYTES = 1_000;
const MAX_LIST_BYTES = 2_000_000;
const MAX_STATUS_BYTES = 4_000_000;

export function createGit(directory: string, snapshots: Snapshots = openSnapshots(directory)): Vcs {
  const at = (signal?: AbortSignal): GitPlace => ({ folder: directory, signal });
  let top: string | null = null;
  const topOf = async (): Promise<string> => {
    if (top !== null) return top;
    const { ok, text } = await askGit(at(), ["rev-parse", "--show-toplevel"], { maxBytes: MAX_LIST_BYTES });
    top = ok ? text.replace(/\n$/u, "") : null;
    return top ?? directory;
  };
  return {
    kind: "git",
    trees: gitTrees(directory, snapshots),
    async baseRevision(then) {
      const named = then === undefined ? [] : [`--before=@${Math.floor(then / 1000)}`];
      const { ok, text } = await askGit(at(), ["rev-list", "-1", ...named, "HEAD", "--"], {
        maxBytes: MAX_REVISION_BYTES,
      });
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
      const { ok, text } = await askGit(at(signal), STATUS, { maxBytes: MAX_STATUS_BYTES });
      if (!ok || text.length >= MAX_STATUS_BYTES / 4) return null;
      const root = await topOf();
      return parseStatus(text).rows.map(({ path }) => join(root, path));
    },
    isIgnored: async (path) => (await askGit(at(), ["check-ignore", "-q", path], { maxBytes: 0 })).ok,
  };
}
