import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { lstat, mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { keptFolder } from "./kept.ts";
import { askGit, failed, git, type GitPlace, rowsOf, USERS } from "./run-git.ts";
import { storeFolder } from "./unit-place.ts";

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

/** Every file as its bytes are: no line ends are changed, no filter is run. */
const ATTRIBUTES = "* -text -filter -ident !eol !working-tree-encoding !merge\n";
/** The record stays in the user's tree. */
const RECORD = /(?:^|\/)\.gaia(?:\/|$)/u;
const MAX_FILES = 60_000;
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
  const known = await user(project, [...asked, ...paths]);
  const [top = "", format, ...parts] = known?.split("\n") ?? [];
  const [objects = "", exclude = "", shallow = ""] = parts.map((path) => resolve(project, path));
  if (parts.length !== 3) return "there is no git here";
  if (existsSync(join(top, ".jj"))) return "this is Jujutsu";
  const version = versionOf((await askGit({ folder: project }, ["version"])).text);
  if (version < OLDEST) return "that takes git 2.32";
  const folder = storeFolder(top, environment);
  const repository = join(folder, "store.git");
  if (!existsSync(join(repository, "HEAD"))) {
    const fresh = `${repository}.${randomUUID()}`;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const init = ["init", "-q", "--bare", "--template=", `--object-format=${format}`, fresh];
    await git({ folder }, init);
    // A faster process has made the same.
    await rename(fresh, repository).catch(async () => rm(fresh, { recursive: true, force: true }));
  }
  await mkdir(join(repository, "info"), { recursive: true });
  await keepAs(join(repository, "objects/info/alternates"), `${objects}\n`);
  await keepAs(join(repository, "info/attributes"), ATTRIBUTES);
  const copies = { [exclude]: "info/exclude", [shallow]: "shallow" };
  for (const [from, to] of Object.entries(copies))
    // Most have neither.
    await keepAs(join(repository, to), await readFile(from, "utf8").catch(() => null));
  const kept = keptFolder(await realpath(project));
  await mkdir(kept, { recursive: true });
  // A repository may bring a link along that leads elsewhere.
  if ((await realpath(kept)) !== kept) return `${kept} is no folder of its own`;
  const landing = join(kept, "landing");
  return { from: top, top, folder, repository, kept, landing, mergesTrees: version >= MERGES_TREES };
}

/** Has a file say this, and nothing else at any moment: git may be at work here. @param text null for no file */
async function keepAs(path: string, text: string | null): Promise<void> {
  if ((await readFile(path, "utf8").catch(() => null)) === text) return;
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

/** `git version 2.39.5` as 2.039; 0 where it cannot be told. */
function versionOf(said: string): number {
  const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(said) ?? [];
  return Number(`${major}.${minor.padStart(3, "0")}`);
}

async function user(folder: string, args: readonly string[]): Promise<string | null> {
  const { code, text } = await askGit({ folder, env: USERS }, args);
  return code === 0 ? text : null;
}

/** The user's tree at one moment, byte for byte: what git holds and what it does not ignore, committed or not. */
export interface Snapshot {
  readonly commit: string;
  readonly tree: string;
}

/** Takes down the user's tree as it is now, in the store alone. @throws GaiaError where that is not possible */
export async function takeSnapshot(store: LaneStore): Promise<Snapshot> {
  const { top, repository } = store;
  const index = join(repository, top === store.from ? "users-index" : `index-of-${basename(top)}`);
  const place = { folder: top, env: { GIT_DIR: repository, GIT_WORK_TREE: top, GIT_INDEX_FILE: index } };
  // The process that left it was killed: the caller lets one at a time in here.
  await rm(`${index}.lock`, { force: true });
  const [files, held, head] = await Promise.all([
    filesOf(top),
    git(place, ["ls-files", "-z"]),
    user(top, ["rev-parse", "-q", "--verify", "HEAD^{commit}"]),
  ]);
  const wanted = new Set(files);
  const gone = rowsOf(held).filter((path) => !wanted.has(path));
  const update = ["update-index", "-z", "--stdin"];
  await git(place, [...update.slice(0, 2), "--force-remove", "--stdin"], gone.join("\0"));
  await git(place, [...update.slice(0, 2), "--add", "--replace", "--remove", "--stdin"], files.join("\0"));
  const tree = await git(place, ["write-tree"]);
  return { tree, commit: await commitTree(store, tree, head) };
}

export async function commitTree(store: LaneStore, tree: string, parent: string | null): Promise<string> {
  return own(store, "commit-tree", tree, "-m", "GAIA", ...(parent === null ? [] : ["-p", parent]));
}

/** Without submodules and other repositories, the record, and what lies behind a link. */
async function filesOf(top: string): Promise<string[]> {
  const [held, fresh] = await Promise.all([
    user(top, ["ls-files", "-z", "--stage"]),
    user(top, ["ls-files", "-z", "--others", "--exclude-standard"]),
  ]);
  if (held === null || fresh === null) throw failed(`git does not list the files of ${top}.`);
  const tracked = rowsOf(held).map((row) => (row.startsWith("16") ? "/" : row.slice(row.indexOf("\t") + 1)));
  const all = [...new Set([...tracked, ...rowsOf(fresh)])];
  const paths = all.filter((path) => !RECORD.test(path) && !path.endsWith("/"));
  if (paths.length > MAX_FILES) throw failed(`${top} has more than ${MAX_FILES} files.`);
  const real = new Map<string, Promise<boolean>>();
  const isReal = async (folder: string): Promise<boolean> => {
    const known =
      real.get(folder) ??
      realpath(folder)
        .then((path) => path === folder)
        .catch(() => false);
    real.set(folder, known);
    return known;
  };
  const there = await Promise.all(
    paths.map(async (path) => {
      const full = join(top, path);
      const entry = (await isReal(dirname(full))) ? await lstat(full).catch(() => null) : null;
      return entry?.isFile() === true || entry?.isSymbolicLink() === true;
    }),
  );
  return paths.filter((_, index) => there[index]);
}
