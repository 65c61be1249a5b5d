import { createHash } from "node:crypto";
import { existsSync, lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Repository } from "./command.ts";
import { WITHOUT_RECORD } from "./exclusions.ts";
import { runGit } from "./git-command.ts";
import { readTextSync } from "../lib/read-source.ts";

/** Of lists of files. */
const MAX_LIST_BYTES = 64_000_000;
/** Folders whose lists are kept: the project's, and some of repositories inside it. */
const MAX_KEPT = 8;
/** Within this time two writes may leave the same stamp, in milliseconds. */
const STAMP_MS = 100;
const SUBMODULE = "160000";
const LENGTH_WITH_SHA256 = SUBMODULE.length + 1 + 64;

/** A file that version control holds. */
export interface HeldFile {
  /** The mode and name of its content in the index. */
  readonly content: string;
  /** Where its row stands among `rows`. */
  readonly at: number;
}

/** What the index of a repository holds of the files below one folder, without GAIA's own record. */
export interface HeldFiles {
  readonly files: ReadonlyMap<string, HeldFile>;
  /** `path\0content` of each, in order. */
  readonly rows: readonly string[];
  readonly submodules: readonly string[];
  /** Files whose content the index does not tell: git was told not to look at them, or holds them in several versions. */
  readonly unsure: readonly string[];
  /** Stands for the list, with what git was told of each file. */
  readonly digest: string;
  readonly hash: "sha1" | "sha256";
  /** The list was longer than what is read of it. */
  readonly isCut: boolean;
}

export interface GitIndex {
  /** Never throws; null where git does not answer. */
  read(git: Repository): Promise<HeldFiles | null>;
}

/** Reads indexes; a list is used again as long as the file of the index is the same. Of a large project it is tens of thousands of rows. */
export function createGitIndex(wall: () => number = Date.now): GitIndex {
  const kept = new Map<string, { readonly stamp: string; readonly held: HeldFiles }>();
  return {
    async read(git) {
      const before = stampOf(git.directory, wall());
      const known = kept.get(git.directory);
      if (known !== undefined && known.stamp === before) return known.held;
      kept.delete(git.directory);
      const { ok, text } = await runGit(
        git,
        ["ls-files", "-v", "--stage", "-z", ...WITHOUT_RECORD],
        MAX_LIST_BYTES,
      );
      if (!ok) return null;
      const held = parse(text);
      const [oldest] = kept.keys();
      if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      if (before !== null && before === stampOf(git.directory, wall()))
        kept.set(git.directory, { stamp: before, held });
      return held;
    },
  };
}

/**
 * Stands for the index of the repository that a folder is in; null where it may change without that: it was written just now, or a
 * sparse checkout makes git look for files before it tells.
 */
function stampOf(directory: string, now: number): string | null {
  try {
    const folder = gitFolder(directory);
    if (folder === null || existsSync(join(folder, "info", "sparse-checkout"))) return null;
    const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = lstatSync(join(folder, "index"), { bigint: true });
    if (Math.abs(now - Number(ctimeMs)) < STAMP_MS) return null;
    return [folder, dev, ino, size, mtimeNs, ctimeNs].join(" ");
  } catch {
    return null;
  }
}

/** Where git keeps what it knows of the work tree that a folder is in. */
function gitFolder(directory: string): string | null {
  for (let at = directory; ; at = dirname(at)) {
    const entry = lstatSync(join(at, ".git"), { throwIfNoEntry: false });
    if (entry?.isDirectory() === true) return join(at, ".git");
    if (entry?.isFile() === true) {
      const [, path] = /^gitdir: (.+)$/mu.exec(readTextSync(join(at, ".git"))) ?? [];
      return path === undefined ? null : resolve(at, path);
    }
    if (entry !== undefined || dirname(at) === at) return null;
  }
}

function parse(text: string): HeldFiles {
  const known = new Map<string, { readonly content: string; readonly isSure: boolean }>();
  for (const row of text.split("\0")) {
    // A row is `H 100644 <id> 0\t<path>`. Of the tens of thousands in a large project each pattern would be felt.
    const tab = row.indexOf("\t");
    if (tab === -1) continue;
    const isSure = row.startsWith("H") && row.charAt(tab - 1) === "0";
    known.set(row.slice(tab + 1), { content: row.slice("H ".length, tab - " 0".length), isSure });
  }
  const entries = [...known];
  const rows = entries.map(([path, { content }]) => `${path}\0${content}`).toSorted();
  const files = new Map<string, HeldFile>();
  for (const [at, row] of rows.entries()) {
    const end = row.indexOf("\0");
    files.set(row.slice(0, end), { content: row.slice(end + 1), at });
  }
  const isSubmodule = (content: string): boolean => content.startsWith(SUBMODULE);
  const pathsOf = (test: (content: string, isSure: boolean) => boolean): string[] =>
    entries.flatMap(([path, { content, isSure }]) => (test(content, isSure) ? [path] : []));
  const [first] = known.values();
  return {
    files,
    rows,
    submodules: pathsOf((content) => isSubmodule(content)),
    unsure: pathsOf((content, isSure) => !isSure && !isSubmodule(content)),
    digest: createHash("sha256").update(text).digest("hex"),
    hash: first?.content.length === LENGTH_WITH_SHA256 ? "sha256" : "sha1",
    isCut: text.length >= MAX_LIST_BYTES,
  };
}
