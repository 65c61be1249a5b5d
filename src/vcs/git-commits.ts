import type { Repository } from "./command.ts";
import { WITHOUT_RECORD } from "./exclusions.ts";
import { runGit } from "./git-command.ts";
import { isTellingText } from "./git-symbol.ts";

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
export async function readCommits(git: Repository, subject: HistorySubject): Promise<Commit[]> {
  if ("text" in subject && !(await isTellingText(git, subject.text))) return [];
  const args = ["log", `-n${MAX_COMMITS}`, FORMAT, "--date=short", ...PLAIN, ...selectionOf(subject)];
  const { ok, text } = await runGit(git, args, MAX_BYTES);
  // A line that is not there any more is no reason to say nothing of its file.
  if (!ok)
    return "line" in subject && subject.line !== null ? readCommits(git, { ...subject, line: null }) : [];
  return text.split(ENTRY).flatMap((entry) => {
    const [id = "", date = "", title = "", body = ""] = entry.trim().split(FIELD);
    return title === "" ? [] : [{ id, date, subject: title, body: body.replace(/\s+/g, " ").trim() }];
  });
}

/** Which of these files the history has ever held; none where git knows none, or takes too long. */
export async function readHeld(git: Repository, paths: readonly string[]): Promise<string[]> {
  const names = ["--no-renames", "--diff-filter=A", "--name-only", "--relative", "--format=", "-z"];
  const args = ["--literal-pathspecs", "log", ...names, ...PLAIN, "--", ...paths];
  const { text } = await runGit(git, args, MAX_BYTES);
  const held = new Set(text.split("\0").map((name) => name.trim()));
  return paths.filter((path) => held.has(path));
}

function selectionOf(subject: HistorySubject): string[] {
  if ("text" in subject) return [`-S${subject.text}`, ...WITHOUT_RECORD];
  const { path, line } = subject;
  return line === null ? ["--follow", "--", `:(literal)${path}`] : ["-s", `-L${line},${line}:${path}`];
}
