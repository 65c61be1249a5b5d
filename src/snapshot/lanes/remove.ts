import { existsSync } from "node:fs";
import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  addWorktree,
  baseOf,
  keepBundle,
  type Lane,
  laneAt,
  listLanes,
  ownerOf,
  recordAlone,
  recordLane,
  takenOf,
} from "./lane.ts";
import { askLaneGit, failed } from "./run-git.ts";
import { clearFolder, inStore, type LaneStore, own } from "./store.ts";
import { isWhole } from "./take-down.ts";

const PRUNE_MS = 3_600_000;

/**
 * Removes a lane; what does not stand in the user's tree as it is is kept in a bundle first.
 * @returns the bundle; null for none @throws GaiaError where the work could not be kept
 */
export async function removeLane(
  store: LaneStore,
  lane: Lane,
  fate: "landed" | "left",
): Promise<string | null> {
  const { branch, folder, name } = lane;
  let bundle: string | null = null;
  if (fate !== "landed") {
    try {
      if ((await recordLane(store, lane)) !== lane.base) bundle = await keepBundle(store, lane);
    } catch (error) {
      // What it began with may be gone from the user's repository: then its files are kept alone.
      if (await isWhole(store, `${lane.base}^{tree}`)) throw error;
      bundle = await keepBundle(store, await recordAlone(store, lane));
    }
  }
  // Both or none: of half a lane nobody knows what it was. Before its folder, so that what has landed never lands again.
  const refs = [`refs/heads/${branch}`, baseOf(name), takenOf(name)];
  // Of one that is not there nothing is said.
  await askLaneGit(inStore(store), ["update-ref", "--stdin"], refs.map((ref) => `delete ${ref}\n`).join(""));
  const [left] = await Promise.all([listLanes(store), removeFolder(store, folder)]);
  await rm(ownerOf(store, name), { force: true });
  if (left.length === 0) await prune(store);
  return bundle;
}

async function removeFolder(store: LaneStore, folder: string): Promise<void> {
  if ((await askLaneGit(inStore(store), ["worktree", "remove", "-f", "-f", folder])).code === 0) return;
  await clearFolder(store, folder);
  await own(store, "worktree", "prune");
}

/** With the last lane all that was taken down for them goes, but for what someone may be about to use: once in an hour. */
async function prune(store: LaneStore): Promise<void> {
  const stamp = join(store.repository, "pruned");
  const entry = await stat(stamp).catch(() => null);
  if (entry !== null && Math.abs(Date.now() - entry.mtimeMs) < PRUNE_MS) return;
  await writeFile(stamp, "");
  await askLaneGit(inStore(store), ["prune", "--expire=1.day.ago"]);
}

/** Brings a lane back out of its bundle. @throws GaiaError where git cannot read it, or the lane is there */
export async function restoreLane(store: LaneStore, bundle: string): Promise<Lane> {
  const heads = await own(store, "bundle", "list-heads", bundle);
  const [, base = "", name = ""] = /(\w+) refs\/lanes\/(.+)$/mu.exec(heads) ?? [];
  const lane = laneAt(store, name, base);
  // Also where its folder is gone: what was taken down of it stands on its branch.
  const isThere = existsSync(lane.folder) || (await listLanes(store)).some((each) => each.name === name);
  if (name === "" || isThere) throw failed(`${bundle} holds no lane, or it is there already.`);
  await own(store, "fetch", "-q", bundle, "+refs/*:refs/*");
  await addWorktree(store, lane.folder, undefined, lane.folder, lane.branch);
  return lane;
}
