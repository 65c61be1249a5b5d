import { firstLine, problem, type CommitProblem, type CommitRepository } from "./repository.ts";
import { usersGit, type GitOptions } from "./users-git.ts";

/** The user's index, which holds of the committed files what the commit does. */
export interface StagedForUser {
  readonly kind: "staged";
  /** It is as it was: no commit came of it. */
  back(): Promise<void>;
}

/** A file as an index has it; mode "0" for one that it does not hold. */
interface Entry {
  readonly mode: string;
  readonly id: string;
  readonly path: string;
}

const CHANGE = /:\d+ (\d+) [0-9a-f]+ ([0-9a-f]+) [A-Z]\0([^\0]+)\0/gu;
const HELD = /^(\w) (\d+) ([0-9a-f]+) 0\t(.+)$/su;
const TRIES = 20;
const WAIT_MS = 100;

/**
 * Puts the files of a tree that differ from HEAD into the user's index, before the ref moves: whoever is killed in between leaves
 * files that are staged, and never an index that would undo the commit. Other entries are not touched.
 */
export async function stageForUser(
  { place, head }: CommitRepository,
  tree: string,
): Promise<StagedForUser | CommitProblem> {
  const from =
    head ?? (await usersGit(place, ["hash-object", "-t", "tree", "--stdin"], { input: "" })).out.trim();
  const compare = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev"];
  const { ok, out, said } = await usersGit(place, [...compare, from, tree]);
  if (!ok) return problem(`git refuses: ${firstLine(said)}`);
  const wanted = [...out.matchAll(CHANGE)].map(([, mode = "", id = "", path = ""]) => ({ mode, id, path }));
  const names = new Set(wanted.map(({ path }) => path));
  const held = new Map<string, Entry & { readonly tag: string }>();
  for (const row of (await usersGit(place, ["ls-files", "--stage", "-v", "-z"])).out.split("\0")) {
    const [, tag = "", mode = "", id = "", path = ""] = HELD.exec(row) ?? [];
    if (names.has(path)) held.set(path, { tag, mode, id, path });
  }
  const before = wanted.map(({ id, path }): Entry => held.get(path) ?? { mode: "0", id, path });
  const flagged = (test: (tag: string) => boolean) => [...held.values()].filter(({ tag }) => test(tag));
  const bits = [
    ["--assume-unchanged", flagged((tag) => tag === tag.toLowerCase())],
    ["--skip-worktree", flagged((tag) => tag.toUpperCase() === "S")],
  ] as const;

  const write = async (entries: readonly Entry[]): Promise<string> => {
    const isGone = ({ mode }: Entry): boolean => /^0+$/u.test(mode);
    const ordered = [...entries.filter(isGone), ...entries.filter((entry) => !isGone(entry))];
    const info = ordered.map((entry) => `${isGone(entry) ? "0" : entry.mode} ${entry.id}\t${entry.path}`);
    // What follows a moved ref, or takes back, is done to its end, also where the user stops it.
    const at = { ...place, signal: undefined };
    for (let left = TRIES; ; left -= 1) {
      const done = await usersGit(at, ["update-index", "--replace", "-z", "--index-info"], listed(info));
      if (!done.ok && left === 0) return firstLine(done.said);
      if (done.ok) break;
      await new Promise<void>((resolve) => void place.clock.after(WAIT_MS, resolve));
    }
    const there = new Set(entries.filter((entry) => !isGone(entry)).map(({ path }) => path));
    for (const [bit, files] of bits) {
      const kept = files.map(({ path }) => path).filter((path) => there.has(path));
      if (kept.length > 0) await usersGit(at, ["update-index", bit, "-z", "--stdin"], listed(kept));
    }
    await usersGit(at, ["update-index", "-q", "--refresh"]);
    return "";
  };
  const failed = await write(wanted);
  if (failed !== "") return problem(`git refuses: ${failed}`);
  return { kind: "staged", back: async () => void (await write(before)) };
}

function listed(rows: readonly string[]): GitOptions {
  return { input: rows.map((row) => `${row}\0`).join("") };
}
