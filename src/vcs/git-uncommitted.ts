import { createHash } from "node:crypto";
import { lstat, readlink } from "node:fs/promises";
import { join } from "node:path";
import { readSource } from "../lib/read-source.ts";
import type { Repository } from "./command.ts";
import { WITHOUT_RECORD } from "./exclusions.ts";
import { listUntracked, runGit } from "./git-command.ts";
import type { UncommittedFile } from "./port.ts";

const MAX_LIST_BYTES = 4_000_000;
/** Fields before the path, by the kind of the row. */
const FIELDS: Readonly<Record<string, number>> = { "1": 8, "2": 9, u: 10, "?": 1 };

/**
 * Files that differ from the newest commit, with what a commit would take of each; null where git does not answer, or has
 * too much to say.
 * @param top the folder that git names them from
 */
export async function readUncommitted(git: Repository, top: string): Promise<UncommittedFile[] | null> {
  const args = ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames"];
  const { ok, text } = await runGit(git, [...args, ...WITHOUT_RECORD], MAX_LIST_BYTES);
  if (!ok || text.length >= MAX_LIST_BYTES / 4) return null;
  return text.split("\0").flatMap((row) => {
    const kind = row.charAt(0);
    const fields = FIELDS[kind];
    if (fields === undefined) return [];
    const words = row.split(" ");
    const path = join(top, words.slice(fields).join(" "));
    const [, codes = "..", submodule = "N..."] = words;
    const isDirtyInside = submodule.startsWith("S") && /[MU]$|M.$/u.test(submodule);
    const isStaged = (kind === "1" || kind === "2") && codes.endsWith(".");
    return [{ path, isTracked: kind !== "?", isStaged, canStage: kind !== "u" && !isDirtyInside }];
  });
}

/**
 * A short text for the content of everything that differs from a commit, committed since or not: as long as no file is
 * changed, it stays the same while that is staged and committed. Null where that cannot be told.
 */
export async function readContentSince(git: Repository, base: string, top: string): Promise<string | null> {
  const args = ["diff", "--name-only", "--no-renames", "-z", base, ...WITHOUT_RECORD];
  const [changed, untracked] = await Promise.all([
    runGit(git, args, MAX_LIST_BYTES),
    listUntracked(git, MAX_LIST_BYTES),
  ]);
  if (!changed.ok || !untracked.ok) return null;
  const known = changed.text
    .split("\0")
    .filter(Boolean)
    .map((path) => join(top, path));
  const paths = new Set([...known, ...untracked.paths.map((path) => join(git.directory, path))]);
  const hash = createHash("sha256").update(base);
  for (const path of [...paths].toSorted()) hash.update(`\0${path}\0${await contentOf(path, git)}`);
  return hash.digest("hex");
}

async function contentOf(path: string, { clock }: Repository): Promise<string> {
  const entry = await lstat(path).catch(() => null);
  if (entry === null) return "";
  if (entry.isSymbolicLink()) return `link ${await readlink(path)}`;
  if (!entry.isFile()) return "other";
  const file = await readSource(path, clock);
  // What is too large to be read is told by its size and time.
  if (file.state !== "read") return `${entry.size} ${entry.mtimeMs}`;
  return `${entry.mode} ${createHash("sha256").update(file.bytes).digest("hex")}`;
}
