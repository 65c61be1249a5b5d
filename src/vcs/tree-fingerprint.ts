import { createHash, type Hash } from "node:crypto";
import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, systemClock } from "../lib/clock.ts";
import { type Repository, runGit } from "./git.ts";

/** A short name for the state of the project's files: equal when nothing changed. */
export interface TreeFingerprint {
  hash: string;
  /** `git`: status and diff. `walk`: names, sizes and times, where there is no git. */
  source: "git" | "walk";
  /** False when a bound cut it short, so that a late change may be missed. */
  complete: boolean;
}

/** Of the diff and of untracked files; larger changes are told apart by their beginning and their size. */
const MAX_CONTENT_BYTES = 16_000_000;
const MAX_UNTRACKED_FILES = 2_000;
const MAX_UNTRACKED_FILE_BYTES = 256_000;
const MAX_WALKED_ENTRIES = 20_000;
/** GAIA's own record changes with every check and must not look like progress. */
const NOT_WALKED = new Set([".git", ".jj", ".gaia", "node_modules"]);
const OWN = ["--", ".", ":(exclude,top,glob)**/.gaia/**"] as const;

/**
 * Fingerprints the project's files for the no-progress detector (SPEC 11). With git, ignored files do not count; a
 * commit does. Take it right before the checks run. Never throws; null when neither way worked or it was aborted.
 */
export async function fingerprintTree(
  directory: string,
  options: { signal?: AbortSignal; clock?: Clock } = {},
): Promise<TreeFingerprint | null> {
  const clock = options.clock ?? systemClock;
  const git = { directory, clock, signal: options.signal };
  const fingerprint = (await fingerprintGit(git)) ?? (await fingerprintWalk(directory, options.signal));
  return options.signal?.aborted ? null : fingerprint;
}

async function fingerprintGit(git: Repository): Promise<TreeFingerprint | null> {
  const hash = createHash("sha256");
  const status = await runGit(
    git,
    ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=no"],
    MAX_CONTENT_BYTES,
  );
  if (!status.ok) return null;
  const commit = /# branch\.oid ([^\0]+)/.exec(status.text)?.[1] ?? "";
  // Against the commit and not the index, because staging is not a change. Before the first commit there is
  // nothing to compare with: then the index's own entries, which status lists, stand in.
  const unborn = commit === "(initial)";
  hash.update(unborn ? status.text : commit);
  const diff = await runGit(
    git,
    [
      "diff",
      "--no-ext-diff",
      "--no-textconv",
      "--no-renames",
      "--binary",
      ...(unborn ? [] : ["HEAD"]),
      ...OWN,
    ],
    MAX_CONTENT_BYTES,
    (chunk) => hash.update(chunk),
  );
  const others = await runGit(
    git,
    ["ls-files", "--others", "--exclude-standard", "-z", ...OWN],
    MAX_CONTENT_BYTES,
  );
  const untracked = others.text.split("\0").filter((path) => path !== "");
  const hashed = await hashFiles(git.directory, untracked, hash);
  const complete = hashed && [status, diff, others].every((run) => run.ok && run.whole);
  return { hash: shortHash(hash), source: "git", complete };
}

/** @returns false when a bound left something out */
async function hashFiles(directory: string, paths: readonly string[], hash: Hash): Promise<boolean> {
  let bytesLeft = MAX_CONTENT_BYTES;
  for (const path of paths.slice(0, MAX_UNTRACKED_FILES)) {
    const content = await readBeginning(join(directory, path), Math.min(bytesLeft, MAX_UNTRACKED_FILE_BYTES));
    hash.update(`\0${path}\0${content.size}\0`).update(content.bytes);
    bytesLeft -= content.bytes.length;
  }
  return paths.length <= MAX_UNTRACKED_FILES && bytesLeft > 0;
}

async function readBeginning(path: string, maxBytes: number): Promise<{ size: number; bytes: Buffer }> {
  const entry = await lstat(path).catch(() => null);
  // A pipe would block, a link points at what is counted elsewhere or is not ours.
  if (!entry?.isFile() || maxBytes === 0) return { size: entry?.size ?? -1, bytes: Buffer.alloc(0) };
  const file = await open(path).catch(() => null);
  if (!file) return { size: entry.size, bytes: Buffer.alloc(0) };
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(maxBytes, entry.size)));
    return { size: entry.size, bytes: buffer.subarray(0, bytesRead) };
  } finally {
    await file.close();
  }
}

async function fingerprintWalk(
  directory: string,
  signal: AbortSignal | undefined,
): Promise<TreeFingerprint | null> {
  const hash = createHash("sha256");
  const folders = [""];
  let entriesLeft = MAX_WALKED_ENTRIES;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(join(directory, folder), { withFileTypes: true }).catch(() => null);
    if (!entries && folder === "") return null;
    for (const entry of (entries ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (NOT_WALKED.has(entry.name)) continue;
      if (entriesLeft <= 0 || signal?.aborted)
        return { hash: shortHash(hash), source: "walk", complete: false };
      entriesLeft -= 1;
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isDirectory()) folders.push(path);
      else hash.update(`${path}\0${await sizeAndTime(join(directory, path))}\0`);
    }
  }
  return { hash: shortHash(hash), source: "walk", complete: true };
}

async function sizeAndTime(path: string): Promise<string> {
  return lstat(path).then(
    ({ size, mtimeMs }) => `${size}:${mtimeMs}`,
    () => "gone",
  );
}

function shortHash(hash: Hash): string {
  return hash.digest("hex").slice(0, 32);
}
