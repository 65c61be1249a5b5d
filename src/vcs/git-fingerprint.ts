import { createHash, type Hash } from "node:crypto";
import { lstat, open } from "node:fs/promises";
import { join } from "node:path";
import type { Repository } from "./command.ts";
import { WITHOUT_RECORD } from "./exclusions.ts";
import { listUntracked, runGit } from "./git-command.ts";

/** Of the diff and of untracked files; larger changes are told apart by their beginning and their size. */
const MAX_CONTENT_BYTES = 16_000_000;
const MAX_UNTRACKED_FILES = 2_000;
const MAX_UNTRACKED_FILE_BYTES = 256_000;

/**
 * Fingerprints what git sees of the project: ignored files do not count, a commit does, staging does not. Never throws; null
 * where git does not answer.
 */
export async function fingerprintGit(git: Repository): Promise<string | null> {
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
  const plain = ["--no-ext-diff", "--no-textconv", "--no-renames", "--binary"];
  await runGit(
    git,
    ["diff", ...plain, ...(unborn ? [] : ["HEAD"]), ...WITHOUT_RECORD],
    MAX_CONTENT_BYTES,
    (chunk) => hash.update(chunk),
  );
  const { paths } = await listUntracked(git, MAX_CONTENT_BYTES);
  await hashFiles(git.directory, paths, hash);
  return hash.digest("hex");
}

async function hashFiles(directory: string, paths: readonly string[], hash: Hash): Promise<void> {
  let bytesLeft = MAX_CONTENT_BYTES;
  for (const path of paths.slice(0, MAX_UNTRACKED_FILES)) {
    const content = await readBeginning(join(directory, path), Math.min(bytesLeft, MAX_UNTRACKED_FILE_BYTES));
    hash.update(`\0${path}\0${content.size}\0`).update(content.bytes);
    bytesLeft -= content.bytes.length;
  }
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
