import { askGit, type GitPlace } from "../process/git.ts";
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { WITHOUT_RECORD } from "./uncommitted.ts";
import { MAX_FILE_BYTES } from "./take.ts";

/** A file, or one line of it, or words that stand in the code. Paths are relative to the project. */
export type HistorySubject =
  | { readonly path: string; readonly line: number | null }
  | { readonly text: string };

/** A commit, as far as it tells why. */
export interface Commit {
  readonly id: string;
  /** ISO day. */
  readonly date: string;
  readonly subject: string;
  /** The rest of its message, on one line. */
  readonly body: string;
}

const MAX_COMMITS = 8;
const MAX_BYTES = 200_000;
const FIELD = "\u001F";
const ENTRY = "\u001E";
const FORMAT = `--format=${["%h", "%ad", "%s", "%b"].join("%x1f")}%x1e`;
/** What a repository's attributes name for comparing is not run. */
const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-show-signature"];

/** The newest commits that changed something, at most eight, the newest first; empty where git knows none, takes too long, or is asked for an everyday word. */
export async function readCommits(git: GitPlace, subject: HistorySubject): Promise<Commit[]> {
  if ("text" in subject && !(await isTellingText(git, subject.text))) return [];
  const args = ["log", `-n${MAX_COMMITS}`, FORMAT, "--date=short", ...PLAIN, ...selectionOf(subject)];
  const { ok, text } = await askGit(git, args, { maxBytes: MAX_BYTES });
  // A line that is not there any more is no reason to say nothing of its file.
  if (!ok)
    return "line" in subject && subject.line !== null ? readCommits(git, { ...subject, line: null }) : [];
  return text.split(ENTRY).flatMap((entry) => {
    const [id = "", date = "", title = "", body = ""] = entry.trim().split(FIELD);
    return title === "" ? [] : [{ id, date, subject: title, body: body.replace(/\s+/g, " ").trim() }];
  });
}

function selectionOf(subject: HistorySubject): string[] {
  if ("text" in subject) return [`-S${subject.text}`, ...WITHOUT_RECORD];
  const { path, line } = subject;
  return line === null ? ["--follow", "--", `:(literal)${path}`] : ["-s", `-L${line},${line}:${path}`];
}

/** Words in front of what they define, in the languages that people use. */
const KEYWORDS =
  "function[*]?|class|defp?|fn|func|fun|const|let|var|type|interface|struct|enum|trait|mod|module|namespace|package|sub|proc|val|object|record|protocol|extension|macro|union|procedure|table|view|TABLE|VIEW|FUNCTION|#define";
const MAX_SYMBOL_BYTES = 1_000;
const PROSE = ["*.md", "*.markdown", "*.txt", "*.rst", "*.adoc"].map((glob) => `:(exclude,icase)${glob}`);

/**
 * Whether the history of a text in the code says why something is as it is: a name that is written as one, several words, or a
 * plain word that the project's code defines. A word of everyday language stands in many commits that are about something else.
 */
async function isTellingText(git: GitPlace, text: string): Promise<boolean> {
  if (!/^\p{L}+$/u.test(text) || /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(text)) return true;
  const patterns = definitionsOf(text).flatMap((each) => ["-e", each]);
  const args = ["grep", "-q", "-I", "-E", "--no-textconv", ...patterns, ...WITHOUT_RECORD, ...PROSE];
  return (await askGit(git, args, { maxBytes: MAX_SYMBOL_BYTES })).ok;
}

/** Lines that define a name, as extended regular expressions. @param name letters alone */
function definitionsOf(name: string): string[] {
  const end = "([^[:alnum:]_$]|$)";
  return [
    `(^|[^[:alnum:]_$])(${KEYWORDS})[[:space:]]+([(][^)]*[)][[:space:]]*)?${name}${end}`,
    // A function or method that says so by its body alone, a key, and something that is given a value.
    `^[[:space:]]*([[:alnum:]_.*&<>:,?[]+[[:space:]*&]+){0,4}${name}[[:space:]]*[(].*[)][^;()]*[{][[:space:]]*$`,
    `^[[:space:]]*["']?${name}["']?[[:space:]]*(:|=[^=]|[?]:)`,
  ];
}

/** Where a branch began, or why that cannot be told, in words for a person. */
export type BranchBase =
  | { readonly kind: "found"; readonly base: string; readonly name: string; readonly commits: number }
  | { readonly kind: "unknown"; readonly why: string };

const DEFAULTS = ["main", "master", "trunk", "develop"];

/**
 * The commit that a branch has in common with another one.
 * @param name the other one as the user writes it; null for the repository's default branch
 */
export async function findBranchBase(git: GitPlace, name: string | null): Promise<BranchBase> {
  const ask = async (...args: string[]): Promise<string | null> => {
    const { ok, text } = await askGit(git, args, { maxBytes: MAX_BYTES });
    return ok && text.trim() !== "" ? text.trim() : null;
  };
  const commitOf = async (ref: string): Promise<string | null> =>
    ask("rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`);
  if ((await commitOf("HEAD")) === null) return unknown("there is no commit yet");
  const remote =
    name === null ? await ask("symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD") : null;
  const names = name === null ? DEFAULTS : [name];
  // A clone of one branch has the others only as those of its remote.
  for (const other of [remote ?? "", ...names, ...names.map((each) => `origin/${each}`)]) {
    const commit = other === "" ? null : await commitOf(other);
    if (commit === null) continue;
    const base = await ask("merge-base", commit, "HEAD");
    if (base === null) return unknown(`${other} and this branch have no commit in common`);
    const commits = Number(await ask("rev-list", "--count", `${base}..HEAD`));
    return { kind: "found", base, name: other, commits };
  }
  return unknown(
    name === null
      ? "no default branch was found (origin/HEAD, main, master, trunk, develop); name one with --base"
      : `there is no branch or commit "${name}"`,
  );
}

function unknown(why: string): BranchBase {
  return { kind: "unknown", why };
}

/** Whether the newest stash holds these bytes of a file. */
export async function isStashed(project: string, path: string, bytes: Buffer | null): Promise<boolean> {
  const { repository, name } = innermost(project, path);
  // Where it was untracked, the stash has it in a third parent.
  for (const tree of ["refs/stash", "refs/stash^3"])
    if (bytes !== null && (await checkedOut(repository, name, `${tree}:./${name}`))?.equals(bytes))
      return true;
  return false;
}

/** The innermost repository below the project that holds a file, and the file's name there. */
function innermost(project: string, path: string): { repository: GitPlace; name: string } {
  const parts = path.split("/").slice(0, -1);
  while (parts.length > 0 && !existsSync(join(project, ...parts, ".git"))) parts.pop();
  const folder = join(project, ...parts);
  return { repository: { folder }, name: relative(folder, join(project, path)) };
}

/** An object's bytes as they would lie in the folder at a name; null where there is none. */
async function checkedOut(repository: GitPlace, name: string, object: string): Promise<Buffer | null> {
  const args = ["cat-file", "--filters", `--path=${name}`, object];
  const { ok, bytes } = await askGit(repository, args, { maxBytes: MAX_FILE_BYTES });
  return ok ? bytes : null;
}
