import { UNKNOWN_CHANGES } from "./changes.ts";
import type { Vcs } from "./port.ts";
import { fingerprintWalk } from "./walk.ts";

/** A project without version control: nothing can be compared, and its files are told apart by names, sizes and times. */
export function createNoVcs(directory: string): Vcs {
  return {
    kind: "none",
    tree: null,
    baseRevision: async () => null,
    changesSince: async () => UNKNOWN_CHANGES,
    workingDiff: async () => ({ diff: "", newFiles: [] }),
    fingerprint: async (signal) => fingerprintWalk(directory, signal),
    uncommitted: async () => [],
    commitsAbout: async () => [],
    held: async () => [],
    contentSince: async () => null,
    branchBase: async () => ({ kind: "unknown", why: "there is no version control" }),
    isIgnored: async () => false,
    blobsBelow: async () => new Map(),
  };
}
