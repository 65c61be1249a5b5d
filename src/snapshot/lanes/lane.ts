import { existsSync } from "node:fs";
import { copyFile, lstat, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readText } from "../../lib/read-source.ts";
import { stampsOf } from "../repository.ts";
import { foldersAbove, indexRows, nulRows, OPAQUE, type TreeChange } from "../version.ts";
import { bring, type Brought } from "./bring.ts";
import { askLaneGit, askUsers, failed, git } from "./run-git.ts";
import type { GitPlace } from "../../process/git.ts";
import type { ProgramEnd } from "../../process/bounded-process.ts";
import { clearFolder, commitTree, inStore, type LaneStore, own } from "./store.ts";
import { isWhole, saveTaken, type Snapshot, type TreeSource, takeDown } from "./take-down.ts";
import { laneChanges } from "./versions.ts";

export interface Lane {
  /** `<unit>/<task>`; its branch is that behind `gaia/`. */
  readonly name: string;
  readonly folder: string;
  readonly branch: string;
  /** The commit of the user's tree that it began with. */
  readonly base: string;
}

/** A bundle of more bytes than this needs the user's commit that its lane began with. */
const MAX_WHOLE = 50_000_000;
/** In which a lane is looked at: the worker has the other. */
const INDEX = "gaia-index";

/** Names the commit that a lane began with, and the newest one that was made of its files. */
export const baseOf = (name: string): string => `refs/lanes/${name}`;
export const takenOf = (name: string): string => `refs/taken/${name}`;

export function laneAt(store: LaneStore, name: string, base: string): Lane {
  return { name, branch: `gaia/${name}`, folder: join(store.folder, "lanes", name), base };
}

/** Makes the lane of a task from a snapshot. @param name `<unit>/<task>` */
export async function makeLane(
  store: LaneStore,
  name: string,
  { commit, tree }: Snapshot,
  brought?: Brought,
): Promise<Lane> {
  const lane = laneAt(store, name, commit);
  const how = ["-B", lane.branch, lane.folder, commit];
  // Of one that has no base yet, or none any more, a kill may have left the rest: nobody works there.
  const clear = async (): Promise<void> => clearFolder(store, lane.folder);
  await clear();
  if ((await askLaneGit(inStore(store), ["worktree", "add", "-q", ...how])).code !== 0) {
    await clear();
    await askLaneGit(inStore(store), ["worktree", "remove", "-f", "-f", lane.folder]);
    await addWorktree(store, lane.folder, undefined, ...how);
  }
  await bringIn(store, lane.folder, brought);
  await Promise.all([beginIndex(store, lane, tree), setRefs(store, lane, commit, commit)]);
  return lane;
}

/** Nobody has worked here yet: what git knows files by need not be found out again. */
async function beginIndex(store: LaneStore, lane: Lane, tree: string): Promise<void> {
  const { index, theirs, readRules } = await sourceOf(store, lane);
  await copyFile(theirs, index);
  await saveTaken(index, { tree, rules: await readRules() });
}

export async function addWorktree(
  store: LaneStore,
  folder: string,
  brought: Brought | undefined,
  ...how: string[]
): Promise<void> {
  await own(store, "worktree", "prune");
  await own(store, "worktree", "add", "-q", ...how);
  await bringIn(store, folder, brought);
}

async function bringIn(
  { top, index, repository }: LaneStore,
  folder: string,
  brought: Brought | undefined,
): Promise<void> {
  const own = { GIT_DIR: repository, GIT_WORK_TREE: top, GIT_INDEX_FILE: join(repository, "users-index") };
  if (brought !== undefined) await bring(top, folder, brought, index === null ? own : {});
}

/** Has the work of a lane begin with what stands in it now: what made it ready for work is no part of that. */
export async function beginHere(store: LaneStore, lane: Lane): Promise<Lane> {
  const commit = await recordLane(store, lane);
  if (commit === lane.base) return lane;
  const base = await commitTree(store, `${commit}^{tree}`, await parentOf(store, lane.base));
  await setRefs(store, lane, base, base);
  await git(await gitPlaceOf(store, lane), ["reset", "-q"]);
  return { ...lane, base };
}

async function parentOf(store: LaneStore, commit: string): Promise<string | null> {
  const asked = ["rev-parse", "-q", "--verify", `${commit}^^{commit}`];
  const { code, text } = await askLaneGit(inStore(store), asked);
  return code === 0 ? text : null;
}

/** A lane's folder for git, whatever its worker did with git there. @throws GaiaError where git would work on another tree */
async function gitPlaceOf(store: LaneStore, { folder, branch }: Lane): Promise<GitPlace> {
  const own = await ownFolder(store.repository, folder);
  const link = join(folder, ".git");
  const entry = await lstat(link).catch(() => null);
  if (own === null || (entry !== null && !entry.isFile()))
    throw failed(
      `${folder} is not the worktree of ${branch} any more: take out what you need, and delete it.`,
    );
  if ((await readText(link)).trim() !== `gitdir: ${own}`) await writeFile(link, `gitdir: ${own}\n`);
  return { folder, env: { GIT_DIR: own, GIT_WORK_TREE: folder } };
}

/** Where a repository keeps HEAD and indexes of a worktree; null for none. @param common the folder that all its worktrees share */
export async function ownFolder(common: string, folder: string): Promise<string | null> {
  const all = join(common, "worktrees");
  for (const name of await readdir(all).catch(() => [])) {
    const to = (await readText(join(all, name, "gitdir"))).trim();
    if (to !== "" && resolve(all, name, to) === join(folder, ".git")) return join(all, name);
  }
  return null;
}

async function sourceOf(store: LaneStore, lane: Lane): Promise<TreeSource & { readonly theirs: string }> {
  const place = await gitPlaceOf(store, lane);
  const own = place.env?.["GIT_DIR"] ?? "";
  const [index, theirs] = [join(own, INDEX), join(own, "index")];
  return {
    folder: lane.folder,
    base: lane.base,
    hasGit: true,
    index,
    theirs,
    readRules: async () => stampsOf([theirs]),
    // What it began with, or was taken down before, stays whatever is ignored now.
    async askUsers(args) {
      const ask = async (file: string): Promise<ProgramEnd> =>
        askLaneGit({ ...place, env: { ...place.env, GIT_INDEX_FILE: file } }, args);
      if (args[0] !== "ls-files") return { ok: false, bytes: Buffer.of(), text: "" };
      const [ours, others] = await Promise.all([ask(index), ask(theirs)]);
      return { ok: others.code === 0, bytes: others.bytes, text: `${ours.text}\0${others.text}` };
    },
  };
}

export async function listLanes(store: LaneStore): Promise<Lane[]> {
  const text = await own(store, "for-each-ref", "--format=%(objectname) %(refname:lstrip=2)", "refs/lanes");
  return text.split("\n").flatMap((row) => {
    const [base = "", name] = row.split(" ");
    return name === undefined ? [] : [laneAt(store, name, base)];
  });
}

/**
 * Takes down all that stands in a lane, whatever its worker did with git: what counts are the files.
 * @returns the commit of it, the lane's base where nothing was changed @throws GaiaError where it cannot be told what there is
 */
export async function recordLane(store: LaneStore, lane: Lane): Promise<string> {
  const { folder, base, name } = lane;
  const format = ["for-each-ref", "--format=%(refname) %(objectname) %(tree)", baseOf(name), takenOf(name)];
  const source = existsSync(folder) ? await sourceOf(store, lane) : null;
  const [listed, taken] = await Promise.all([
    own(store, ...format),
    source === null ? null : takeDown(store, source),
  ]);
  const refs = new Map(listed.split("\n").map((row) => [row.split(" ")[0], row.split(" ").slice(1)]));
  const [commit = base, before] = refs.get(takenOf(name)) ?? [];
  if (taken === null) return commit;
  const { tree: all, wasWhole, unnamed } = taken;
  if (!wasWhole && !(await isWhole(store, `${base}^{tree}`)))
    throw failed(
      `What ${name} began with is gone from your repository, as by a prune. Its files lie in ${folder}.`,
    );
  if (unnamed !== null) throw failed(`In ${folder} a name is no UTF-8: ${unnamed}. Rename it.`);
  const [, began] = refs.get(baseOf(name)) ?? [];
  const changes = all === began ? [] : await laneChanges(store, base, all);
  await refuseInner(folder, changes);
  if (all === before) return commit;
  // One that nobody may read is no file here, and stays with the user as it is.
  const unread = changes.filter((change) =>
    [change.before, change.after].some(({ mode }) => mode === OPAQUE),
  );
  const tree = unread.length === 0 ? all : await treeWithout(store, all, unread);
  const next = tree === began ? base : await commitTree(store, tree, base);
  await own(store, "update-ref", takenOf(name), next);
  return next;
}

/** @throws GaiaError for a repository that was begun in a lane and has commits: they would go away with it */
async function refuseInner(folder: string, changes: readonly TreeChange[]): Promise<void> {
  const fresh = changes.filter(({ before }) => before.id === "");
  for (const below of new Set(fresh.flatMap(({ path }) => foldersAbove(path)))) {
    const path = join(folder, below);
    if (!existsSync(join(path, ".git"))) continue;
    if ((await askUsers(path, "rev-parse", "-q", "--verify", "HEAD")).code === 0)
      throw failed(`${path} is a repository with commits of its own: take it out.`);
  }
}

/** Has a lane whose beginning is gone hold its files alone, all of them as new ones. */
export async function recordAlone(store: LaneStore, lane: Lane): Promise<Lane> {
  const { tree } = await takeDown(store, await sourceOf(store, lane));
  const nothing = await git(inStore(store), ["hash-object", "-w", "-t", "tree", "--stdin"]);
  const base = await commitTree(store, nothing, null);
  await setRefs(store, lane, base, await commitTree(store, tree, base));
  return { ...lane, base };
}

/** The tree of a commit without these changes: each file is again what it was before them. */
async function treeWithout(
  store: LaneStore,
  commit: string,
  changes: readonly TreeChange[],
): Promise<string> {
  if (changes.length === 0) return own(store, "rev-parse", `${commit}^{tree}`);
  const index = join(store.repository, "judges-index");
  const place = { ...inStore(store), env: { ...inStore(store).env, GIT_INDEX_FILE: index } };
  // The process that left it was killed: the caller lets one at a time in here.
  for (const path of [index, `${index}.lock`]) await rm(path, { force: true });
  await git(place, ["read-tree", commit]);
  const rows = changes.map(({ path, before }) => ({ path, ...before }));
  await git(place, ["update-index", "-z", "--replace", "--index-info"], indexRows(rows, commit.length));
  return git(place, ["write-tree"]);
}

/** All or none: of half a lane nobody knows what it was. */
async function setRefs(store: LaneStore, { branch, name }: Lane, base: string, tip: string): Promise<void> {
  const rows = [`refs/heads/${branch} ${tip}`, `${takenOf(name)} ${tip}`, `${baseOf(name)} ${base}`];
  await git(inStore(store), ["update-ref", "--stdin"], rows.map((row) => `update ${row}\n`).join(""));
}

/**
 * Keeps what a lane holds, recorded, beside the record. All of its files where they are not too many bytes, so that nothing of
 * the user's repository is needed for it: they may rewrite their history. The lane goes, or is put onto another commit, after that.
 * @returns where
 */
export async function keepBundle(store: LaneStore, lane: Lane): Promise<string> {
  const { branch, base, name } = lane;
  const tip = await own(store, "rev-parse", takenOf(name));
  let bundle = ownerOf(store, name).replace(/owner$/u, "bundle");
  while (existsSync(bundle)) bundle = bundle.replace(/\.bundle$/u, "+.bundle");
  const parent = await parentOf(store, base);
  const isSmall = parent === null || (await bytesOf(store, base)) <= MAX_WHOLE;
  const first = isSmall ? await commitTree(store, `${base}^{tree}`, null) : base;
  await setRefs(store, lane, first, isSmall ? await commitTree(store, `${tip}^{tree}`, first) : tip);
  const refs = [`refs/heads/${branch}`, baseOf(name), ...(isSmall ? [] : [`^${parent}`])];
  // `git stash -u` and `git clean` of the user's take it away while it is empty.
  await mkdir(store.kept, { recursive: true });
  // One that is small stays for long; of a large file nobody waits for the compression.
  const option = ["-c", `pack.compression=${isSmall ? -1 : 0}`];
  await own(store, ...option, "bundle", "create", "-q", bundle, ...refs);
  await own(store, "bundle", "verify", "-q", bundle);
  return bundle;
}

async function bytesOf(store: LaneStore, commit: string): Promise<number> {
  const rows = nulRows(await own(store, "ls-tree", "-r", "-l", "-z", commit));
  return rows.reduce((sum, row) => sum + (Number(/(\d+)\t/u.exec(row)?.[1]) || 0), 0);
}

export function ownerOf({ kept }: LaneStore, name: string): string {
  return join(kept, `${name.replaceAll("/", "-")}.owner`);
}
