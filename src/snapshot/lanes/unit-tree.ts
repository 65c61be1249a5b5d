import { existsSync } from "node:fs";
import { mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { succeeds } from "../../lib/async.ts";
import { parseJson, recordOf, textOf } from "../../lib/json.ts";
import { readText } from "../../lib/read-source.ts";
import { keepAs } from "../repository.ts";
import { bring, bringHooks, type Brought } from "./bring.ts";
import { ownFolder } from "./lane.ts";
import { isLanding, settleLanding } from "./landing.ts";
import { nulRows } from "../version.ts";
import { askUsers, failed, modulesOf } from "./run-git.ts";
import { clearFolder, type LaneStore } from "./store.ts";
import { unitPlaceOf, type UnitPlace } from "./unit-place.ts";

export type UnitWork = Awaited<ReturnType<typeof lookAtUnitTree>>;

interface UnitNote {
  /** The project that the unit belongs to: a repository may hold several. */
  readonly project: string;
  /**
   * `ready` once the command that makes it ready for work has run; `archived` with its unit: another one of the same name is not
   * the one whose work stands there.
   */
  readonly state: "new" | "ready" | "archived";
}

/**
 * Makes the tree of a unit, or finds it again: a folder that was deleted is made again from the branch. The branch begins at the
 * user's commit, without what they have not committed; their own tree, index and branch are not touched.
 * @param project the real path of the project's folder
 * @returns why it cannot be used, with what to do
 */
export async function openUnitTree(store: LaneStore, unit: string, project: string, brought?: Brought) {
  const { top } = store;
  const { branch, folder, note } = placeOf(store, unit);
  if (existsSync(join(top, ".jj"))) return "this is Jujutsu";
  if (store.index === null) return "there is no git here";
  // Git never removes a worktree whose index names a submodule.
  if ((await modulesOf({ folder: top })).length > 0)
    return 'its submodules would be empty in a worktree. Set "lanes": { "land": "worktree" }, then run again.';
  const before = await readNote(note);
  if (before !== null && before.project !== project)
    return `${branch} holds the unit ${unit} of ${before.project}. Rename one of the two.`;
  const isAnothers = before?.state === "archived";
  if (isAnothers && (await archiveUnitTree(store, unit)) !== null)
    return `${branch} holds the work of an archived unit of that name. Take it in, or put it aside (npx opencode-gaia lanes remove ${unit}; git branch -m ${branch} <name>); then run again.`;
  const known = isAnothers ? null : before;
  const head = await commitOf(store, "HEAD");
  const tip = await commitOf(store, `refs/heads/${branch}`);
  if (head === null) return "there is no commit that a branch could begin at. Commit first.";
  // A branch whose work was merged begins anew.
  const isFresh = tip === null || (known === null && (await isWithin(store, tip, head)));
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  const isNew = await checkOut(top, { branch, folder }, isFresh ? head : null);
  if (typeof isNew === "string") {
    // Git makes the branch before the check-out fails.
    const back = tip === null ? ["-d", `refs/heads/${branch}`, head] : [`refs/heads/${branch}`, tip, head];
    if (isFresh) await askUsers(top, "update-ref", ...back);
    return isNew;
  }
  const isReady = !isNew && known?.state === "ready";
  if (!isReady) {
    // A killed process may have done a part of it; existing files stay.
    if (brought !== undefined) await bring(top, folder, brought);
    await bringHooks(top, folder);
  }
  await keepNote(note, { project, state: isReady ? "ready" : "new" });
  return { branch, folder, isReady };
}

/**
 * Checks a unit's branch out in its folder, where it is not there yet.
 * @param fresh the commit at which the branch begins; null for one that is there
 * @returns whether it is new there, or why it cannot be had
 */
async function checkOut(
  top: string,
  { branch, folder }: Pick<UnitPlace, "branch" | "folder">,
  fresh: string | null,
): Promise<boolean | string> {
  await clearHalf(top, folder);
  if (existsSync(join(folder, ".git"))) {
    const { text } = await askUsers(folder, "rev-parse", "--show-toplevel", "--symbolic-full-name", "HEAD");
    return text === `${folder}\nrefs/heads/${branch}`
      ? false
      : `${folder} is not at ${branch}. Switch it back (git -C '${folder}' switch ${branch}), then run again.`;
  }
  const how = fresh === null ? [folder, branch] : ["--no-track", "-B", branch, folder, fresh];
  const { code, words } = await askUsers(top, "worktree", "add", "-q", ...how);
  return code === 0 || `git does not check ${branch} out (${words.trim()}). Settle that, then run again.`;
}

/** Removes a worktree whose folder was deleted, or whose creation was cut off: no work is in it. */
async function clearHalf(top: string, folder: string): Promise<void> {
  const common = await askUsers(top, "rev-parse", "--path-format=absolute", "--git-common-dir");
  const own = await ownFolder(common.text, folder);
  if (own === null) return;
  const isHalf = (await readText(join(own, "locked"))).startsWith("initializing");
  if (isHalf) await rm(folder, { recursive: true, force: true });
  if (!existsSync(folder)) await askUsers(top, "worktree", "remove", "-f", "-f", folder);
}

export async function lookAtUnitTree(store: LaneStore, unit: string) {
  const { branch, folder } = placeOf(store, unit);
  const { text } = await askUsers(store.top, "rev-list", "--count", `refs/heads/${branch}`, "--not", "HEAD");
  const status = await askUsers(folder, "status", "--porcelain", "-z", "--no-renames");
  const isThere = existsSync(join(folder, ".git"));
  return { commits: Number(text) || 0, uncommitted: nulRows(status.text).length, isThere };
}

/**
 * Archives the tree with its unit: removed where the user's tree has all of it, else it stays until the user removes it.
 * @returns what it holds; null where it is removed
 */
export async function archiveUnitTree(store: LaneStore, unit: string): Promise<UnitWork | null> {
  const { note } = placeOf(store, unit);
  const known = await readNote(note);
  if (known === null) return null;
  const work = await lookAtUnitTree(store, unit);
  // One that holds something that would be lost stays.
  if (work.commits + work.uncommitted === 0 && (await succeeds(removeUnitTree(store, unit)))) return null;
  await keepNote(note, { ...known, state: "archived" });
  return work;
}

/**
 * Removes the tree of a unit; its branch stays.
 * @throws GaiaError with git's words for one that holds what is not committed, or commits that no branch holds
 */
export async function removeUnitTree(store: LaneStore, unit: string): Promise<void> {
  const { branch, folder, note, landing } = placeOf(store, unit);
  const there = { ...store, top: folder, landing };
  // A landing may have moved files of the user's aside.
  await settleLanding(there);
  if (isLanding(there)) throw failed(`Something is landing in ${folder}.`);
  await clearHalf(store.top, folder);
  if (existsSync(folder)) {
    const held = await askUsers(folder, "for-each-ref", "--count=1", "--contains=HEAD", "refs/heads");
    const then = `Commit what it holds to a branch, or throw it away; then run again.`;
    if (held.text === "") throw failed(`${folder} is at a commit that no branch holds. ${then}`);
    const { code, words } = await askUsers(store.top, "worktree", "remove", folder);
    if (code !== 0) throw failed(`git does not remove the worktree of ${branch}: ${words} ${then}`);
    await clearFolder(store, folder);
  }
  await rm(note, { force: true });
  // Files that an unknown landing moved aside stay.
  await rmdir(dirname(note)).catch(() => undefined);
}

/** The command that makes the tree of a unit ready for work has run. */
export async function noteUnitTree(store: LaneStore, unit: string): Promise<void> {
  const { note } = placeOf(store, unit);
  const known = await readNote(note);
  if (known !== null) await keepNote(note, { ...known, state: "ready" });
}

/** The store for lanes that begin and land in a unit's tree. */
export function atUnitTree(store: LaneStore, unit: string): LaneStore {
  const { folder, landing } = placeOf(store, unit);
  return { ...store, top: folder, landing };
}

/** The folder of a unit's tree; null where it has none. */
export async function findUnitTree(store: LaneStore, unit: string): Promise<string | null> {
  const place = unitPlaceOf(store.folder, unit);
  const isThere = place !== null && existsSync(place.folder) && (await readNote(place.note)) !== null;
  return isThere ? place.folder : null;
}

/** The units with trees of their own, also where the folder is gone. */
export async function listUnitTrees(store: Pick<LaneStore, "folder">): Promise<string[]> {
  const names = await readdir(join(store.folder, "unit-notes")).catch(() => []);
  return names.filter((name) => existsSync(placeOf(store, name).note));
}

/** @throws GaiaError for what is no unit's name */
function placeOf({ folder }: Pick<LaneStore, "folder">, unit: string): UnitPlace {
  const place = unitPlaceOf(folder, unit);
  if (place === null) throw failed(`${unit} names no unit.`);
  return place;
}

async function readNote(path: string): Promise<UnitNote | null> {
  const { project, state } = recordOf(parseJson(await readText(path)));
  const of = textOf(project);
  return of === undefined
    ? null
    : { project: of, state: state === "ready" || state === "archived" ? state : "new" };
}

async function keepNote(path: string, note: UnitNote): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await keepAs(path, JSON.stringify(note));
}

async function commitOf({ top }: LaneStore, ref: string): Promise<string | null> {
  const { code, text } = await askUsers(top, "rev-parse", "-q", "--verify", `${ref}^{commit}`);
  return code === 0 ? text : null;
}

async function isWithin({ top }: LaneStore, commit: string, other: string): Promise<boolean> {
  return (await askUsers(top, "merge-base", "--is-ancestor", commit, other)).code === 0;
}
