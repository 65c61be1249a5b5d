import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, lstat, mkdir, readdir, realpath, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { askLaneGit, askUsers, git } from "./run-git.ts";
import type { GitPlace } from "../../process/git.ts";
import { keptFolder, storeFolder } from "./unit-place.ts";
import { succeeds } from "../../lib/async.ts";
import { pathBelow, repositoryRoot } from "../../lib/folders.ts";
import { readText } from "../../lib/read-source.ts";
import { keepAs, keepRules, lookForRepository, makeBare } from "../repository.ts";

/**
 * A repository of the plugin's own beside the user's, whose objects it borrows: its worktrees are the lanes. So nothing that
 * is done in a lane reaches the user's index, branches, stash, configuration or hooks.
 */
export type LaneStore = Readonly<Exclude<Awaited<ReturnType<typeof openStore>>, string>>;

/** From this on git merges trees without a working tree. */
const OLDEST = [2, 38] as const;
/** The record stays in the user's tree, and so does what Jujutsu keeps. */
const NEVER = [".gaia/", ".jj/"];

/**
 * @param project whose `.gaia` counts; somewhere below the top of the repository, or in a folder without one
 * @returns why there can be no lanes here
 */
export async function openStore(project: string, environment: NodeJS.ProcessEnv) {
  const real = await realpath(project);
  const root = repositoryRoot(real);
  const [users, { text: said }] = await Promise.all([
    lookForRepository(real),
    askLaneGit({ folder: project }, ["version"]),
  ]);
  const { top, hash, excludes, hasGit } = users;
  const [major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(said)?.slice(1).map(Number) ?? [];
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    return `that takes git ${OLDEST.join(".")}`;
  if (users.refusal.includes("dubious ownership")) return "git does not trust this folder (safe.directory)";
  if (!hasGit && existsSync(join(root, ".git"))) return "git does not find its repository here";
  if (!hasGit && existsSync(join(root, "HEAD")) && existsSync(join(root, "objects")))
    return "git has no working tree here";
  if (hasGit && (await askUsers(top, "rev-parse", "--show-toplevel")).text !== top)
    return "git does not find its repository from the top of the working tree (core.worktree)";
  const folder = storeFolder(top, environment);
  const repository = join(folder, "store.git");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // As where a home folder is a repository: each look would take down what the ones before have left.
  const below = pathBelow(top, await realpath(folder));
  if (below !== null && (await askUsers(top, "check-ignore", "-q", "--", below)).code !== 0)
    return `${folder} lies in this project, and git does not ignore it`;
  await makeBare(repository, hash, top);
  await clearLocks(repository);
  await keepAs(join(repository, "objects/info/alternates"), users.objects && `${users.objects}\n`);
  await keepAs(join(repository, "shallow"), users.shallow && (await readText(users.shallow)));
  await keepRules(repository, users, NEVER);
  const kept = keptFolder(real);
  await mkdir(kept, { recursive: true });
  // A repository may bring a link along that leads elsewhere.
  if ((await realpath(kept)) !== kept) return `${kept} is no folder of its own`;
  return {
    /** The top folder of the user's working tree, by real path. */
    from: top,
    /** That of the tree in which lanes begin and land: the user's, or that of a unit's branch. */
    top,
    /** Holds the repository and the lanes; the policy takes them for projects (`protected-path`). */
    folder,
    repository,
    /** What is under way with the user's tree, and what is kept of lanes that are gone. */
    kept,
    landing: join(kept, "landing"),
    hash,
    excludes,
    /** The index of the user's repository; null where they have none, as with Jujutsu alone or in a plain folder. */
    index: hasGit ? users.index : null,
  };
}

export function inStore({ from, repository }: Pick<LaneStore, "from" | "repository">): GitPlace {
  return { folder: from, env: { GIT_DIR: repository } };
}

export async function own(store: LaneStore, ...args: string[]): Promise<string> {
  return git(inStore(store), args);
}

export async function commitTree(store: LaneStore, tree: string, parent: string | null): Promise<string> {
  return own(store, "commit-tree", tree, "-m", "GAIA", ...(parent === null ? [] : ["-p", parent]));
}

/** No git of ours runs for as long, in milliseconds: it is ended before. */
const OLD_MS = 600_000;

/** Removes locks that git has left in a store when the machine, or all of its processes, were stopped: nothing else would ever. */
async function clearLocks(repository: string): Promise<void> {
  for (const folder of [".", "refs", "worktrees"]) {
    const names = await readdir(join(repository, folder), { recursive: folder !== "." }).catch(() => []);
    for (const path of names
      .filter((name) => name.endsWith(".lock"))
      .map((name) => join(repository, folder, name))) {
      const entry = await lstat(path).catch(() => null);
      if (entry?.isFile() === true && Date.now() - entry.mtimeMs > OLD_MS) await rm(path, { force: true });
    }
  }
}

export const LEFT = "left-";

/**
 * Has a folder be gone in which nobody works any more. Folders in it that may not be written, as programs leave them (Go's module
 * cache), are made so first; what belongs to another user, as a container leaves it, is moved aside until it can be removed.
 */
export async function clearFolder({ folder }: Pick<LaneStore, "folder">, path: string): Promise<void> {
  const isRemoved = async (): Promise<boolean> => succeeds(rm(path, { recursive: true, force: true }));
  if (await isRemoved()) return;
  await makeWritable(path);
  if (!(await isRemoved())) await rename(path, join(folder, `${LEFT}${randomUUID()}`));
}

async function makeWritable(path: string): Promise<void> {
  await chmod(path, 0o700).catch(() => undefined);
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await makeWritable(join(path, entry.name));
}
