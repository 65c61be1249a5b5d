import { createHash, type Hash } from "node:crypto";
import { existsSync } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { join } from "node:path";
import type { Repository } from "./command.ts";
import { WITHOUT_RECORD } from "./exclusions.ts";
import { atOneLook, listUntracked, runGit } from "./git-command.ts";

/** Of the diff and of untracked files; what lies beyond is told apart by sizes and times. */
const MAX_CONTENT_BYTES = 16_000_000;
const MAX_UNTRACKED_FILES = 2_000;
const MAX_UNTRACKED_FILE_BYTES = 256_000;
/** Repositories inside this one that are looked into, all together, and how deep. */
const MAX_NESTED = 100;
const MAX_NESTING = 6;

/**
 * Fingerprints what git sees of the project: ignored files do not count, a commit does, staging does not. Submodules and
 * other repositories inside count with all of theirs. Never throws; null where git does not answer.
 * @returns two halves with a dash between them: what is held, and the new files
 */
export async function fingerprintGit(git: Repository): Promise<string | null> {
  return fingerprint(git, { left: MAX_NESTED }, 0);
}

/** The half of a fingerprint that stands for files which version control holds; empty where it cannot be told apart. */
export function heldPart(fingerprint: string): string {
  return /^(\w+)-/.exec(fingerprint)?.[1] ?? "";
}

async function fingerprint(
  repository: Repository,
  nested: { left: number },
  depth: number,
): Promise<string | null> {
  const git = atOneLook(repository);
  const [held, fresh] = [createHash("sha256"), createHash("sha256")];
  const plain = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=no"];
  // Without a look into submodules: git would start itself in there, where nothing keeps their own programs from running.
  const [status, { paths }, links] = await Promise.all([
    runGit(git, [...plain, "--ignore-submodules=dirty"], MAX_CONTENT_BYTES),
    listUntracked(git, MAX_CONTENT_BYTES),
    listLinks(git),
  ]);
  if (!status.ok) return null;
  const commit = /# branch\.oid ([^\0]+)/.exec(status.text)?.[1] ?? "";
  // Against the commit and not the index, because staging is not a change. Before the first commit there is
  // nothing to compare with: then the index's own entries, which status lists, stand in.
  const unborn = commit === "(initial)";
  held.update(unborn ? status.text : commit);
  let bytes = 0;
  const options = ["--no-ext-diff", "--no-textconv", "--no-renames", "--binary", "--ignore-submodules=dirty"];
  await runGit(
    git,
    ["diff", ...options, ...(unborn ? [] : ["HEAD"]), ...WITHOUT_RECORD],
    MAX_CONTENT_BYTES,
    (chunk) => {
      bytes += chunk.length;
      held.update(chunk);
    },
  );
  if (bytes >= MAX_CONTENT_BYTES) await hashTimes(git.directory, changedPaths(status.text), held);
  await hashFiles(git.directory, paths, fresh);
  const inside: [path: string, into: Hash][] = [
    ...links.map((path): [string, Hash] => [path, held]),
    // A repository that is not known here is listed as a folder.
    ...paths.filter((path) => path.endsWith("/")).map((path): [string, Hash] => [path, fresh]),
  ];
  for (const [path, into] of inside) {
    const directory = join(git.directory, path);
    // Of a folder without a repository of its own git would tell about the one around it.
    if (nested.left-- <= 0 || depth >= MAX_NESTING || !existsSync(join(directory, ".git"))) continue;
    into.update(`\0${path}\0${await fingerprint({ ...repository, directory }, nested, depth + 1)}`);
  }
  return `${held.digest("hex").slice(0, 40)}-${fresh.digest("hex").slice(0, 40)}`;
}

/** The places of submodules, whether `.gitmodules` names them or not. */
async function listLinks(git: Repository): Promise<string[]> {
  const { text } = await runGit(git, ["ls-files", "--stage", "-z", ...WITHOUT_RECORD], MAX_CONTENT_BYTES);
  return text.split("\0").flatMap((row) => /^160000 [0-9a-f]+ \d\t(.+)$/su.exec(row)?.[1] ?? []);
}

/** The paths in the entries of changed files. */
function changedPaths(status: string): string[] {
  return status.split("\0").flatMap((row) => /^1 (?:\S+ ){7}(.+)$/su.exec(row)?.[1] ?? []);
}

async function hashTimes(directory: string, paths: readonly string[], hash: Hash): Promise<void> {
  for (const path of paths) {
    const entry = await lstat(join(directory, path)).catch(() => null);
    hash.update(`\0${path}\0${entry?.size}\0${entry?.mtimeMs}\0${entry?.ctimeMs}`);
  }
}

async function hashFiles(directory: string, paths: readonly string[], hash: Hash): Promise<void> {
  let bytesLeft = MAX_CONTENT_BYTES;
  const large: string[] = paths.slice(MAX_UNTRACKED_FILES);
  for (const path of paths.slice(0, MAX_UNTRACKED_FILES)) {
    const content = await readBeginning(join(directory, path), Math.min(bytesLeft, MAX_UNTRACKED_FILE_BYTES));
    hash.update(`\0${path}\0${content.size}\0`).update(content.bytes);
    bytesLeft -= content.bytes.length;
    if (content.size > content.bytes.length) large.push(path);
  }
  await hashTimes(directory, large, hash);
}

async function readBeginning(path: string, maxBytes: number): Promise<{ size: number; bytes: Buffer }> {
  const entry = await lstat(path).catch(() => null);
  // A pipe would block, a link points at what is counted elsewhere or is not ours.
  if (!entry?.isFile() || maxBytes === 0)
    return { size: entry?.isFile() ? entry.size : -1, bytes: Buffer.alloc(0) };
  const file = await open(path).catch(() => null);
  if (!file) return { size: entry.size, bytes: Buffer.alloc(0) };
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(maxBytes, entry.size)));
    return { size: entry.size, bytes: buffer.subarray(0, bytesRead) };
  } finally {
    await file.close();
  }
}
