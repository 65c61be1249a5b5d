import { existsSync } from "node:fs";
import { join } from "node:path";
import { usersGit, type UsersGitPlace } from "./users-git.ts";

/** A repository that a commit is to be made in, as it is at that moment. */
export interface CommitRepository {
  readonly place: UsersGitPlace;
  readonly top: string;
  /** Holds HEAD and the index of this working tree. */
  readonly gitFolder: string;
  /** The project, relative to the top: "" or ending in "/". */
  readonly prefix: string;
  /** null before the first commit. */
  readonly head: string | null;
  /** What HEAD names; "HEAD" where it is detached. */
  readonly ref: string;
}

/** Why no commit can be made here, in git's words where they are git's. */
export interface CommitProblem {
  readonly kind: "problem";
  readonly why: string;
}

/** What waits for the user, by the file that git keeps as long as it does. */
const UNFINISHED: readonly (readonly [file: string, what: string])[] = [
  ["rebase-apply/applying", "git am"],
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["sequencer", "cherry-pick or revert"],
  ["BISECT_LOG", "bisect"],
];

export function problem(why: string): CommitProblem {
  return { kind: "problem", why };
}

/** @returns why git does not answer, as where it takes the repository for someone else's */
export async function openForCommit(place: UsersGitPlace): Promise<CommitRepository | CommitProblem> {
  const where = await usersGit(place, [
    "rev-parse",
    "--show-toplevel",
    "--absolute-git-dir",
    "--show-prefix",
  ]);
  const [top = "", gitFolder = "", prefix = ""] = where.out.split("\n");
  if (!where.ok || top === "" || gitFolder === "") return problem(`git refuses: ${firstLine(where.said)}`);
  const head = await headOf({ place });
  const named = await usersGit(place, ["rev-parse", "--verify", "--quiet", "HEAD"]);
  if (head === null && named.ok)
    return problem("HEAD names a commit that is not there: the repository is damaged.");
  return {
    place: { ...place, directory: top },
    top,
    gitFolder,
    prefix,
    head,
    ref: await currentRef({ place }),
  };
}

type At = Pick<CommitRepository, "place">;

export async function headOf({ place }: At): Promise<string | null> {
  const { ok, out } = await usersGit(place, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  return ok ? out.trim() : null;
}

/** See {@link CommitRepository.ref}. */
export async function currentRef({ place }: At): Promise<string> {
  const { ok, out } = await usersGit(place, ["symbolic-ref", "--quiet", "HEAD"]);
  return ok ? out.trim() : "HEAD";
}

/** What the user has begun and not ended, which the next commit would end or become a part of; null for nothing. */
export async function findUnfinished({ gitFolder, place }: CommitRepository): Promise<string | null> {
  const begun = UNFINISHED.find(([file]) => existsSync(join(gitFolder, file)));
  if (begun !== undefined) return begun[1];
  const conflicts = await usersGit(place, ["ls-files", "--unmerged", "-z"]);
  return conflicts.out === "" ? null : "conflict";
}

/** Git's error among what it and others said. */
export function firstLine(said: string): string {
  const lines = said.split("\n").filter((line) => line.trim() !== "");
  return lines.find((line) => /^(?:fatal|error): /u.test(line)) ?? lines[0] ?? "it said nothing";
}
