import { existsSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { bring, bringHooks, bringSubmodules, type Brought } from "./bring.ts";
import { askUsers, nulRows } from "./run-git.ts";
import type { LaneStore } from "./store.ts";
import { checkOut, keepNote, checkoutFolder, readNote, removeUnitTree } from "./unit-checkout.ts";
import { unitPlaceOf } from "./unit-place.ts";

export type UnitWork = Awaited<ReturnType<typeof lookAtUnitTree>>;

/**
 * Makes the tree of a unit, or finds it again: a folder that was deleted is made again from the branch. The branch begins at the
 * user's commit, without what they have not committed; their own tree, index and branch are not touched.
 * @param project the real path of the project's folder
 * @returns why it cannot be used, with what to do
 */
export async function openUnitTree(store: LaneStore, unit: string, project: string, brought?: Brought) {
  const { branch, folder, note } = checkoutFolder(store, unit);
  if (existsSync(join(store.top, ".jj"))) return "this is Jujutsu";
  if (store.index === null) return "there is no git here";
  const before = await readNote(note);
  const forget = `npx opencode-gaia lanes remove ${unit}`;
  if (before !== null && before.project !== project)
    return `${branch} holds the unit ${unit} of ${before.project}. Rename one of the two.`;
  const isAnothers = before?.isArchived === true;
  if (isAnothers && (await archiveUnitTree(store, unit)) !== null)
    return `${branch} holds the work of an archived unit of that name. Take it in, or put it aside (${forget}; git branch -m ${branch} <name>); then run again.`;
  const known = isAnothers ? null : before;
  const head = await commitOf(store, "HEAD");
  const tip = await commitOf(store, `refs/heads/${branch}`);
  if (head === null) return "there is no commit that a branch could begin at. Commit first.";
  if (known !== null && tip === null && !(await isWithin(store, known.tip, head)))
    return `${branch} is gone, and HEAD does not hold its work. Bring it back (git branch ${branch} ${known.tip.slice(0, 12)}), or give it up (${forget}); then run again.`;
  if (known !== null && tip !== null && !(await isWithin(store, known.tip, tip)))
    return `${branch} was moved: it does not hold ${known.tip.slice(0, 12)} any more. Move it back, or keep it as it is (${forget}); then run again.`;
  // One that was taken in already begins anew.
  const isFresh = tip === null || (known === null && (await isWithin(store, tip, head)));
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  const isNew = await checkOut(store.top, { branch, folder }, isFresh ? head : null);
  if (typeof isNew === "string") {
    // Git begins the branch before it sees that it cannot check it out.
    const back = tip === null ? ["-d", `refs/heads/${branch}`, head] : [`refs/heads/${branch}`, tip, head];
    if (isFresh) await askUsers(store.top, "update-ref", ...back);
    return isNew;
  }
  const isReady = !isNew && known?.isReady === true;
  if (!isReady) {
    // The process that was at it may have been killed in between; what is there stays.
    if (brought !== undefined) await bring(store.top, folder, brought);
    await bringHooks(store.top, folder);
    await bringSubmodules(store.top, folder);
  }
  await keepNote(note, { project, tip: (await commitOf(store, `refs/heads/${branch}`)) ?? head, isReady });
  /** Whether the command that makes it ready for work has run. */
  return { branch, folder, isReady };
}

export async function lookAtUnitTree(store: LaneStore, unit: string) {
  const { branch, folder } = checkoutFolder(store, unit);
  const { text } = await askUsers(store.top, "rev-list", "--count", `refs/heads/${branch}`, "--not", "HEAD");
  const status = await askUsers(folder, "status", "--porcelain", "-z", "--no-renames");
  const isThere = existsSync(join(folder, ".git"));
  return { commits: Number(text) || 0, uncommitted: nulRows(status.text).length, isThere };
}

/**
 * Its unit is archived: the tree goes where nothing in it is missing in the user's own, else it stays until they take it away.
 * @returns what it holds; null where it is gone
 */
export async function archiveUnitTree(store: LaneStore, unit: string): Promise<UnitWork | null> {
  const { note } = checkoutFolder(store, unit);
  const known = await readNote(note);
  if (known === null) return null;
  const work = await lookAtUnitTree(store, unit);
  const isTaken = work.commits + work.uncommitted === 0;
  try {
    if (isTaken) {
      await removeUnitTree(store, unit);
      return null;
    }
  } catch {
    // A repository in it holds what would be lost: it stays where it is.
  }
  await keepNote(note, { ...known, isArchived: true });
  return work;
}

export async function noteUnitTree(store: LaneStore, unit: string): Promise<void> {
  const { branch, note } = checkoutFolder(store, unit);
  const known = await readNote(note);
  const tip = await commitOf(store, `refs/heads/${branch}`);
  if (known !== null) await keepNote(note, { ...known, tip: tip ?? known.tip, isReady: true });
}

/** The store of a project, for work that begins in a unit's tree and lands there. */
export function atUnitTree(store: LaneStore, unit: string): LaneStore {
  const { folder, landing } = checkoutFolder(store, unit);
  return { ...store, top: folder, landing };
}

/** The folder of the tree that a unit has; null where it has none, or that is gone. */
export async function findUnitTree(store: LaneStore, unit: string): Promise<string | null> {
  const place = unitPlaceOf(store.folder, unit);
  const isThere = place !== null && existsSync(place.folder) && (await readNote(place.note)) !== null;
  return isThere ? place.folder : null;
}

/** The units that have trees of their own, also where the folder is gone. */
export async function listUnitTrees(store: Pick<LaneStore, "folder">): Promise<string[]> {
  const names = await readdir(join(store.folder, "unit-notes")).catch(() => []);
  return names.filter((name) => existsSync(checkoutFolder(store, name).note));
}

async function commitOf({ top }: LaneStore, ref: string): Promise<string | null> {
  const { code, text } = await askUsers(top, "rev-parse", "-q", "--verify", `${ref}^{commit}`);
  return code === 0 ? text : null;
}

async function isWithin({ top }: LaneStore, commit: string, other: string): Promise<boolean> {
  return (await askUsers(top, "merge-base", "--is-ancestor", commit, other)).code === 0;
}
