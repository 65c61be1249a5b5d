import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { lstat, mkdir, readdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { isAbsolute, join, relative, resolve } from "node:path";
import { askLaneGit, askUsers, git } from "./run-git.ts";
import type { GitPlace } from "../../process/git.ts";
import { keptFolder, storeFolder } from "./unit-place.ts";
import { repositoryRoot } from "../../lib/find-project.ts";
import { readRegular } from "../../lib/read-source.ts";
import { userFolder } from "../../lib/user-folders.ts";
import { LEFT_BEHIND, makeBare } from "../shadow.ts";

/**
 * A repository of the plugin's own beside the user's, whose objects it borrows: its worktrees are the lanes. So nothing that
 * is done in a lane reaches the user's index, branches, stash, configuration or hooks.
 */
export interface LaneStore {
  /** The top folder of the user's working tree, by real path. */
  readonly from: string;
  /** That of the tree in which lanes begin and land: the user's, or that of a unit's branch. */
  readonly top: string;
  /** Holds the repository and the lanes; the policy takes them for projects (`protected-path`). */
  readonly folder: string;
  readonly repository: string;
  /** What is under way with the user's tree, and what is kept of lanes that are gone. */
  readonly kept: string;
  /** Where files of `top` are moved aside: in its file system. */
  readonly landing: string;
  /** Whether git merges without a working tree. */
  readonly mergesTrees: boolean;
  readonly hash: "sha1" | "sha256";
  /** What the user has git ignore everywhere. */
  readonly excludes: string;
  /** The index of the user's repository; null where they have none, as with Jujutsu alone or in a plain folder. */
  readonly index: string | null;
}

/** Versions of git: from which on the user's settings can be left out, and it merges without a working tree. */
const OLDEST = 2.032;
const MERGES_TREES = 2.038;
/** The record stays in the user's tree, and so does what Jujutsu keeps. */
const NEVER = [".gaia/", ".jj/"];

/**
 * @param project whose `.gaia` counts; somewhere below the top of the repository, or in a folder without one
 * @returns why there can be no lanes here
 */
export async function openStore(
  project: string,
  environment: NodeJS.ProcessEnv,
): Promise<LaneStore | string> {
  const asked = ["rev-parse", "--show-toplevel", "--show-object-format"];
  const paths = ["objects", "info/exclude", "shallow", "index"].flatMap((path) => ["--git-path", path]);
  const [told, named, { text: said }] = await Promise.all([
    askUsers(project, ...asked, ...paths),
    askUsers(project, "config", "--path", "--get", "core.excludesFile"),
    askLaneGit({ folder: project }, ["version"]),
  ]);
  const [gitTop = "", format, ...parts] = told.text.split("\n");
  const [objects, exclude, shallow, index] = parts.map((path) => resolve(project, path));
  if (told.words.includes("dubious ownership")) return "git does not trust this folder (safe.directory)";
  const hasGit = index !== undefined;
  const root = await realpath(repositoryRoot(project));
  if (!hasGit && existsSync(join(root, ".git"))) return "git does not find its repository here";
  if (!hasGit && existsSync(join(root, "HEAD")) && existsSync(join(root, "objects")))
    return "git has no working tree here";
  if (hasGit && (await askUsers(gitTop, "rev-parse", "--show-toplevel")).text !== gitTop)
    return "git does not find its repository from the top of the working tree (core.worktree)";
  const version = versionOf(said);
  if (version < OLDEST) return "that takes git 2.32";
  const top = hasGit ? gitTop : root;
  const folder = storeFolder(top, environment);
  const repository = join(folder, "store.git");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // As where a home folder is a repository: each look would take down what the ones before have left.
  const below = relative(top, await realpath(folder));
  const isInside = !below.startsWith("..") && !isAbsolute(below);
  if (isInside && (await askUsers(top, "check-ignore", "-q", "--", below)).code !== 0)
    return `${folder} lies in this project, and git does not ignore it`;
  const hash = format === "sha256" ? "sha256" : "sha1";
  if (!existsSync(join(repository, "HEAD"))) await makeBare(repository, hash, top);
  await clearLocks(repository);
  await keepAs(join(repository, "objects/info/alternates"), objects === undefined ? null : `${objects}\n`);
  await keepAs(join(repository, "shallow"), shallow === undefined ? null : await textOf(shallow));
  const rules = [(exclude && (await textOf(exclude))) ?? "", ...NEVER, ...(hasGit ? [] : LEFT_BEHIND)];
  await keepAs(join(repository, "info/exclude"), `${rules.join("\n")}\n`);
  const kept = keptFolder(await realpath(project));
  await mkdir(kept, { recursive: true });
  // A repository may bring a link along that leads elsewhere.
  if ((await realpath(kept)) !== kept) return `${kept} is no folder of its own`;
  return {
    from: top,
    top,
    folder,
    repository,
    kept,
    landing: join(kept, "landing"),
    mergesTrees: version >= MERGES_TREES,
    hash,
    excludes: named.code === 0 ? named.text : join(userFolder("config", environment), "git/ignore"),
    index: index ?? null,
  };
}

async function textOf(path: string): Promise<string | null> {
  return (await readRegular(path))?.toString("utf8") ?? null;
}

/** Has a file say this, and nothing else at any moment: git may be at work here. @param text null for no file */
async function keepAs(path: string, text: string | null): Promise<void> {
  if ((await textOf(path)) === text) return;
  if (text === null) return rm(path, { force: true });
  const fresh = `${path}.${randomUUID()}`;
  await writeFile(fresh, text);
  await rename(fresh, path);
}

export function inStore({ from, repository }: Pick<LaneStore, "from" | "repository">): GitPlace {
  return { folder: from, env: { GIT_DIR: repository } };
}

export async function own(store: LaneStore, ...args: string[]): Promise<string> {
  return git(inStore(store), args);
}

/** Takes names away, all of them or none; of one that is not there nothing is said. */
export async function deleteRefs(store: LaneStore, refs: readonly string[]): Promise<void> {
  await askLaneGit(inStore(store), ["update-ref", "--stdin"], refs.map((ref) => `delete ${ref}\n`).join(""));
}

/** `git version 2.39.5` as 2.039; 0 where it cannot be told. */
function versionOf(said: string): number {
  const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(said) ?? [];
  return Number(`${major}.${minor.padStart(3, "0")}`);
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
