import type { VcsType } from "../contracts/contract.ts";
import { askGit, type GitPlace } from "../process/git.ts";
import { WITHOUT_RECORD } from "../snapshot/uncommitted.ts";

/** A file, or one line of it, or words that stand in the code. Paths are relative to the project. */
export type HistorySubject =
  | { readonly path: string; readonly line: number | null }
  | { readonly text: string };

export interface Commit {
  readonly id: string;
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

/** What is written as a name is looked for, however many commits touch it. */
const NAME = /[^\p{L}]|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u;

/**
 * The newest commits that changed something, at most eight, the newest first; empty where git knows none, takes too long, or is
 * asked for an everyday word, which more commits touch that are about something else.
 */
export async function readCommits(git: GitPlace, subject: HistorySubject): Promise<Commit[]> {
  const args = ["log", `-n${MAX_COMMITS + 1}`, FORMAT, "--date=short", ...selectionOf(subject)];
  const { ok, text } = await askGit(git, args, { maxBytes: MAX_BYTES });
  // A line that is not there any more is no reason to say nothing of its file.
  if (!ok)
    return "line" in subject && subject.line !== null ? readCommits(git, { ...subject, line: null }) : [];
  const commits = text.split(ENTRY).flatMap((entry) => {
    const [id = "", date = "", title = "", body = ""] = entry.trim().split(FIELD);
    return title === "" ? [] : [{ id, date, subject: title, body: body.replace(/\s+/g, " ").trim() }];
  });
  const isEveryday = commits.length > MAX_COMMITS && "text" in subject && !NAME.test(subject.text);
  return isEveryday ? [] : commits.slice(0, MAX_COMMITS);
}

function selectionOf(subject: HistorySubject): string[] {
  if ("text" in subject) return [`-S${subject.text}`, ...WITHOUT_RECORD];
  const { path, line } = subject;
  return line === null ? ["--follow", "--", `:(literal)${path}`] : ["-s", `-L${line},${line}:${path}`];
}

/** Where a branch began, or why that cannot be told, in words for a person. */
export type BranchBase =
  | { readonly kind: "found"; readonly base: string; readonly name: string; readonly commits: number }
  | { readonly kind: "unknown"; readonly why: string };

const DEFAULTS = ["main", "master", "trunk", "develop"];
const NO_BRANCHES = {
  jj: "that is told by git alone; in Jujutsu only the working copy is reviewed",
  none: "there is no version control",
};

/**
 * The commit that a branch has in common with another one.
 * @param name the other one as the user writes it; null for the repository's default branch
 */
export async function findBranchBase(kind: VcsType, git: GitPlace, name: string | null): Promise<BranchBase> {
  if (kind !== "git") return unknown(NO_BRANCHES[kind]);
  const ask = async (...args: string[]): Promise<string | null> => {
    const { ok, text } = await askGit(git, args, { maxBytes: MAX_BYTES });
    return ok && text.trim() !== "" ? text.trim() : null;
  };
  const commitOf = async (ref: string): Promise<string | null> =>
    ask("rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`);
  if ((await commitOf("HEAD")) === null) return unknown("there is no commit yet");
  const known =
    (await ask("for-each-ref", "--format=%(refname:lstrip=2)", "refs/remotes"))?.split("\n") ?? [];
  // That of a fork's original comes first.
  const remotes = new Set(["upstream", "origin", ...known.map((branch) => branch.split("/")[0] ?? "")]);
  const fetched = (wanted: readonly string[]): string[] =>
    [...remotes]
      .flatMap((remote) => wanted.map((each) => `${remote}/${each}`))
      .filter((each) => known.includes(each));
  // A clone of one branch has the others only as those of its remote.
  const names = name === null ? [...fetched(["HEAD", ...DEFAULTS]), ...DEFAULTS] : [name, ...fetched([name])];
  for (const other of names) {
    const commit = await commitOf(other);
    if (commit === null) continue;
    const base = await ask("merge-base", commit, "HEAD");
    if (base === null) return unknown(`${other} and this branch have no commit in common`);
    const commits = Number(await ask("rev-list", "--count", `${base}..HEAD`));
    const branch = other.endsWith("/HEAD") ? await ask("rev-parse", "--abbrev-ref", other) : null;
    return { kind: "found", base, name: branch ?? other, commits };
  }
  return unknown(
    name === null
      ? "no default branch was found (HEAD of a remote, main, master, trunk, develop); name one with --base"
      : `there is no branch or commit "${name}"`,
  );
}

function unknown(why: string): BranchBase {
  return { kind: "unknown", why };
}
