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
import { usersGit } from "./users-git.ts";
import { stageForUser } from "./users-index.ts";

/** What became of a commit. */
export type CommitEnd =
  | { readonly kind: "made"; readonly id: string }
  /** Hooks made another tree of it, or changed files and refused: the ref is where it was. */
  | { readonly kind: "other-tree"; readonly paths: readonly string[] }
  | { readonly kind: "hook"; readonly name: string; readonly said: string }
  | CommitProblem;

/** Hooks of a repository may run all of its checks, in milliseconds. */
const LIMIT_MS = 600_000;
/** How often it is looked whether the ref has moved: hooks may still run behind that. */
const LOOK_MS = 50;
const MAX_NAMED = 20;

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
  const { place, gitFolder, head, ref } = repository;
  if (existsSync(join(gitFolder, "index.lock")))
    return problem(`git is at work here, or was stopped in it: ${join(gitFolder, "index.lock")} is there.`);
  const who = await usersGit(place, ["var", "GIT_COMMITTER_IDENT"]);
  if (!who.ok) return problem(`git does not know who commits: ${firstLine(who.said)}`);
  if ((await refOf(repository)) !== ref || (await headOf(repository)) !== head)
    return problem("Another commit or branch was checked out meanwhile.");
  const staged = await stageForUser(repository, tree);
  if (staged.kind === "problem") return staged;
  const end = await runGit(repository, index, tree, message, made);
  if (end.kind !== "made") await staged.back();
  return end;
}

async function runGit(
  repository: CommitRepository,
  index: PrivateIndex,
  tree: string,
  message: string,
  made: (id: string) => Promise<void>,
): Promise<CommitEnd> {
  const { place, top } = repository;
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
  await made(id);
  return { kind: "made", id };
}

/** Whether a commit holds this tree and follows that one alone. */
export async function isMadeOf(
  { place }: Pick<CommitRepository, "place">,
  id: string | null,
  { from, tree }: { readonly from: string | null; readonly tree: string },
): Promise<boolean> {
  if (id === null) return false;
  const { out } = await usersGit(place, ["rev-list", "--parents", "-n1", id]);
  const [, ...parents] = out.trim().split(" ");
  const { out: held } = await usersGit(place, ["rev-parse", `${id}^{tree}`]);
  return parents.join(" ") === (from ?? "") && held.trim() === tree;
}

async function differing({ place }: CommitRepository, from: string, to: string): Promise<string[]> {
  const { out } = await usersGit(place, ["diff-tree", "-r", "--name-only", "--no-renames", "-z", from, to]);
  return out.split("\0").filter(Boolean).slice(0, MAX_NAMED);
}
