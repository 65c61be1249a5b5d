import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { lookAtCommit } from "../refs/look.ts";
import { findFailedHook } from "./hook-trace.ts";
import type { PrivateIndex } from "./private-index.ts";
import {
  firstLine,
  headOf,
  problem,
  refOf,
  type CommitProblem,
  type CommitRepository,
} from "./repository.ts";
import { usersGit, type GitOptions } from "./users-git.ts";

/** What became of a commit. */
export type CommitEnd =
  | { readonly kind: "made"; readonly id: string; readonly note: string }
  /** Hooks made another tree of it, or changed files and refused: the ref is where it was. */
  | { readonly kind: "other-tree"; readonly paths: readonly string[] }
  | { readonly kind: "hook"; readonly name: string; readonly said: string }
  | CommitProblem;

/** Hooks of a repository may run all of its checks, in milliseconds. */
const LIMIT_MS = 600_000;
/** How often it is looked whether the ref has moved: hooks may still run behind that. */
const LOOK_MS = 50;
const MAX_NAMED = 20;
const SYNC_TRIES = 20;
const SYNC_WAIT_MS = 100;

/**
 * Has git commit what the private index holds, with the user's own hooks, identity and signing. What stands there afterwards is
 * that tree, or the ref is where it was; the user's index agrees with it in these paths and is untouched in all others.
 * @param made told as soon as the ref has moved to the right tree
 */
export async function makeCommit(
  repository: CommitRepository,
  index: PrivateIndex,
  tree: string,
  message: string,
  made: (id: string) => Promise<void>,
): Promise<CommitEnd> {
  const { place, gitFolder, top, head, ref } = repository;
  if (existsSync(join(gitFolder, "index.lock")))
    return problem(`git is at work here, or was stopped in it: ${join(gitFolder, "index.lock")} is there.`);
  const who = await usersGit(place, ["var", "GIT_COMMITTER_IDENT"]);
  if (!who.ok) return problem(`git does not know who commits: ${firstLine(who.said)}`);
  if ((await refOf(repository)) !== ref || (await headOf(repository)) !== head)
    return problem("Another commit or branch was checked out meanwhile.");
  const folder = dirname(index.file);
  const [text, trace] = [join(folder, "message"), join(folder, "trace")];
  await writeFile(text, `${message}\n`);
  /** What follows a moved ref is done to its end, also where the user stops it. */
  const after = { ...repository, place: { directory: top, clock: place.clock } };
  const settled: Promise<CommitEnd | null>[] = [];
  const before = lookAtCommit(top);
  let cancel = (): void => undefined;
  const watch = (): void => {
    if (lookAtCommit(top) === before) cancel = place.clock.after(LOOK_MS, watch);
    else settled.push(settleMoved(after, tree, made));
  };
  watch();
  const run = await usersGit(place, ["commit", "--quiet", `--file=${text}`], {
    env: { GIT_INDEX_FILE: index.file, GIT_TRACE2_EVENT: trace },
    timeoutMs: LIMIT_MS,
  });
  cancel();
  const end = (await settled[0]) ?? (await settleMoved(after, tree, made));
  if (end !== null) return end;
  if (!run.ok) {
    const hook = findFailedHook(await readFile(trace, "utf8").catch(() => ""));
    if (place.signal?.aborted === true) return problem("The user stopped it.");
    return hook === null
      ? problem(`git refuses: ${firstLine(run.said)}`)
      : { kind: "hook", name: hook, said: run.said };
  }
  return problem("git says that it has committed, and the ref has not moved.");
}

/** @returns null where it has not moved */
async function settleMoved(
  repository: CommitRepository,
  tree: string,
  made: (id: string) => Promise<void>,
): Promise<CommitEnd | null> {
  const { place, head, ref } = repository;
  const id = await headOf(repository);
  if (id === null || id === head) return null;
  const { out } = await usersGit(place, ["rev-list", "--parents", "-n1", id]);
  const [, ...parents] = out.trim().split(" ");
  if (parents.join(" ") !== (head ?? ""))
    return problem("HEAD moved elsewhere while the commit was made; nothing was taken back.");
  const is = (await usersGit(place, ["rev-parse", `${id}^{tree}`])).out.trim();
  if (is !== tree) {
    const paths = await differing(repository, tree, is);
    const back = head === null ? ["update-ref", "-d", ref, id] : ["update-ref", ref, head, id];
    const { ok, said } = await usersGit(place, back);
    return ok
      ? { kind: "other-tree", paths }
      : problem(
          `It holds another tree (${paths.join(", ")}) and git does not take it back: ${firstLine(said)}`,
        );
  }
  const note = await syncIndex(repository, id);
  await made(id);
  return { kind: "made", id, note };
}

async function differing({ place }: CommitRepository, from: string, to: string): Promise<string[]> {
  const { out } = await usersGit(place, ["diff-tree", "-r", "--name-only", "--no-renames", "-z", from, to]);
  return out.split("\0").filter(Boolean).slice(0, MAX_NAMED);
}

const CHANGE = /:\d+ (\d+) [0-9a-f]+ ([0-9a-f]+) [A-Z]\0([^\0]+)\0/gu;

/** Has the user's index hold of the committed paths what the commit does. @returns what is to be told; mostly empty */
async function syncIndex({ place, head }: CommitRepository, id: string): Promise<string> {
  const range = head === null ? ["--root", id] : [head, id];
  const plain = ["-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-commit-id"];
  const { out } = await usersGit(place, ["diff-tree", ...plain, ...range]);
  const rows = [...out.matchAll(CHANGE)].map(([, mode = "", blob = "", path = ""]) => ({ mode, blob, path }));
  const names = new Set(rows.map(({ path }) => path));
  const flags = (await usersGit(place, ["ls-files", "-v", "-z"])).out.split("\0");
  const withTag = (test: (tag: string) => boolean): string[] =>
    flags.flatMap((row) => (names.has(row.slice(2)) && test(row.charAt(0)) ? [row.slice(2)] : []));
  const info = rows.map(({ mode, blob, path }) => `${mode === "000000" ? "0" : mode} ${blob}\t${path}`);
  const bits = [
    ["--assume-unchanged", withTag((tag) => tag === tag.toLowerCase())],
    ["--skip-worktree", withTag((tag) => tag.toUpperCase() === "S")],
  ] as const;
  const listed = (paths: readonly string[]): GitOptions => ({
    input: paths.map((path) => `${path}\0`).join(""),
  });
  const update = ["update-index", "--replace", "-z", "--index-info"];
  let isDone = false;
  for (let left = SYNC_TRIES; left > 0 && !isDone; left -= 1) {
    isDone = (await usersGit(place, update, listed(info))).ok;
    if (!isDone) await new Promise<void>((resolve) => void place.clock.after(SYNC_WAIT_MS, resolve));
  }
  for (const [bit, paths] of isDone ? bits : [])
    if (paths.length > 0) await usersGit(place, ["update-index", bit, "-z", "--stdin"], listed(paths));
  if (isDone) await usersGit(place, ["update-index", "-q", "--refresh"]);
  if (isDone) return "";
  return "your index still holds what was before in the committed files: git reset -q -- <files> brings it up to date";
}
