import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { statAll } from "../lib/stat-all.ts";
import type { Repository } from "./command.ts";
import { WITHOUT_RECORD } from "./exclusions.ts";
import { atOneLook, listUntracked, runGit } from "./git-command.ts";
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
const LENGTH_WITH_SHA256 = SUBMODULE.length + 1 + 64;

/** What is left of the bounds of one look. */
interface Left {
  nested: number;
  files: number;
  bytes: number;
}

/** A file that version control holds: the mode and name of its content in the index, and whether that says what lies in the folder. */
interface HeldFile {
  readonly content: string;
  readonly isSure: boolean;
}

/**
 * Looks at what git sees of the project's files: ignored ones do not count. The fingerprint stands for what they hold, whether
 * that is staged, committed or neither, and whether git was told to look away; submodules and other repositories inside count
 * with all of theirs. Never throws; null where git does not answer.
 */
export async function lookAtGit(git: Repository, contents: Contents): Promise<FilesNow | null> {
  return look(git, contents, { nested: MAX_NESTED, files: MAX_READ_FILES, bytes: MAX_READ_BYTES }, 0);
}

async function look(
  repository: Repository,
  contents: Contents,
  left: Left,
  depth: number,
): Promise<FilesNow | null> {
  const git = atOneLook(repository);
  // Without a look into submodules: git would start itself in there, where nothing keeps their own programs from running.
  const plain = ["--raw", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--relative"];
  const [index, edits, untracked] = await Promise.all([
    runGit(git, ["ls-files", "-v", "--stage", "-z", ...WITHOUT_RECORD], MAX_LIST_BYTES),
    runGit(git, ["diff", ...plain, "--ignore-submodules=dirty", ...WITHOUT_RECORD], MAX_LIST_BYTES),
    listUntracked(git, MAX_LIST_BYTES),
  ]);
  if (!index.ok || !edits.ok || !untracked.ok) return null;
  const held = parseIndex(index.text);
  const modes = editedModes(edits.text);
  const [first] = held.values();
  const hash = first?.content.length === LENGTH_WITH_SHA256 ? "sha256" : "sha1";
  const found = new Map<string, string>();
  const edited = new Map<string, string>();
  const fresh = new Map<string, string>();
  const crlf: string[] = [];

  let unwatched = 0;
  const isRead = (path: string, { content, isSure }: HeldFile): boolean =>
    !content.startsWith(SUBMODULE) && (modes.has(path) || (!isSure && unwatched++ < MAX_UNWATCHED));
  const read = new Set([...held].flatMap(([path, file]) => (isRead(path, file) ? [path] : [])));
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
    const version = await contents.versionOf(file, mode, hash, entry);
    if (version.stored !== undefined) crlf.push(path);
    return version.id === "" ? "other" : `${version.mode} ${version.id}`;
  };
  const lookInside = async (path: string): Promise<string | null> => {
    const directory = join(git.directory, path);
    // Of a folder without a repository of its own git would tell about the one around it.
    if (left.nested-- <= 0 || depth >= MAX_NESTING || !existsSync(join(directory, ".git"))) return null;
    return (await look({ ...repository, directory }, contents, left, depth + 1))?.fingerprint ?? null;
  };

  for (const [path, { content: indexed }] of held) {
    const [now, mode] = [modes.get(path), indexed.slice(0, SUBMODULE.length)];
    if (mode === SUBMODULE) {
      const inside = await lookInside(path);
      edited.set(path, inside ?? now ?? "");
      found.set(path, inside ?? indexed.slice(mode.length + 1));
    } else if (read.has(path)) {
      const content = await readFile(path, now ?? mode);
      if (content !== "") found.set(path, content);
      edited.set(path, content);
    } else found.set(path, indexed);
  }
  for (const path of untracked.paths) {
    // A repository that is not known here is listed as a folder.
    const isRepository = path.endsWith("/");
    const content = isRepository ? ((await lookInside(path)) ?? "other") : await readFile(path, null);
    if (content === "") continue;
    found.set(path.replace(/\/$/u, ""), content);
    if (!isRepository) fresh.set(path, content);
  }
  for (const [path, id] of await storedAs(git, crlf)) {
    const mode = found.get(path)?.split(" ")[0] ?? "";
    found.set(path, `${mode} ${id}`);
    if (edited.has(path)) edited.set(path, `${edited.get(path)} ${id}`);
  }
  // Where the list was cut, the commit stands for the rest.
  const isCut = index.text.length >= MAX_LIST_BYTES;
  const rest = isCut ? (await runGit(git, ["rev-parse", "HEAD"], 100)).text : "";
  const rows = [...found].map(([path, content]) => `${path}\0${content}`).toSorted();
  return {
    fingerprint: createHash("sha256").update(rest).update(rows.join("\0\0")).digest("hex"),
    index: createHash("sha256").update(index.text).digest("hex"),
    edited,
    untracked: fresh,
  };
}

/** What git holds, by path. What it was told not to look at, or holds in several versions, is not sure. */
function parseIndex(text: string): Map<string, HeldFile> {
  const held = new Map<string, HeldFile>();
  for (const row of text.split("\0")) {
    // A row is `H 100644 <id> 0\t<path>`. Of the tens of thousands in a large project each pattern would be felt.
    const tab = row.indexOf("\t");
    if (tab === -1) continue;
    const isSure = row.startsWith("H") && row.charAt(tab - 1) === "0";
    held.set(row.slice(tab + 1), { content: row.slice("H ".length, tab - " 0".length), isSure });
  }
  return held;
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
