import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../lib/clock.ts";
import { findBranchBase } from "./branch-base.ts";
import { changesSince } from "./changes.ts";
import type { Repository, VcsRun } from "./command.ts";
import { WITHOUT_RECORD } from "./exclusions.ts";
import { listUntracked, runGit } from "./git-command.ts";
import { readCommits, readHeld } from "./git-commits.ts";
import { lookAtGit } from "./git-fingerprint.ts";
import { createGitIndex } from "./git-index.ts";
import type { ChangedFile, Vcs, WorkingDiff } from "./port.ts";
import { createContents } from "./tree/contents.ts";
import { createTreeReader } from "./tree/reader.ts";
import { parseStatus, STATUS } from "./tree/status.ts";
import { walkFiles } from "./walk.ts";

const MAX_REVISION_BYTES = 1_000;
const MAX_LIST_BYTES = 2_000_000;
const MAX_STATUS_BYTES = 4_000_000;
const MAX_DIFF_BYTES = 1_000_000;
/** Of a file with more changed lines nothing is read where there is too much. */
const MAX_DIFFED_LINES = 2_000;
const MAX_NEW_FILES = 2_000;
/** Files that one command line names. */
const MAX_PATHS = 1_000;
const MAX_NEW_FILES_READ = 60;
/** New files whose lines are counted. */
const MAX_NEW_FILES_COUNTED = 200;
const MAX_COUNTED_BYTES = 1_000_000;
const MAX_NEW_FILE_BYTES = 64_000;
/** Git's name for "nothing at all", to compare with before the first commit. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

export function createGit(directory: string, clock: Clock): Vcs {
  const at = (signal?: AbortSignal): Repository => ({ directory, clock, signal });
  const contents = createContents();
  const index = createGitIndex();
  let top: string | null = null;
  const topOf = async (): Promise<string> => {
    if (top !== null) return top;
    const { ok, text } = await runGit(at(), ["rev-parse", "--show-toplevel"], MAX_LIST_BYTES);
    top = ok ? text.replace(/\n$/u, "") : null;
    return top ?? directory;
  };
  const filesNow: Vcs["filesNow"] = async (signal) => {
    const found = (await lookAtGit(at(signal), { contents, index })) ?? (await walkFiles(directory, signal));
    return signal?.aborted ? null : found;
  };
  return {
    kind: "git",
    tree: createTreeReader(directory, clock, contents, index),
    async baseRevision(then) {
      const named = then === undefined ? [] : [`--before=@${Math.floor(then / 1000)}`];
      const { ok, text } = await runGit(at(), ["rev-list", "-1", ...named, "HEAD", "--"], MAX_REVISION_BYTES);
      return (ok && /^[0-9a-f]{7,64}/.exec(text)?.[0]) || null;
    },
    changesSince: async (base, signal) => changesSince(base, async (from) => compare(at(signal), from)),
    workingDiff: async (isSensitive, signal, only, base) =>
      readWorkingDiff(at(signal), isSensitive, only, base),
    commitsAbout: async (subject) => readCommits(at(), subject),
    held: async (paths) => readHeld(at(), paths),
    branchBase: async (name) => findBranchBase(at(), name),
    filesNow,
    fingerprint: async (signal) => (await filesNow(signal))?.fingerprint ?? null,
    blobsBelow: async (paths) => readIndex(at(), paths),
    async uncommitted(signal) {
      const { ok, text } = await runGit(at(signal), [...STATUS, ...WITHOUT_RECORD], MAX_STATUS_BYTES);
      if (!ok || text.length >= MAX_STATUS_BYTES / 4) return null;
      const root = await topOf();
      return parseStatus(text).rows.map(({ path }) => join(root, path));
    },
    isIgnored: async (path) => (await runGit(at(), ["check-ignore", "-q", path], 0)).ok,
  };
}

async function readIndex(git: Repository, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  // As they are: a pathspec has a language of its own.
  const { ok, text } = await runGit(
    git,
    ["--literal-pathspecs", "ls-files", "--stage", "--full-name", "-z", "--", ...paths],
    MAX_LIST_BYTES,
  );
  const top = await runGit(git, ["rev-parse", "--show-toplevel"], MAX_LIST_BYTES);
  if (!ok || !top.ok) return new Map();
  const root = top.text.replace(/\n$/u, "");
  const rows = text.split("\0").flatMap((row) => {
    const [, blob = "", path = ""] = /^100\d{3} ([0-9a-f]+) 0\t(.+)$/su.exec(row) ?? [];
    return path === "" ? [] : [[join(root, path), blob] as const];
  });
  return new Map(rows);
}

async function compare(repository: Repository, base: string | null): Promise<ChangedFile[] | null> {
  const [changed, untracked] = await Promise.all([
    countLines(repository, base ?? "HEAD"),
    listUntracked(repository, MAX_LIST_BYTES),
  ]);
  if (!untracked.ok || (!changed.ok && base !== null)) return null;
  const fresh = await Promise.all(
    untracked.paths.map(async (path, at) => {
      const text =
        at < MAX_NEW_FILES_COUNTED ? await textOfNewFile(repository.directory, path, MAX_COUNTED_BYTES) : "";
      return { path, added: linesOf(text).length, removed: 0 };
    }),
  );
  return [...changed.files, ...fresh];
}

async function countLines(
  repository: Repository,
  base: string,
): Promise<{ ok: boolean; files: ChangedFile[] }> {
  const counts = ["diff", "--numstat", "--no-renames", "--relative", "-z", base];
  const { ok, text } = await runGit(repository, [...counts, ...WITHOUT_RECORD], MAX_LIST_BYTES);
  const files = text.split("\0").flatMap((row) => {
    const [, added, removed, path = ""] = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(row) ?? [];
    // Git counts no lines of a binary file.
    return path === "" ? [] : [{ path, added: Number(added) || 0, removed: Number(removed) || 0 }];
  });
  return { ok, files };
}

async function readWorkingDiff(
  repository: Repository,
  isSensitive: (path: string) => boolean,
  only?: readonly string[],
  base = "HEAD",
): Promise<WorkingDiff> {
  if (only?.length === 0) return { diff: "", newFiles: [] };
  const [changed, untracked] = await Promise.all([
    diffOfMany(repository, base, only),
    listUntracked(repository, MAX_DIFF_BYTES),
  ]);
  const { text: diff, manyFiles } = changed.ok ? changed : await diffOfMany(repository, EMPTY_TREE, only);
  const wanted = only === undefined ? null : new Set(only);
  const newFiles = untracked.paths
    .filter((path) => wanted === null || wanted.has(path))
    .slice(0, MAX_NEW_FILES);
  const readable = newFiles.filter((path) => !isSensitive(path)).slice(0, MAX_NEW_FILES_READ);
  const added = await Promise.all(readable.map(async (path) => diffOfNewFile(repository.directory, path)));
  return { diff: diff + added.join(""), newFiles, ...(manyFiles === undefined ? {} : { manyFiles }) };
}

/** What differs; where it is too much to be read, without the files that would hide those behind them, as what is generated does. */
async function diffOfMany(
  repository: Repository,
  base: string,
  only?: readonly string[],
): Promise<VcsRun & Pick<WorkingDiff, "manyFiles">> {
  const whole = await diffAgainst(repository, base, only);
  if (!whole.ok || Buffer.byteLength(whole.text) < MAX_DIFF_BYTES) return whole;
  const all = await countLines(repository, base);
  const wanted = only === undefined ? null : new Set(only);
  const files = all.files.filter(({ path }) => wanted === null || wanted.has(path));
  const small = files.filter(({ added, removed }) => added + removed <= MAX_DIFFED_LINES);
  const rest = small.length === 0 ? null : small.map(({ path }) => path);
  const { text } = rest === null ? whole : await diffAgainst(repository, base, rest);
  return { ok: true, text, manyFiles: files.map(({ path }) => path) };
}

/** Without renames: what was in a sensitive file must not come back under another name. */
async function diffAgainst(repository: Repository, base: string, only?: readonly string[]): Promise<VcsRun> {
  const plain = ["--no-ext-diff", "--no-textconv", "--no-renames", "--no-color", "--relative"];
  const args = ["diff", ...plain, "--src-prefix=a/", "--dst-prefix=b/", base];
  const paths = only?.slice(0, MAX_PATHS).map((path) => `:(literal)${path}`);
  const where = paths === undefined ? WITHOUT_RECORD : ["--", ...paths];
  return runGit(repository, [...args, ...where], MAX_DIFF_BYTES);
}

/** The text of a file that git does not know; empty for one that is none, or too large. */
async function textOfNewFile(directory: string, path: string, maxBytes: number): Promise<string> {
  const full = join(directory, path);
  const entry = await lstat(full).catch(() => null);
  // A link leads to what is tracked elsewhere, or is not ours to show.
  if (!entry?.isFile() || entry.size > maxBytes) return "";
  const text = await readFile(full, "utf8").catch(() => "");
  return text.includes("\0") ? "" : text;
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

async function diffOfNewFile(directory: string, path: string): Promise<string> {
  const lines = linesOf(await textOfNewFile(directory, path, MAX_NEW_FILE_BYTES));
  if (lines.length === 0) return "";
  const body = lines.map((line) => `+${line}\n`).join("");
  return `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${body}`;
}
