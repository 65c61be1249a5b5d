import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type HookSandbox, type HooksEnd, runHooksAfter, runHooksBefore } from "./hooks.ts";
import type { PrivateIndex } from "./private-index.ts";
import { findSigning } from "./programs.ts";
import {
  firstLine,
  headOf,
  problem,
  currentRef,
  type CommitProblem,
  type CommitRepository,
} from "./repository.ts";
import { usersGit } from "./users-git.ts";
import { stageForUser } from "./users-index.ts";

export type CommitEnd =
  | { readonly kind: "made"; readonly id: string }
  /** Hooks staged another tree or refused, and nothing was committed. */
  | Exclude<HooksEnd, { kind: "passed" }>;

/**
 * Commits what the private index holds, with the repository's own hooks and the user's identity and signing: exactly that tree,
 * whatever hooks do. The user's index agrees with it in these paths and is untouched in all others.
 * @param made told as soon as the ref has moved
 */
export async function makeCommit(
  index: PrivateIndex,
  tree: string,
  message: string,
  { made, hooks }: { readonly made: (id: string) => Promise<void>; readonly hooks: HookSandbox },
): Promise<CommitEnd> {
  const { repository } = index;
  const { place, gitFolder, head, ref } = repository;
  if (existsSync(join(gitFolder, "index.lock")))
    return problem(`git is at work here, or was stopped in it: ${join(gitFolder, "index.lock")} is there.`);
  const who = await usersGit(place, ["var", "GIT_COMMITTER_IDENT"]);
  if (!who.ok) return problem(`git does not know who commits: ${firstLine(who.said)}`);
  const isSigned = await findSigning(repository);
  if (typeof isSigned === "object") return isSigned;
  const folder = dirname(index.file);
  const end = await runHooksBefore(repository, hooks, { folder, index: index.file, tree, message });
  if (end.kind !== "passed") return end;
  if ((await currentRef(repository)) !== ref || (await headOf(repository)) !== head)
    return problem("Another commit or branch was checked out meanwhile.");
  const commit = await writeCommit(repository, { folder, tree, message: end.message, isSigned });
  if (typeof commit !== "string") return commit;
  const staged = await stageForUser(repository, tree);
  if (staged.kind === "problem") return staged;
  // A commit that was made stays whole, also where the user stops it now.
  const after = { ...repository, place: { ...place, signal: undefined } };
  const subject = end.message.trimStart().split("\n")[0] ?? "";
  const reason = `commit${head === null ? " (initial)" : ""}: ${subject}`;
  const moved = await usersGit(after.place, [
    "update-ref",
    "--no-deref",
    "-m",
    reason,
    ref,
    commit,
    head ?? "",
  ]);
  const id = await headOf(after);
  const isMoved = id !== null && id !== head;
  if (isMoved && (await isMadeOf(after, id, { from: head, tree }))) {
    await made(id);
    await runHooksAfter(repository, hooks, { folder, index: index.file });
    return { kind: "made", id };
  }
  await staged.back();
  if (isMoved) return problem("HEAD moved elsewhere while the commit was made; nothing was taken back.");
  return problem(`git refuses: ${firstLine(moved.said)}`);
}

/** @returns the id of a commit that nothing names yet */
async function writeCommit(
  { place, gitFolder, head }: CommitRepository,
  made: { folder: string; tree: string; message: string; isSigned: boolean },
): Promise<string | CommitProblem> {
  const was = head === null ? "" : (await usersGit(place, ["rev-parse", `${head}^{tree}`])).out.trim();
  if (was === made.tree) return problem("Nothing differs from the last commit.");
  const tidy = await usersGit(place, ["stripspace"], { input: made.message });
  if (tidy.out.trim() === "") return problem("The message is empty.");
  // What signs is started in a folder that nobody writes: a relative path leads to nothing of the project's.
  const at = { ...place, directory: made.folder };
  const how = [...(head === null ? [] : ["-p", head]), ...(made.isSigned ? ["-S"] : []), "-F", "-"];
  const { ok, out, said } = await usersGit(at, ["commit-tree", made.tree, ...how], {
    env: { GIT_DIR: gitFolder },
    input: tidy.out,
  });
  if (place.signal?.aborted === true) return problem("The user stopped it.");
  return ok ? out.trim() : problem(`git refuses: ${firstLine(said)}`);
}

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
