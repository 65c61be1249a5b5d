import { existsSync } from "node:fs";
import { keepBundle, type Lane, parentOf, gitPlaceOf, recordLane, refOf, setRefs, takenOf } from "./lane.ts";
import { askLaneGit, failed, git } from "./run-git.ts";
import { commitTree, deleteRefs, inStore, type LaneStore, own } from "./store.ts";
import { LINK } from "../version.ts";
import { laneChanges } from "./versions.ts";

/** What a lane held before it was given the work of others as well; there until it lands or goes. */
const beforeOf = (name: string): string => `refs/before/${name}`;
/** What its worker was given, as long as nobody has judged what they made of it. */
const givenOf = (name: string): string => `refs/given/${name}`;
/** What git leaves where two sides changed the same lines, also where someone has put a sign in front of it. */
const MARKER = /<{7}|>{7}|^\s*(?:={7}|\|{7})\s*$/u;

/** What a lane is to hold while its work is brought together with that of others. */
export interface Rework {
  /** The tree of the others and the user, with which it begins anew. */
  readonly base: string;
  /** That with its own work in it, as git put them together. */
  readonly tree: string;
}

/**
 * Puts the work of others beneath a lane's own. What it held is kept, and comes back with {@link takeBack}.
 * @param commit all of its work, as it was looked at
 * @returns the lane as it is from now on @throws GaiaError where someone has changed it since
 */
export async function startRework(
  store: LaneStore,
  lane: Lane,
  commit: string,
  { base, tree }: Rework,
): Promise<Lane> {
  if ((await recordLane(store, lane)) !== commit) throw failed(`${lane.folder} was changed meanwhile.`);
  const head = await parentOf(store, lane.base);
  if ((await beforeRework(store, lane)) === null)
    await own(
      store,
      "update-ref",
      beforeOf(lane.name),
      await commitTree(store, `${commit}^{tree}`, lane.base),
    );
  await own(store, "update-ref", givenOf(lane.name), await commitTree(store, tree, null));
  const fresh = await commitTree(store, base, head);
  return stand(store, lane, { base: fresh, tip: fresh, tree });
}

/**
 * Judges what was made of a rework, by the files and nobody's word: it counts where only files that may change did, and both
 * sides of a conflict were put together.
 * @param may files that may change @param conflicts those in which git left both sides
 * @returns what is wrong, or null: then it stands
 */
export async function endRework(
  store: LaneStore,
  lane: Lane,
  may: readonly string[],
  conflicts: readonly string[],
): Promise<string | null> {
  const given = await refOf(store, givenOf(lane.name));
  const before = await beforeRework(store, lane);
  if (given === null || before === null) return "nothing was given to it";
  const commit = await recordLane(store, lane);
  for (const { path, after } of await laneChanges(store, given, commit)) {
    if (!may.includes(path)) return `${path} was changed, which is not part of it`;
    if (after.id === "" || after.mode === LINK) return `${path} was taken away`;
  }
  const [left] = await conflictsIn(store, commit, [lane.base, before], conflicts);
  if (left !== undefined) return `conflict markers stand in ${left}`;
  await own(store, "update-ref", "-d", givenOf(lane.name));
  return null;
}

/** Of these files those in which git's marks of a conflict stand, more of them than the sides had themselves. */
export async function conflictsIn(
  store: LaneStore,
  tree: string,
  sides: readonly string[],
  files: readonly string[],
): Promise<string[]> {
  const marks = async (where: string, path: string): Promise<number> => {
    const { text } = await askLaneGit(inStore(store), ["cat-file", "blob", `${where}:${path}`]);
    return text.split("\n").filter((line) => MARKER.test(line)).length;
  };
  const found = await Promise.all(
    files.map(async (path) => {
      const own = await Promise.all(sides.map(async (side) => marks(side, path)));
      return (await marks(tree, path)) > own.reduce((sum, count) => sum + count, 0);
    }),
  );
  return files.filter((_, index) => found[index]);
}

export async function beforeRework(store: LaneStore, { name }: Lane): Promise<string | null> {
  return refOf(store, beforeOf(name));
}

export async function isUnjudged(store: LaneStore, { name }: Lane): Promise<boolean> {
  return (await refOf(store, givenOf(name))) !== null;
}

/** Gives a lane back what it held before a rework. @param keeps whether what was made of that is kept in a bundle */
export async function takeBack(store: LaneStore, lane: Lane, keeps = true): Promise<Lane> {
  const before = await beforeRework(store, lane);
  if (before === null) return lane;
  const given = await refOf(store, givenOf(lane.name));
  const commit = await recordLane(store, lane);
  const isMade = given === null || (await laneChanges(store, given, commit)).length > 0;
  if (keeps && isMade) await keepBundle(store, lane);
  const base = await own(store, "rev-parse", `${before}^`);
  const back = await stand(store, lane, { base, tip: before, tree: before });
  await deleteRefs(store, reworkOf(lane.name));
  return back;
}

export const reworkOf = (name: string): readonly string[] => [givenOf(name), beforeOf(name)];

/** Has a lane that was recorded hold a tree, on another commit. */
async function stand(
  store: LaneStore,
  lane: Lane,
  to: { readonly base: string; readonly tip: string; readonly tree: string },
): Promise<Lane> {
  if (existsSync(lane.folder)) {
    const place = await gitPlaceOf(store, lane);
    await git(place, ["symbolic-ref", "HEAD", `refs/heads/${lane.branch}`]);
    // Git knows of every file that was taken down, so that those which are not in the tree go.
    await git(place, ["read-tree", "--reset", takenOf(lane.name)]);
    await askLaneGit(place, ["update-index", "-q", "--refresh"]);
    await git(place, ["read-tree", "--reset", "-u", to.tree]);
    await setRefs(store, lane, to.base, to.tip);
    await askLaneGit(place, ["reset", "-q"]);
  } else await setRefs(store, lane, to.base, to.tip);
  return { ...lane, base: to.base };
}

/** Has a lane that was recorded hold another tree from now on; what it held is kept in a bundle. @returns where */
export async function replaceTree(store: LaneStore, lane: Lane, tree: string): Promise<string> {
  const bundle = await keepBundle(store, lane);
  const tip = await commitTree(store, tree, lane.base);
  await stand(store, lane, { base: lane.base, tip, tree });
  return bundle;
}
