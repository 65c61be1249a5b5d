import { createHash } from "node:crypto";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { readSource } from "../../lib/read-source.ts";
import type { Examination } from "../../policy/examination.ts";
import type { Vcs } from "../../vcs/port.ts";

/** Files that are remembered; those of later calls count as the user's. */
const MAX_REMEMBERED = 2_000;
/** Files below the folders that one call deletes; of more it is not told who made them. */
const MAX_FILES = 500;
/** Folders in which everything else is held. */
const HOLDING = /\/\.(?:git|jj|hg|svn|gaia)(?:\/|$)/iu;
const ABSENT = "";

/**
 * Which files are this conversation's own work, so that its specialists may throw away again what they made (SPEC 9). The
 * user's work is everything else: what was changed before the conversation first wrote there, and since it last did.
 */
export interface Losses {
  /** A call that writes these files, by their absolute paths, is about to run. */
  begins(paths: readonly string[]): Promise<void>;
  /** Such a call has run. */
  ends(paths: readonly string[]): Promise<void>;
  /** A lossy call that throws away nothing but own work, and what version control holds, is none. */
  settle(examination: Examination): Promise<Examination>;
}

export function createLosses({ vcs, clock }: { readonly vcs: Vcs; readonly clock: Clock }): Losses {
  /** What a file was before it was first written here, and after it was last: its name in git, or that it was absent. */
  const first = new Map<string, string | null>();
  const last = new Map<string, string | null>();

  const isHeld = async (path: string, blobs: ReadonlyMap<string, string>): Promise<boolean> => {
    const now = await blobOf(path, clock);
    if (now === ABSENT) return true;
    if (now === null) return false;
    const indexed = blobs.get(path);
    if (now === indexed) return true;
    const before = first.get(path);
    const isOurs = before === ABSENT || (before !== undefined && before !== null && before === indexed);
    return isOurs && last.get(path) === now;
  };

  const areHeld = async (paths: readonly string[]): Promise<boolean> => {
    if (paths.length > MAX_FILES || paths.some((path) => !path.startsWith("/") || HOLDING.test(path)))
      return false;
    const files: string[] = [];
    for (const path of paths) if (!(await collectFiles(path, files))) return false;
    const blobs = await vcs.blobsBelow(paths);
    for (const file of files) if (!(await isHeld(file, blobs))) return false;
    return true;
  };

  return {
    async begins(paths) {
      for (const path of paths) {
        if (first.size >= MAX_REMEMBERED || first.has(path)) continue;
        first.set(path, await blobOf(path, clock));
      }
    },
    async ends(paths) {
      for (const path of paths) if (first.has(path)) last.set(path, await blobOf(path, clock));
    },
    async settle(examination) {
      const { losses } = examination;
      // What cannot be looked at counts as the user's.
      if (losses === null || !(await areHeld(losses.paths).catch(() => false))) return examination;
      return { ...examination, effect: losses.otherwise, losses: null };
    },
  };
}

/** Adds the files below a path; false when there are too many, or something is neither file nor folder. */
async function collectFiles(path: string, files: string[]): Promise<boolean> {
  const entry = await lstat(path).catch(() => null);
  if (entry === null) return true;
  if (entry.isFile()) return files.push(path) <= MAX_FILES;
  if (!entry.isDirectory()) return false;
  for (const name of await readdir(path)) {
    const inner = join(path, name);
    if (HOLDING.test(inner) || !(await collectFiles(inner, files))) return false;
  }
  return true;
}

/** A file's name in git; null when it cannot be read or is too large. */
async function blobOf(path: string, clock: Clock): Promise<string | null> {
  const file = await readSource(path, clock);
  if (file.state === "absent") return ABSENT;
  if (file.state === "failed") return null;
  return createHash("sha1").update(`blob ${file.bytes.length}\0`).update(file.bytes).digest("hex");
}
