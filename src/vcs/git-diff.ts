import { askGit, type GitPlace } from "../process/git.ts";
import type { ProgramEnd } from "../process/run-program.ts";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { readHead, readRegular } from "../lib/read-source.ts";
import { WITHOUT_RECORD } from "./status.ts";
import type { ChangedFile, WorkingDiff } from "./port.ts";
import { parseUnifiedDiff } from "./unified-diff.ts";

const MAX_LIST_BYTES = 2_000_000;
const MAX_DIFF_BYTES = 1_000_000;
const MAX_BASE_BYTES = 1_000;
/** Of a file with more changed lines nothing is read where there is too much. */
const MAX_DIFFED_LINES = 2_000;
const MAX_NEW_FILES = 2_000;
const MAX_PATHS = 1_000;
const MAX_NEW_FILES_READ = 60;
const MAX_NEW_FILES_COUNTED = 200;
const MAX_COUNTED_BYTES = 1_000_000;
const MAX_NEW_FILE_BYTES = 64_000;
/** A NUL in so many bytes makes a file binary, as for git. */
const LOOKED_AT = 8_000;
/** Without renames: what was in a sensitive file must not come back under another name. */
const PLAIN = ["--no-renames", "--no-color", "--relative", "--src-prefix=a/", "--dst-prefix=b/"];
const SAID_BINARY = /^Binary files .* differ$/mu;
/** Git's name for "nothing at all", to compare with before the first commit. */
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
/** `rev-parse --quiet --verify` exits so where there is none. */
const NO_SUCH_COMMIT = 1;

/** New files that git does not know yet and does not ignore; `ok` is false where it did not answer. */
async function listUntracked(
  repository: GitPlace,
  maxBytes: number,
): Promise<ProgramEnd & { readonly paths: readonly string[] }> {
  const args = ["ls-files", "--others", "--exclude-standard", "-z", ...WITHOUT_RECORD];
  const listed = await askGit(repository, args, { maxBytes });
  return { ...listed, paths: listed.text.split("\0").filter(Boolean) };
}

/** The files that differ from a base, or from the newest commit; a text says why git does not tell. */
export async function compareWithBase(
  repository: GitPlace,
  base: string | null,
): Promise<ChangedFile[] | string> {
  const [since, untracked] = await Promise.all([
    countLines(repository, base ?? "HEAD"),
    listUntracked(repository, MAX_LIST_BYTES),
  ]);
  const changed =
    since.ok || base !== null ? since : await countLines(repository, await nothingYet(repository, "HEAD"));
  const failed = [changed, untracked].find(({ ok }) => !ok);
  if (failed !== undefined) return failed.words;
  const fresh = await Promise.all(
    untracked.paths.map(async (path, at) => {
      const lines =
        at < MAX_NEW_FILES_COUNTED ? await linesOfNewFile(repository.folder, path, MAX_COUNTED_BYTES) : [];
      return { path, added: lines.length, removed: 0 };
    }),
  );
  return [...changed.files, ...fresh];
}

async function countLines(
  repository: GitPlace,
  base: string,
): Promise<ProgramEnd & { readonly files: ChangedFile[] }> {
  const counted = await askGit(
    repository,
    ["diff", "--numstat", "--no-renames", "--relative", "-z", base, ...WITHOUT_RECORD],
    { maxBytes: MAX_LIST_BYTES },
  );
  const files = new Map<string, ChangedFile>();
  for (const row of counted.text.split("\0")) {
    const [, added, removed, path = ""] = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(row) ?? [];
    if (path !== "") files.set(path, { path, added: Number(added) || 0, removed: Number(removed) || 0 });
  }
  const { text } = await realDiff(repository, base, calledBinary(counted.text));
  for (const { path, added, removed } of parseUnifiedDiff(text)) files.set(path, { path, added, removed });
  return { ...counted, files: [...files.values()] };
}

/** The files of a list by `--numstat` that git, or an attribute, calls binary. */
function calledBinary(counts: string): string[] {
  return counts.split("\0").flatMap((row) => (row.startsWith("-\t-\t") ? [row.slice(4)] : []));
}

export async function readWorkingDiff(
  repository: GitPlace,
  isSensitive: (path: string) => boolean,
  only?: readonly string[],
  base = "HEAD",
): Promise<WorkingDiff> {
  if (only?.length === 0) return { diff: "", newFiles: [] };
  const [changed, untracked] = await Promise.all([
    diffOfMany(repository, base, only),
    listUntracked(repository, MAX_DIFF_BYTES),
  ]);
  const told = changed.ok ? changed : await diffOfMany(repository, await nothingYet(repository, base), only);
  const failed = [told, untracked].find(({ ok }) => !ok)?.words;
  const { text: diff, manyFiles } = told;
  const wanted = only === undefined ? null : new Set(only);
  const newFiles = untracked.paths
    .filter((path) => wanted === null || wanted.has(path))
    .slice(0, MAX_NEW_FILES);
  const readable = newFiles.filter((path) => !isSensitive(path)).slice(0, MAX_NEW_FILES_READ);
  const added = await Promise.all(readable.map(async (path) => diffOfNewFile(repository.folder, path)));
  return {
    diff: diff + added.join(""),
    newFiles,
    ...(manyFiles === undefined ? {} : { manyFiles }),
    ...(failed === undefined ? {} : { failed }),
  };
}

/** What to compare with before the first commit; the same base, whose failure is told, where there is one. */
async function nothingYet(repository: GitPlace, base: string): Promise<string> {
  const { code } = await askGit(repository, ["rev-parse", "--verify", "--quiet", "HEAD"], {
    maxBytes: MAX_BASE_BYTES,
  });
  return code === NO_SUCH_COMMIT ? EMPTY_TREE : base;
}

/** What differs; where it is too much to be read, without the files that would hide those behind them, as what is generated does. */
async function diffOfMany(
  repository: GitPlace,
  base: string,
  only?: readonly string[],
): Promise<ProgramEnd & Pick<WorkingDiff, "manyFiles">> {
  const whole = await diffAgainst(repository, base, only);
  if (!whole.ok || Buffer.byteLength(whole.text) < MAX_DIFF_BYTES) return whole;
  const all = await countLines(repository, base);
  const wanted = only === undefined ? null : new Set(only);
  const files = all.files.filter(({ path }) => wanted === null || wanted.has(path));
  const small = files.filter(({ added, removed }) => added + removed <= MAX_DIFFED_LINES);
  const rest = small.length === 0 ? null : small.map(({ path }) => path);
  const { text } = rest === null ? whole : await diffAgainst(repository, base, rest);
  return { ...whole, text, manyFiles: files.map(({ path }) => path) };
}

/**
 * A diff of the real bytes: what attributes call binary is shown where it holds no NUL, and what is binary is told with its size.
 */
async function diffAgainst(
  repository: GitPlace,
  base: string,
  only?: readonly string[],
): Promise<ProgramEnd> {
  const paths = only?.slice(0, MAX_PATHS).map((path) => `:(literal)${path}`);
  const where = paths === undefined ? WITHOUT_RECORD : ["--", ...paths];
  const told = await askGit(repository, ["diff", ...PLAIN, base, ...where], { maxBytes: MAX_DIFF_BYTES });
  if (!told.ok || !SAID_BINARY.test(told.text)) return told;
  const counts = await askGit(repository, ["diff", "--numstat", ...PLAIN, "-z", base, ...where], {
    maxBytes: MAX_LIST_BYTES,
  });
  const { text, binary } = await realDiff(repository, base, calledBinary(counts.text));
  const sized = [...binary].map(
    ([path, size]) => `diff --git a/${path} b/${path}\n+++ b/${path}\nBinary file, ${size} bytes\n`,
  );
  const sections = told.text.split(/^(?=diff --git )/mu).filter((section) => !SAID_BINARY.test(section));
  return { ...told, text: [...sections, text, ...sized].join("") };
}

/** Of files that are called binary the diff of those that are not, and the sizes of those that are. */
async function realDiff(
  repository: GitPlace,
  base: string,
  called: readonly string[],
): Promise<{ readonly text: string; readonly binary: ReadonlyMap<string, number> }> {
  const binary = new Map<string, number>();
  const paths: string[] = [];
  for (const path of called.slice(0, MAX_PATHS)) {
    const size = await sizeOfBinary(repository, base, path);
    if (size === null) paths.push(`:(literal)${path}`);
    else binary.set(path, size);
  }
  if (paths.length === 0) return { text: "", binary };
  const { text } = await askGit(repository, ["diff", "--text", ...PLAIN, base, "--", ...paths], {
    maxBytes: MAX_DIFF_BYTES,
  });
  return { text, binary };
}

/** How large a file is that git has called binary; null where neither of its two versions is. */
async function sizeOfBinary(repository: GitPlace, base: string, path: string): Promise<number | null> {
  const now = await readHead(join(repository.folder, path), LOOKED_AT);
  const chunks: Buffer[] = [];
  const before = ["cat-file", "blob", `${base}:./${path}`];
  if (now?.bytes.includes(0) !== true)
    await askGit(repository, before, { maxBytes: LOOKED_AT, take: (chunk) => chunks.push(chunk) });
  return now?.bytes.includes(0) === true || Buffer.concat(chunks).includes(0) ? (now?.size ?? 0) : null;
}

/** The lines of a file that git does not know; none of one that is no text, or too large. */
async function linesOfNewFile(directory: string, path: string, maxBytes: number): Promise<string[]> {
  // A link leads to what is tracked elsewhere, or is not ours to show.
  if (!(await lstat(join(directory, path)).catch(() => null))?.isFile()) return [];
  const bytes = await readRegular(join(directory, path), maxBytes);
  if (bytes === null || bytes.includes(0)) return [];
  const text = bytes.toString("utf8");
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

async function diffOfNewFile(directory: string, path: string): Promise<string> {
  const head = `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n`;
  const lines = await linesOfNewFile(directory, path, MAX_NEW_FILE_BYTES);
  if (lines.length > 0)
    return `${head}@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join("")}`;
  const start = await readHead(join(directory, path), LOOKED_AT);
  return start?.bytes.includes(0) === true ? `${head}Binary file, ${start.size} bytes\n` : "";
}
