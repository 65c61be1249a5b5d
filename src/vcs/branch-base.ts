import { askGit, type GitPlace } from "../process/git.ts";

/** Where a branch began, or why that cannot be told, in words for a person. */
export type BranchBase =
  | { readonly kind: "found"; readonly base: string; readonly name: string; readonly commits: number }
  | { readonly kind: "unknown"; readonly why: string };

const MAX_BYTES = 10_000;
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
