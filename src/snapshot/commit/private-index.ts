import { cp, lstat, mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describeError } from "../../lib/error.ts";
import { parseStatus, STATUS, type StatusRow } from "../uncommitted.ts";
import { firstLine, problem, type CommitProblem, type CommitRepository } from "./repository.ts";
import type { HookSandbox } from "./hooks.ts";
import { containFilters } from "./programs.ts";
import { usersGit } from "./users-git.ts";

/** An index of the host's own, so that nothing of the user's is touched and no bit in theirs hides a change. */
export interface PrivateIndex {
  readonly file: string;
  /** The repository, in which git runs filters contained. */
  readonly repository: CommitRepository;
  /** What of the project differs from HEAD, without what git ignores and without the record. */
  readonly changed: readonly StatusRow[];
  /** Puts these files in as they are on disk. @returns the tree that a commit of it has */
  stage(paths: readonly string[]): Promise<string | CommitProblem>;
  dispose(): Promise<void>;
}

type Step = readonly [verb: string, paths: readonly string[]];

/** The index holds HEAD's tree when this returns. */
export async function openPrivateIndex(
  found: CommitRepository,
  sandbox: HookSandbox,
): Promise<PrivateIndex | CommitProblem> {
  const { gitFolder, head, prefix, top } = found;
  let folder: string;
  try {
    // No sandboxed command can write there.
    folder = await mkdtemp(join(gitFolder, "gaia-commit-"));
  } catch (error) {
    return problem(`The repository cannot be written: ${describeError(error)}`);
  }
  const file = join(folder, "index");
  const env = { GIT_INDEX_FILE: file };
  const dispose = async (): Promise<void> => rm(folder, { recursive: true, force: true });
  let place = found.place;
  const run = async (args: readonly string[], input = "") => {
    // No cache says what has changed: git looks.
    const ran = await usersGit(place, ["-c", "core.untrackedCache=false", ...args], { env, input });
    if (ran.ok) return ran;
    // Where the host keeps a filter says nothing of what that met.
    const said = ran.said
      .split("\n")
      .filter((line) => !line.includes(join(folder, "filter-")))
      .join("\n");
    const wall = place.filters?.length ? await sandbox.explain(said, top).catch(() => "") : "";
    return { ...ran, said: [firstLine(said), wall].filter(Boolean).join(" ") };
  };
  const each = async (...steps: readonly Step[]): Promise<CommitProblem | null> => {
    for (const [verb, paths] of steps) {
      if (paths.length === 0) continue;
      const args = ["update-index", ...verb.split(" "), "-z", "--stdin"];
      const { ok, said } = await run(args, paths.map((path) => `${path}\0`).join(""));
      if (!ok) return problem(`git refuses: ${firstLine(said)}`);
    }
    return null;
  };

  const prepare = async (): Promise<readonly StatusRow[] | CommitProblem> => {
    try {
      place = { ...place, filters: await containFilters(found, sandbox, folder) };
    } catch (error) {
      return problem(`Filters of the repository were not run: ${describeError(error)}`);
    }
    // What the user's index knows of files that are as they were spares git reading all of them.
    // With its time: a file that was changed in the second in which the index was written is looked at.
    await cp(join(gitFolder, "index"), file, { preserveTimestamps: true }).catch(() => undefined);
    const read = await run(head === null ? ["read-tree", "--empty"] : ["read-tree", "--reset", head]);
    if (!read.ok) return problem(`git refuses: ${firstLine(read.said)}`);
    const shown = await unhide(found, run, each);
    if (shown !== null) return shown;
    place = { ...place, directory: resolve(top, prefix) };
    const status = await run(STATUS);
    place = { ...place, directory: top };
    return status.ok ? parseStatus(status.out).rows : problem(`git refuses: ${firstLine(status.said)}`);
  };
  const changed = await prepare();
  if ("kind" in changed) {
    await dispose();
    return changed;
  }
  return {
    file,
    repository: { ...found, place },
    changed,
    async stage(paths) {
      const wanted = new Set(paths);
      const taken = changed.filter(({ path }) => wanted.has(path));
      const named = (isGone: boolean): string[] =>
        taken.flatMap((entry) => (entry.isGone === isGone ? [entry.path] : []));
      const failed = await each(["--force-remove", named(true)], ["--add --replace", named(false)]);
      if (failed !== null) return failed;
      const tree = await run(["write-tree"]);
      return tree.ok ? tree.out.trim() : problem(`git refuses: ${firstLine(tree.said)}`);
    },
    dispose,
  };
}

/** Takes the bits away by which git looks away from files that are there; what a sparse checkout leaves out stays out. */
async function unhide(
  { top }: CommitRepository,
  run: (args: readonly string[]) => Promise<{ readonly out: string }>,
  each: (...steps: readonly Step[]) => Promise<CommitProblem | null>,
): Promise<CommitProblem | null> {
  const listed = await run(["ls-files", "-v", "-z"]);
  const rows = listed.out.split("\0").filter((row) => row !== "" && !row.startsWith("H "));
  const isSparse = (await run(["config", "--bool", "core.sparseCheckout"])).out.trim() === "true";
  const skipped: string[] = [];
  const assumed: string[] = [];
  for (const row of rows) {
    const [tag, path] = [row.charAt(0), row.slice(2)];
    if (tag === tag.toLowerCase()) assumed.push(path);
    if (tag.toUpperCase() !== "S") continue;
    const isThere = (await lstat(join(top, path)).catch(() => null)) !== null;
    if (isThere || !isSparse) skipped.push(path);
  }
  return each(["--no-assume-unchanged", assumed], ["--no-skip-worktree", skipped]);
}
