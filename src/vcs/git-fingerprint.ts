import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { statAll } from "../lib/stat-all.ts";
import type { Repository } from "./command.ts";
import { WITHOUT_RECORD } from "./exclusions.ts";
import { atOneLook, listUntracked, runGit } from "./git-command.ts";
import type { GitIndex, HeldFiles } from "./git-index.ts";
import type { FilesNow } from "./port.ts";
import type { Contents } from "./tree/contents.ts";

/** Of lists of files. */
const MAX_LIST_BYTES = 64_000_000;
/** Files that are read; what lies beyond is told apart by sizes and times. */
const MAX_READ_FILES = 2_000;
const MAX_READ_BYTES = 64_000_000;
/** Files that git is told not to look at, which are looked for; what lies beyond counts as the index has it. */
const MAX_UNWATCHED = 20_000;
/** Repositories inside this one that are looked into, all together, and how deep. */
const MAX_NESTED = 100;
const MAX_NESTING = 6;
/** Files that one command line names. */
const MAX_NAMED = 200;
const SUBMODULE = "160000";

/** What was read before, and is used again as long as it is the same. */
interface Known {
  readonly contents: Contents;
  readonly index: GitIndex;
}

/** What is left of the bounds of one look. */
interface Left {
  nested: number;
  files: number;
  bytes: number;
}

/**
 * Looks at what git sees of the project's files: ignored ones do not count. The fingerprint stands for what they hold, whether
 * that is staged, committed or neither, and whether git was told to look away; submodules and other repositories inside count
 * with all of theirs. Never throws; null where git does not answer.
 */
export async function lookAtGit(git: Repository, known: Known): Promise<FilesNow | null> {
  return look(git, known, { nested: MAX_NESTED, files: MAX_READ_FILES, bytes: MAX_READ_BYTES }, 0);
}

async function look(
  repository: Repository,
  known: Known,
  left: Left,
  depth: number,
): Promise<FilesNow | null> {
  const git = atOneLook(repository);
  // Without a look into submodules: git would start itself in there, where nothing keeps their own programs from running.
  const plain = ["--raw", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--relative"];
  const [held, edits, untracked] = await Promise.all([
    known.index.read(git),
    runGit(git, ["diff", ...plain, "--ignore-submodules=dirty", ...WITHOUT_RECORD], MAX_LIST_BYTES),
    listUntracked(git, MAX_LIST_BYTES),
  ]);
  if (held === null || !edits.ok || !untracked.ok) return null;
  const modes = editedModes(edits.text);
  /** What lies there in place of what the index has, or beside it; null for nothing. */
  const changed = new Map<string, string | null>();
  const edited = new Map<string, string>();
  const fresh = new Map<string, string>();
  const crlf: string[] = [];

  const { files, hash, submodules } = held;
  const inside = new Set(submodules);
  const listed = [...modes.keys()].filter((path) => files.has(path) && !inside.has(path));
  const unwatched = held.unsure.filter((path) => !modes.has(path)).slice(0, MAX_UNWATCHED);
  const read = [...listed, ...unwatched].toSorted();
  const fileOf = (path: string): string => join(git.directory, path);
  const stats = await statAll([...read, ...untracked.paths].map(fileOf));

  const readFile = async (path: string, mode: string | null): Promise<string> => {
    const file = fileOf(path);
    const entry = stats.get(file);
    if (entry === undefined) return "";
    const size = Number(entry.size);
    if (left.files <= 0 || size > left.bytes) return `~${size}:${entry.mtimeNs}:${entry.ctimeNs}`;
    left.files -= 1;
    left.bytes -= size;
    const version = await known.contents.versionOf(file, mode, hash, entry);
    if (version.stored !== undefined) crlf.push(path);
    return version.id === "" ? "other" : `${version.mode} ${version.id}`;
  };
  const lookInside = async (path: string): Promise<string | null> => {
    const directory = join(git.directory, path);
    // Of a folder without a repository of its own git would tell about the one around it.
    if (left.nested-- <= 0 || depth >= MAX_NESTING || !existsSync(join(directory, ".git"))) return null;
    return (await look({ ...repository, directory }, known, left, depth + 1))?.fingerprint ?? null;
  };

  for (const path of submodules) {
    const content = await lookInside(path);
    edited.set(path, content ?? modes.get(path) ?? "");
    if (content !== null) changed.set(path, content);
    else changed.set(path, (files.get(path)?.content ?? "").slice(SUBMODULE.length + 1));
  }
  for (const path of read) {
    const mode = modes.get(path) ?? files.get(path)?.content.slice(0, SUBMODULE.length) ?? null;
    const content = await readFile(path, mode);
    changed.set(path, content === "" ? null : content);
    edited.set(path, content);
  }
  for (const path of untracked.paths) {
    // A repository that is not known here is listed as a folder.
    const isRepository = path.endsWith("/");
    const content = isRepository ? ((await lookInside(path)) ?? "other") : await readFile(path, null);
    if (content === "") continue;
    changed.set(path.replace(/\/$/u, ""), content);
    if (!isRepository) fresh.set(path, content);
  }
  for (const [path, id] of await storedAs(git, crlf)) {
    const mode = changed.get(path)?.split(" ")[0] ?? "";
    changed.set(path, `${mode} ${id}`);
    if (edited.has(path)) edited.set(path, `${edited.get(path)} ${id}`);
  }
  // Where the list was cut, the commit stands for the rest.
  const rest = held.isCut ? (await runGit(git, ["rev-parse", "HEAD"], 100)).text : "";
  return { fingerprint: digestOf(held, changed, rest), index: held.digest, edited, untracked: fresh };
}

/** Of every file with what it holds, in order; what is as the index has it is not put in order again. */
function digestOf(
  { files, rows }: HeldFiles,
  changed: ReadonlyMap<string, string | null>,
  rest: string,
): string {
  const gone = new Set([...changed.keys()].map((path) => files.get(path)?.at));
  const here = [...changed].flatMap(([path, content]) => (content === null ? [] : [`${path}\0${content}`]));
  const stay = gone.size === 0 ? rows : rows.filter((_row, at) => !gone.has(at));
  // Two lists in order are put in order in one go.
  const all = here.length === 0 ? stay : [...stay, ...here.toSorted()].toSorted();
  return createHash("sha256").update(rest).update(all.join("\0\0")).digest("hex");
}

/** Files that are not as the index has them, with the mode that they have in the folder. */
function editedModes(text: string): Map<string, string> {
  const rows = text.matchAll(/:\d+ (\d+) [0-9a-f]+ [0-9a-f]+ [A-Z]\0([^\0]+)\0/gu);
  return new Map([...rows].map(([, mode = "", path = ""]) => [path, mode]));
}

/** The names that files with Windows' line ends would get when they are staged, which is for the project's settings to say. */
async function storedAs(git: Repository, paths: readonly string[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (let at = 0; at < paths.length; at += MAX_NAMED) {
    const named = paths.slice(at, at + MAX_NAMED);
    const { ok, text } = await runGit(git, ["hash-object", "--", ...named], MAX_LIST_BYTES);
    const found = text.trim().split("\n");
    if (ok && found.length === named.length)
      for (const [index, path] of named.entries()) ids.set(path, found[index] ?? "");
  }
  return ids;
}
