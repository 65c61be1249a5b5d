import { existsSync } from "node:fs";
import { copyFile, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { bring, type Brought } from "./bring.ts";
import { clearFolder } from "./clear-folder.ts";
import { isWhole, listFiles, treeOf } from "./list-files.ts";
import { askGit, askUsers, failed, git, rowsOf } from "./run-git.ts";
import { commitTree, inStore, type LaneStore, own, type Snapshot } from "./store.ts";

/** A worktree of its own for one task. */
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

/** Names the commit that a lane began with. */
export const baseOf = (name: string): string => `refs/lanes/${name}`;

/** A lane by its name. */
export function laneAt(store: LaneStore, name: string, base: string): Lane {
  return { name, branch: `gaia/${name}`, folder: join(store.folder, "lanes", name), base };
}

/**
 * Makes the lane of a task from a snapshot.
 * @param name `<unit>/<task>`
 */
export async function makeLane(
  store: LaneStore,
  name: string,
  { commit }: Snapshot,
  brought?: Brought,
): Promise<Lane> {
  const lane = laneAt(store, name, commit);
  const how = ["-B", lane.branch, lane.folder, commit];
  // Of one that has no base yet, or none any more, a kill may have left the rest: nobody works there.
  const clear = async (): Promise<void> => clearFolder(store, lane.folder);
  await clear();
  if ((await askGit(inStore(store), ["worktree", "add", "-q", ...how])).code !== 0) {
    await clear();
    await askGit(inStore(store), ["worktree", "remove", "-f", "-f", lane.folder]);
    await addWorktree(store, lane.folder, undefined, ...how);
  }
  if (brought !== undefined) await bring(store.top, lane.folder, brought);
  // Nobody has worked here yet: what it knows files by need not be found out again.
  const keepIndex = async ({ theirs, ours }: Indexes): Promise<void> => copyFile(theirs, ours);
  await Promise.all([holdLane(store, lane).then(keepIndex), own(store, "update-ref", baseOf(name), commit)]);
  return lane;
}

export async function addWorktree(
  store: LaneStore,
  folder: string,
  brought: Brought | undefined,
  ...how: string[]
): Promise<void> {
  await own(store, "worktree", "prune");
  await own(store, "worktree", "add", "-q", ...how);
  if (brought !== undefined) await bring(store.top, folder, brought);
}

/** Has the work of a lane begin with what stands in it now: what made it ready for work is no part of that. */
export async function beginHere(store: LaneStore, lane: Lane): Promise<Lane> {
  const commit = await recordLane(store, lane);
  if (commit === lane.base) return lane;
  const base = await commitTree(store, `${commit}^{tree}`, await parentOf(store, lane.base));
  await own(store, "update-ref", `refs/heads/${lane.branch}`, base);
  await own(store, "update-ref", baseOf(lane.name), base);
  return { ...lane, base };
}

/** What a commit came from; null for nothing. */
export async function parentOf(store: LaneStore, commit: string): Promise<string | null> {
  return (await own(store, "rev-list", "--parents", "-1", commit)).split(" ")[1] ?? null;
}

/** The indexes of a lane: its worker's, and the one in which it is looked at. */
interface Indexes {
  readonly theirs: string;
  readonly ours: string;
}

/**
 * Sees to it that a lane's folder is the worktree of its branch, whatever its worker did with git there: what counts are the files.
 * @returns where git keeps its indexes
 * @throws GaiaError where git would work on another tree
 */
async function holdLane(store: LaneStore, { folder, branch }: Lane): Promise<Indexes> {
  const head = `refs/heads/${branch}`;
  const asked = ["rev-parse", "--path-format=absolute", "--show-toplevel", "--git-common-dir"];
  const rest = ["--git-path", "index", "--git-path", INDEX, "--symbolic-full-name", "HEAD"];
  const look = async (): Promise<string[]> =>
    (await askGit({ folder }, [...asked, ...rest])).text.split("\n");
  const isOurs = ([top, repository]: string[]): boolean => top === folder && repository === store.repository;
  let there = await look();
  if (!isOurs(there)) {
    // It may have been taken for something that is in the way.
    await askGit(inStore(store), ["worktree", "repair"]);
    there = await look();
  }
  if (!isOurs(there))
    throw failed(
      `${folder} is not the worktree of ${branch} any more: take out what you need, and delete it.`,
    );
  const [, , theirs = "", ours = "", stands] = there;
  if (stands !== head) await git({ folder }, ["symbolic-ref", "HEAD", head]);
  return { theirs, ours };
}

/** The lanes that are there. */
export async function listLanes(store: LaneStore): Promise<Lane[]> {
  const text = await own(store, "for-each-ref", "--format=%(objectname) %(refname:lstrip=2)", "refs/lanes");
  return text.split("\n").flatMap((row) => {
    const [base = "", name] = row.split(" ");
    return name === undefined ? [] : [laneAt(store, name, base)];
  });
}

/**
 * Puts all that stands in a lane onto its branch, whatever became of its index meanwhile.
 * @throws GaiaError where it cannot be told what there is
 */
export async function recordLane(store: LaneStore, lane: Lane): Promise<string> {
  const { folder, branch, base, name } = lane;
  const ref = `refs/heads/${branch}`;
  if (!existsSync(folder)) return own(store, "rev-parse", ref);
  const asked = askGit(inStore(store), ["rev-parse", ref, `${ref}^{tree}`]);
  const indexes = await holdLane(store, lane);
  const [tip = "", there] = (await asked).text.split("\n");
  const commit = await takeDown(lane, indexes, base, async (tree) =>
    there === tree ? tip : commitTree(store, tree, base),
  );
  if (commit === null)
    throw failed(
      `What ${name} began with is gone from your repository, as by a prune. Its files lie in ${folder}.`,
    );
  if (commit === tip) return tip;
  await own(store, "update-ref", ref, commit);
  // The worker's own index follows, so that they see a clean tree.
  await copyFile(indexes.ours, `${indexes.theirs}.new`);
  await rename(`${indexes.theirs}.new`, indexes.theirs);
  return commit;
}

/** Has a lane whose beginning is gone hold its files alone, all of them as new ones. */
export async function recordAlone(store: LaneStore, lane: Lane): Promise<Lane> {
  const tree = await takeDown(lane, await holdLane(store, lane), null, async (all) => all);
  const nothing = await git(inStore(store), ["hash-object", "-w", "-t", "tree", "--stdin"]);
  const base = await commitTree(store, nothing, null);
  await setRefs(store, lane, base, await commitTree(store, tree ?? nothing, base));
  return { ...lane, base };
}

/** Whether the user's repository does not hold any more what a lane began with. */
export async function isGone({ folder, base }: Pick<Lane, "folder" | "base">): Promise<boolean> {
  return !(await isWhole({ folder }, `${base}^{tree}`));
}

/**
 * All that stands in a lane.
 * @param base what is tracked beside what is not ignored; null for nothing
 * @returns null where what it began with is gone
 */
async function takeDown<T>(
  lane: Lane,
  { ours: index }: Indexes,
  base: string | null,
  use: (tree: string) => Promise<T>,
): Promise<T | null> {
  const { folder } = lane;
  const place = { folder, env: { GIT_INDEX_FILE: index } };
  await rm(`${index}.lock`, { force: true });
  const read = ["read-tree", ...(base === null ? ["--empty"] : ["--reset", base])];
  const isRead = (await askGit(place, read)).code === 0;
  // One that is broken is made again.
  if (!isRead) await rm(index, { force: true }).catch(() => undefined);
  const { code, words } = isRead ? { code: 0, words: "" } : await askGit(place, read);
  if (code !== 0 && base !== null && (await isGone(lane))) return null;
  if (code !== 0) throw failed(`git does not take up the files of ${folder}: ${words}`);
  // What the user has git ignore everywhere is no part of the work.
  const { files, inner, unnamed, held } = await listFiles({ ...place, settings: "user" });
  for (const path of inner)
    if ((await askUsers(path, "rev-parse", "-q", "--verify", "HEAD")).code === 0)
      throw failed(`${path} is a repository with commits of its own: take it out.`);
  if (unnamed.length > 0) throw failed(`In ${folder} a name is no UTF-8: ${unnamed[0]}. Rename it.`);
  return treeOf(place, files, held, use);
}

/** Both or none: of half a lane nobody knows what it was. */
async function setRefs(store: LaneStore, { branch, name }: Lane, base: string, tip: string): Promise<void> {
  await git(
    inStore(store),
    ["update-ref", "--stdin"],
    `update refs/heads/${branch} ${tip}\nupdate ${baseOf(name)} ${base}\n`,
  );
}

/**
 * Keeps what a lane holds, recorded, beside the record. All of its files where they are not too many bytes, so that nothing of
 * the user's repository is needed for it: they may rewrite their history. The lane goes, or is put onto another commit, after that.
 * @returns where
 */
export async function keepBundle(store: LaneStore, lane: Lane): Promise<string> {
  const { branch, base, name } = lane;
  let bundle = ownerOf(store, name).replace(/owner$/u, "bundle");
  while (existsSync(bundle)) bundle = bundle.replace(/\.bundle$/u, "+.bundle");
  const parent = await parentOf(store, base);
  const isWhole = parent === null || (await bytesOf(store, base)) <= MAX_WHOLE;
  if (isWhole) {
    const first = await commitTree(store, `${base}^{tree}`, null);
    await setRefs(store, lane, first, await commitTree(store, `refs/heads/${branch}^{tree}`, first));
  }
  const refs = [`refs/heads/${branch}`, baseOf(name), ...(isWhole ? [] : [`^${parent}`])];
  // `git stash -u` and `git clean` of the user's take it away while it is empty.
  await mkdir(store.kept, { recursive: true });
  // One that is small stays for long; of a large file nobody waits for the compression.
  const option = ["-c", `pack.compression=${isWhole ? -1 : 0}`];
  await own(store, ...option, "bundle", "create", "-q", bundle, ...refs);
  await own(store, "bundle", "verify", "-q", bundle);
  return bundle;
}

async function bytesOf(store: LaneStore, commit: string): Promise<number> {
  const rows = rowsOf(await own(store, "ls-tree", "-r", "-l", "-z", commit));
  return rows.reduce((sum, row) => sum + (Number(/(\d+)\t/u.exec(row)?.[1]) || 0), 0);
}

/** Says whose a lane is. */
export function ownerOf({ kept }: LaneStore, name: string): string {
  return join(kept, `${name.replaceAll("/", "-")}.owner`);
}
