import { cp, lstat, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { describeError } from "../../lib/error.ts";
import { RECORD } from "../status.ts";
import { firstLine, problem, type CommitProblem, type CommitRepository } from "./repository.ts";
import type { HookSandbox } from "./hooks.ts";
import { containFilters } from "./programs.ts";
import { usersGit } from "./users-git.ts";

/** A file that differs from HEAD. */
export interface ChangedPath {
  /** Relative to the top of the repository, with `/`. */
  readonly path: string;
  readonly isGone: boolean;
  /** A repository of its own that is no submodule here: a commit would hold its id and none of its files. */
  readonly isNested: boolean;
}

/** An index of the host's own, so that nothing of the user's is touched and no bit in theirs hides a change. */
export interface PrivateIndex {
  readonly file: string;
  /** The repository, in which git runs filters contained. */
  readonly repository: CommitRepository;
  /** What of the project differs from HEAD, without what git ignores and without the record. */
  readonly changed: readonly ChangedPath[];
  /** Puts these files in as they are on disk. @returns the tree that a commit of it has */
  stage(paths: readonly string[]): Promise<string | CommitProblem>;
  dispose(): Promise<void>;
}

/** Neither a monitor nor a cache says what has changed: git looks. */
const LOOK = ["-c", "core.fsmonitor=false", "-c", "core.untrackedCache=false", "-c", "core.quotePath=false"];
const STATUS = ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames"];
const CHANGED = /^1 .(.) (?:\S+ ){6}(.+)$/su;
const SUBMODULES_OWN = "--ignore-submodules=dirty";

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
  const run = async (args: readonly string[], input?: string) => {
    const ran = await usersGit(place, [...LOOK, ...args], { env, ...(input === undefined ? {} : { input }) });
    if (ran.ok) return ran;
    // Where the host keeps a filter says nothing of what that met.
    const said = ran.said
      .split("\n")
      .filter((line) => !line.includes(join(folder, "filter-")))
      .join("\n");
    const wall = place.filters?.length ? await sandbox.explain(said, top).catch(() => "") : "";
    return { ...ran, said: [firstLine(said), wall].filter(Boolean).join(" ") };
  };
  /** @returns the first failure */
  const each = async (
    steps: readonly (readonly [args: readonly string[], paths: readonly string[]])[],
  ): Promise<CommitProblem | null> => {
    for (const [args, paths] of steps) {
      if (paths.length === 0) continue;
      const { ok, said } = await run(args, paths.map((path) => `${path}\0`).join(""));
      if (!ok) return problem(`git refuses: ${firstLine(said)}`);
    }
    return null;
  };

  const prepare = async (): Promise<readonly ChangedPath[] | CommitProblem> => {
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
    const record = `:(exclude,top,literal)${prefix}${RECORD}`;
    const within = prefix === "" ? "." : `:(top,literal)${prefix}`;
    const status = await run([...STATUS, SUBMODULES_OWN, "--", within, record]);
    return status.ok ? parse(status.out) : problem(`git refuses: ${firstLine(status.said)}`);
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
      const failed = await each([
        [["update-index", "--force-remove", "-z", "--stdin"], named(true)],
        [["update-index", "--add", "--replace", "-z", "--stdin"], named(false)],
      ]);
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
  run: (args: readonly string[]) => Promise<{ readonly ok: boolean; readonly out: string }>,
  each: (
    steps: readonly (readonly [args: readonly string[], paths: readonly string[]])[],
  ) => Promise<CommitProblem | null>,
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
  return each([
    [["update-index", "--no-assume-unchanged", "-z", "--stdin"], assumed],
    [["update-index", "--no-skip-worktree", "-z", "--stdin"], skipped],
  ]);
}

function parse(text: string): ChangedPath[] {
  return text.split("\0").flatMap((row): ChangedPath[] => {
    if (row.startsWith("? ")) {
      const path = row.slice(2);
      return [{ path: path.replace(/\/$/u, ""), isGone: false, isNested: path.endsWith("/") }];
    }
    const [, how = "", path = ""] = CHANGED.exec(row) ?? [];
    return path === "" ? [] : [{ path, isGone: how === "D", isNested: false }];
  });
}
