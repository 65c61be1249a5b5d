import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Repository, runGit, runVcs } from "./git.ts";

/** What is not committed yet. */
export interface WorkingChanges {
  /** A unified diff as git writes it, new files included as far as they are small text. */
  readonly diff: string;
  /** New files, relative to the project; those that `diff` leaves out as well. */
  readonly newFiles: readonly string[];
}

/** Where to look, and what must not be opened. */
export interface WorkingTree extends Repository {
  readonly vcs: "jj" | "git" | "none";
  readonly isSensitive: (path: string) => boolean;
}

const MAX_DIFF_BYTES = 1_000_000;
const MAX_NEW_FILES = 2_000;
const MAX_NEW_FILES_READ = 60;
const MAX_NEW_FILE_BYTES = 64_000;
/** Git's name for "nothing at all", to compare with before the first commit. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
/** The record is no part of what is reviewed. */
const OWN = ["--", ".", ":(exclude,top,glob)**/.gaia/**"] as const;

/** Reads the project's changes since its newest commit (SPEC 8, review depth). Never throws; nothing without a repository. */
export async function readWorkingChanges(tree: WorkingTree): Promise<WorkingChanges> {
  if (tree.vcs === "none") return { diff: "", newFiles: [] };
  if (tree.vcs === "jj") {
    const run = await runVcs(tree, ["jj", "--no-pager", "diff", "--git", "--color", "never"], MAX_DIFF_BYTES);
    return { diff: withoutRecord(run.text), newFiles: [] };
  }
  const [changed, others] = await Promise.all([
    diffAgainst(tree, "HEAD"),
    runGit(tree, ["ls-files", "--others", "--exclude-standard", "-z", ...OWN], MAX_DIFF_BYTES),
  ]);
  const diff = changed.ok ? changed.text : (await diffAgainst(tree, EMPTY_TREE)).text;
  const newFiles = others.text.split("\0").filter(Boolean).slice(0, MAX_NEW_FILES);
  const readable = newFiles.filter((path) => !tree.isSensitive(path)).slice(0, MAX_NEW_FILES_READ);
  const added = await Promise.all(readable.map(async (path) => diffOfNewFile(tree.directory, path)));
  return { diff: diff + added.join(""), newFiles };
}

/** Without renames: what was in a sensitive file must not come back under another name. */
async function diffAgainst(tree: WorkingTree, base: string) {
  const plain = ["--no-ext-diff", "--no-textconv", "--no-renames", "--no-color", "--relative"];
  return runGit(tree, ["diff", ...plain, "--src-prefix=a/", "--dst-prefix=b/", base, ...OWN], MAX_DIFF_BYTES);
}

async function diffOfNewFile(directory: string, path: string): Promise<string> {
  const full = join(directory, path);
  const entry = await lstat(full).catch(() => null);
  // A link leads to what is tracked elsewhere, or is not ours to show.
  if (!entry?.isFile() || entry.size > MAX_NEW_FILE_BYTES) return "";
  const text = await readFile(full, "utf8").catch(() => "");
  if (text === "" || text.includes("\0")) return "";
  const lines = text.replace(/\n$/, "").split("\n");
  const body = lines.map((line) => `+${line}\n`).join("");
  return `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${body}`;
}

function withoutRecord(diff: string): string {
  const files = diff.split(/^(?=diff --git )/m);
  return files.filter((file) => !/^diff --git "?a\/(?:.*\/)?\.gaia\//.test(file)).join("");
}
