import { git } from "../../support/directory.ts";

/** A piece of text that stands once in a file, and what it becomes. */
export interface Replacement {
  readonly oldString: string;
  readonly newString: string;
}

/** A file of a change, as it was and as it became. */
export interface ChangedFile {
  readonly path: string;
  /** null where it was not there before. */
  readonly before: string | null;
  readonly after: string;
  /** What leads from one to the other, in this order; none for a new file. */
  readonly edits: readonly Replacement[];
}

/** A commit of a repository's history that adds or changes three files of code, a test among them. */
export interface Change {
  readonly commit: string;
  readonly subject: string;
  readonly files: readonly ChangedFile[];
}

const FILES = 3;
const MAX_COMMITS = 2_000;
/** A file that is longer is not read in one call. */
const MAX_LINES = 1_500;
/** Lines around what is replaced, and between two places, so that they do not meet. */
const MAX_CONTEXT = 3;
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gmu;

const CODE = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|c|cc|cpp|h)$/u;

export const isTest = (path: string): boolean => /(?:^|\/)(?:tests?|spec|__tests__)\//u.test(path);

/** The newest such commits. @param repository its folder, with its history */
export async function findChanges(repository: string, count: number): Promise<Change[]> {
  const listing = ["log", "--no-merges", "--no-renames", "--name-status", "--format=%x00%H %s"];
  const log = await git(repository, ...listing, `--max-count=${MAX_COMMITS}`);
  const changes: Change[] = [];
  for (const entry of log.split("\0").filter(Boolean)) {
    const [head = "", ...rows] = entry.split("\n").filter(Boolean);
    const paths = rows.flatMap((row) => (/^[AM]\t/u.test(row) ? [row.slice(2)] : []));
    const tests = paths.filter(isTest).length;
    const isFit = rows.length === FILES && paths.every((path) => CODE.test(path));
    if (!isFit || paths.length !== FILES || tests === 0 || tests === FILES) continue;
    const [commit = ""] = head.split(" ", 1);
    const files: ChangedFile[] = [];
    for (const path of paths) {
      const file = await readChanged(repository, commit, path);
      if (file !== null) files.push(file);
    }
    if (files.length === FILES) changes.push({ commit, subject: head.slice(commit.length + 1), files });
    if (changes.length === count) break;
  }
  return changes;
}

/** null for a file that cannot be read in one call, or edited piece by piece. */
async function readChanged(repository: string, commit: string, path: string): Promise<ChangedFile | null> {
  const after = await git(repository, "show", `${commit}:${path}`);
  const before = await git(repository, "show", `${commit}^:${path}`).catch(() => null);
  if (Math.max(lines(before ?? ""), lines(after)) > MAX_LINES) return null;
  if (before === null) return { path, before, after, edits: [] };
  const apart = `--inter-hunk-context=${2 * MAX_CONTEXT}`;
  const diff = await git(repository, "diff", "-U0", apart, `${commit}^`, commit, "--", path);
  const edits = [...diff.matchAll(HUNK)].map(([, from, length, to, newLength]) =>
    replacementOf(before, after, [place(from, length), place(to, newLength)]),
  );
  return edits.every((edit) => edit !== null) ? { path, before, after, edits } : null;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Lines that git names, counted from 0; where there are none, it names the line before. */
function place(from = "0", length = "1"): Place {
  const start = Number(from) - (length === "0" ? 0 : 1);
  return { start, end: start + Number(length) };
}

function replacementOf(before: string, after: string, [was, is]: readonly [Place, Place]) {
  for (let context = 1; context <= MAX_CONTEXT; context += 1) {
    const cut = (text: string, { start, end }: Place): string =>
      text
        .split("\n")
        .slice(Math.max(0, start - context), end + context)
        .join("\n");
    const oldString = cut(before, was);
    if (before.split(oldString).length === 2) return { oldString, newString: cut(after, is) };
  }
  return null;
}

function lines(text: string): number {
  return text.split("\n").length;
}
