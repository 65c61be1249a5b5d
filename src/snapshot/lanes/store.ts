import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { basename, isAbsolute, join, relative, resolve } from "node:path";
import { clearLocks } from "./clear-locks.ts";
import { keptFolder } from "./kept.ts";
import { heldIn, listFiles, treeOf } from "./list-files.ts";
import { askGit, askUsers, git, type GitPlace } from "./run-git.ts";
import { storeFolder } from "./unit-place.ts";
import { readRegular } from "../../lib/read-source.ts";

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
  /** The bare repository. */
  readonly repository: string;
  /** What is under way with the user's tree, and what is kept of lanes that are gone. */
  readonly kept: string;
  /** Where files of `top` are moved aside: in its file system. */
  readonly landing: string;
  /** Whether git merges without a working tree. */
  readonly mergesTrees: boolean;
}

/** Every file as its bytes are: no line ends are changed, no filter is run, and what is binary is told by its bytes. */
const ATTRIBUTES = "* -text -filter -ident !eol !working-tree-encoding !merge !diff\n";
/** Versions of git: from which on the user's settings can be left out, and it merges without a working tree. */
const OLDEST = 2.032;
const MERGES_TREES = 2.038;

/**
 * @param project whose `.gaia` counts; somewhere below the top of the repository
 * @returns why there can be no lanes here
 */
export async function openStore(
  project: string,
  environment: NodeJS.ProcessEnv,
): Promise<LaneStore | string> {
  const asked = ["rev-parse", "--show-toplevel", "--show-object-format"];
  const paths = ["objects", "info/exclude", "shallow"].flatMap((path) => ["--git-path", path]);
  const { text, words } = await askUsers(project, ...asked, ...paths);
  const [top = "", format, ...parts] = text.split("\n");
  const [objects = "", exclude = "", shallow = ""] = parts.map((path) => resolve(project, path));
  if (words.includes("dubious ownership")) return "git does not trust this folder (safe.directory)";
  if (parts.length !== 3) return "there is no git here";
  if ((await askUsers(top, "rev-parse", "--show-toplevel")).text !== top)
    return "git does not find its repository from the top of the working tree (core.worktree)";
  if (existsSync(join(top, ".jj"))) return "this is Jujutsu";
  const version = versionOf((await askGit({ folder: project }, ["version"])).text);
  if (version < OLDEST) return "that takes git 2.32";
  const folder = storeFolder(top, environment);
  const repository = join(folder, "store.git");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // As where a home folder is a repository: each look would take down what the ones before have left.
  const below = relative(top, await realpath(folder));
  const isInside = !below.startsWith("..") && !isAbsolute(below);
  if (isInside && (await askUsers(top, "check-ignore", "-q", "--", below)).code !== 0)
    return `${folder} lies in this repository, and git does not ignore it`;
  if (!existsSync(join(repository, "HEAD"))) {
    const fresh = `${repository}.${randomUUID()}`;
    const init = ["init", "-q", "--bare", "--template=", `--object-format=${format}`, fresh];
    await git({ folder }, init);
    // A faster process has made the same.
    await rename(fresh, repository).catch(async () => rm(fresh, { recursive: true, force: true }));
  }
  await clearLocks(repository);
  await mkdir(join(repository, "info"), { recursive: true });
  await keepAs(join(repository, "objects/info/alternates"), `${objects}\n`);
  await keepAs(join(repository, "info/attributes"), ATTRIBUTES);
  const copies = { [exclude]: "info/exclude", [shallow]: "shallow" };
  for (const [from, to] of Object.entries(copies))
    // Most have neither.
    await keepAs(join(repository, to), await textOf(from));
  const kept = keptFolder(await realpath(project));
  await mkdir(kept, { recursive: true });
  // A repository may bring a link along that leads elsewhere.
  if ((await realpath(kept)) !== kept) return `${kept} is no folder of its own`;
  const landing = join(kept, "landing");
  return { from: top, top, folder, repository, kept, landing, mergesTrees: version >= MERGES_TREES };
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

/** The store as git's place. */
export function inStore({ repository }: LaneStore): GitPlace {
  return { folder: repository, env: { GIT_DIR: repository } };
}

/** Has git do something in the store. @throws GaiaError */
export async function own(store: LaneStore, ...args: string[]): Promise<string> {
  return git(inStore(store), args);
}

/** Takes names away, all of them or none; of one that is not there nothing is said. */
export async function deleteRefs(store: LaneStore, refs: readonly string[]): Promise<void> {
  await askGit(inStore(store), ["update-ref", "--stdin"], refs.map((ref) => `delete ${ref}\n`).join(""));
}

/** `git version 2.39.5` as 2.039; 0 where it cannot be told. */
function versionOf(said: string): number {
  const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(said) ?? [];
  return Number(`${major}.${minor.padStart(3, "0")}`);
}

/** The user's tree at one moment, byte for byte: what git holds and what it does not ignore, committed or not. */
export interface Snapshot {
  readonly commit: string;
  readonly tree: string;
}

/** Takes down the user's tree as it is now, as a commit of the store alone. @throws GaiaError where that is not possible */
export async function takeSnapshot(store: LaneStore): Promise<Snapshot> {
  const asked = askUsers(store.top, "rev-parse", "-q", "--verify", "HEAD^{commit}");
  return takeDown(store, async (tree) => {
    const { text: head } = await asked;
    return { tree, commit: await commitTree(store, tree, head || null) };
  });
}

/** The same as a tree. @throws GaiaError where that is not possible */
export async function takeTree(store: LaneStore): Promise<string> {
  return takeDown(store, async (tree) => tree);
}

async function takeDown<T>(store: LaneStore, use: (tree: string) => Promise<T>): Promise<T> {
  const { top, repository } = store;
  const index = join(repository, top === store.from ? "users-index" : `index-of-${basename(top)}`);
  const place = { folder: top, env: { GIT_DIR: repository, GIT_WORK_TREE: top, GIT_INDEX_FILE: index } };
  const listed = listFiles({ folder: top, settings: "user" });
  const [{ files }, held] = await Promise.all([listed, heldIn(place)]);
  return treeOf(place, files, held, use);
}

export async function commitTree(store: LaneStore, tree: string, parent: string | null): Promise<string> {
  return own(store, "commit-tree", tree, "-m", "GAIA", ...(parent === null ? [] : ["-p", parent]));
}
