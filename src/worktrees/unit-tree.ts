import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseJson, recordOf, textOf } from "../lib/json.ts";
import { bring, type Brought } from "./bring.ts";
import { askGit, failed, git, rowsOf, USERS } from "./run-git.ts";
import type { LaneStore } from "./store.ts";
import { unitPlaceOf, type UnitPlace } from "./unit-place.ts";

/** A unit's branch in the user's repository, checked out in a worktree of its own. */
export interface UnitTree extends Pick<UnitPlace, "branch" | "folder"> {
  readonly unit: string;
  /** Whether the command that makes it ready for work has run. */
  readonly isReady: boolean;
}

interface Note {
  /** The project that the unit belongs to: a repository may hold several. */
  readonly project: string;
  /** The branch's commit when it was last looked at. */
  readonly tip: string;
  readonly isReady: boolean;
}

/** What a unit's tree holds. */
export interface UnitWork {
  /** On its branch, and not in the user's. */
  readonly commits: number;
  /** Files that differ from its commit. */
  readonly uncommitted: number;
}

/** The user's own repository, by their settings; their hooks are for their own commits. */
const asks = async (folder: string, ...args: string[]) => askGit({ folder, env: USERS }, args);

function placeOf(store: LaneStore, unit: string): UnitPlace {
  const place = unitPlaceOf(store.folder, unit);
  if (place === null) throw failed(`${unit} names no unit.`);
  return place;
}

/**
 * Makes the tree of a unit, or finds it again: a folder that was deleted is made again from the branch. The branch begins at the
 * user's commit, without what they have not committed; their own tree, index and branch are not touched.
 * @param project the real path of the project's folder
 * @returns why it cannot be used, with what to do
 */
export async function openUnitTree(
  store: LaneStore,
  unit: string,
  project: string,
  brought?: Brought,
): Promise<UnitTree | string> {
  const { branch, folder, note } = placeOf(store, unit);
  const known = await readNote(note);
  const head = await commitOf(store, "HEAD");
  const tip = await commitOf(store, `refs/heads/${branch}`);
  const forget = `npx opencode-gaia lanes remove ${unit}`;
  if (known !== null && known.project !== project)
    return `${branch} holds the unit ${unit} of ${known.project}. Rename one of the two.`;
  if (head === null) return "there is no commit that a branch could begin at. Commit first.";
  if (known !== null && tip === null && !(await isWithin(store, known.tip, head)))
    return `${branch} is gone, and HEAD does not hold its work. Bring it back (git branch ${branch} ${known.tip.slice(0, 12)}), or give it up (${forget}); then run again.`;
  if (known !== null && tip !== null && !(await isWithin(store, known.tip, tip)))
    return `${branch} was moved: it does not hold ${known.tip.slice(0, 12)} any more. Move it back, or keep it as it is (${forget}); then run again.`;
  if (existsSync(join(folder, ".git"))) {
    const { text } = await asks(folder, "rev-parse", "--show-toplevel", "--symbolic-full-name", "HEAD");
    if (text !== `${folder}\nrefs/heads/${branch}`)
      return `${folder} is not at ${branch}. Switch it back (git -C '${folder}' switch ${branch}), then run again.`;
  } else {
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
    // Git still knows of a folder that was deleted; one that is in use it does not let go.
    await asks(store.top, "worktree", "remove", "--force", folder);
    const how = tip === null ? ["--no-track", "-b", branch, folder, head] : [folder, branch];
    const { code, words } = await asks(store.top, "worktree", "add", "-q", ...how);
    if (code !== 0) return `git does not check ${branch} out (${words.trim()}). Settle that, then run again.`;
    if (brought !== undefined) await bring(store.top, folder, brought);
    await keepNote(note, { project, tip: tip ?? head, isReady: false });
    return { unit, branch, folder, isReady: false };
  }
  const isReady = known?.isReady === true;
  await keepNote(note, { project, tip: tip ?? head, isReady });
  return { unit, branch, folder, isReady };
}

/** How a unit's branch stands. */
export async function lookAtUnitTree(store: LaneStore, unit: string): Promise<UnitWork> {
  const { branch, folder } = placeOf(store, unit);
  const { text } = await asks(store.top, "rev-list", "--count", `refs/heads/${branch}`, "--not", "HEAD");
  const status = await asks(folder, "status", "--porcelain", "-z", "--no-renames");
  return { commits: Number(text), uncommitted: rowsOf(status.text).length };
}

/** Notes that a unit's tree is ready for work, and where its branch is now. */
export async function noteUnitTree(store: LaneStore, unit: string): Promise<void> {
  const { branch, note } = placeOf(store, unit);
  const known = await readNote(note);
  const tip = await commitOf(store, `refs/heads/${branch}`);
  if (known !== null) await keepNote(note, { ...known, tip: tip ?? known.tip, isReady: true });
}

/** The store of a project, for work that begins in a unit's tree and lands there. */
export function atUnitTree(store: LaneStore, unit: string): LaneStore {
  const { folder, landing } = placeOf(store, unit);
  return { ...store, top: folder, landing };
}

/** The tree that a unit has; null where it has none, or its folder is gone. */
export async function findUnitTree(store: LaneStore, unit: string): Promise<UnitTree | null> {
  const place = unitPlaceOf(store.folder, unit);
  const known = place === null ? null : await readNote(place.note);
  return place === null || known === null || !existsSync(place.folder)
    ? null
    : { unit, branch: place.branch, folder: place.folder, isReady: known.isReady };
}

/** The units that have trees of their own, also where the folder is gone. */
export async function listUnitTrees(store: LaneStore): Promise<string[]> {
  return readdir(join(store.folder, "unit-notes")).catch(() => []);
}

/** How many files of the user's are not committed, and so are no part of a branch that begins now. */
export async function countUncommitted({ top }: LaneStore): Promise<number> {
  const { text } = await asks(
    top,
    "status",
    "--porcelain",
    "-z",
    "--no-renames",
    "--",
    ".",
    ":(exclude,top,glob)**/.gaia/**",
  );
  return rowsOf(text).length;
}

/**
 * Removes the tree of a unit. Its branch stays; what no branch holds is kept on another one.
 * @returns that other branch; null for none @throws GaiaError where something could not be kept
 */
export async function removeUnitTree(store: LaneStore, unit: string): Promise<string | null> {
  const { branch, folder, note } = placeOf(store, unit);
  const kept = existsSync(join(folder, ".git")) ? await keepRest(folder, branch) : null;
  await rm(folder, { recursive: true, force: true });
  await asks(store.top, "worktree", "remove", "--force", folder);
  await rm(dirname(note), { recursive: true, force: true });
  return kept;
}

async function keepRest(folder: string, branch: string): Promise<string | null> {
  const { text } = await asks(folder, "rev-parse", "--show-toplevel", "HEAD");
  const [top, head = ""] = text.split("\n");
  if (top !== folder) throw failed(`${folder} is no worktree any more: look what is in it.`);
  const index = join(dirname(folder), `.index-${process.pid}`);
  const place = { folder, env: { ...USERS, GIT_INDEX_FILE: index } };
  try {
    await git(place, ["read-tree", "HEAD"]);
    await git(place, ["add", "-A", "--", "."]);
    const rows = rowsOf(await git(place, ["ls-files", "-z", "--stage"]));
    const inner = rows.flatMap((row) => (row.startsWith("16") ? [row.slice(row.indexOf("\t") + 1)] : []));
    const open = inner.find((path) => existsSync(join(folder, path, ".git")));
    if (open !== undefined)
      throw failed(`${join(folder, open)} is another repository: take its work out first.`);
    const tree = await git(place, ["write-tree"]);
    const isWhole = tree === (await git(place, ["rev-parse", "HEAD^{tree}"]));
    const isNamed = (await asks(folder, "symbolic-ref", "-q", "HEAD")).code === 0;
    if (isWhole && isNamed) return null;
    const commit = isWhole
      ? head
      : await git(place, ["commit-tree", tree, "-p", "HEAD", "-m", `What ${branch} left uncommitted`]);
    for (let name = `${branch}-left`; ; name += "+") {
      const made = await asks(folder, "update-ref", `refs/heads/${name}`, commit, "");
      if (made.code === 0) return name;
      if (name.length > branch.length + 20) throw failed(`git keeps nothing of ${folder}: ${made.words}`);
    }
  } finally {
    await rm(index, { force: true });
  }
}

async function commitOf({ top }: LaneStore, ref: string): Promise<string | null> {
  const { code, text } = await asks(top, "rev-parse", "-q", "--verify", `${ref}^{commit}`);
  return code === 0 ? text : null;
}

async function isWithin({ top }: LaneStore, commit: string, other: string): Promise<boolean> {
  return (await asks(top, "merge-base", "--is-ancestor", commit, other)).code === 0;
}

async function readNote(path: string): Promise<Note | null> {
  const text = await readFile(path, "utf8").catch(() => "");
  const { project, tip, isReady } = recordOf(parseJson(text));
  const [of, at] = [textOf(project), textOf(tip)];
  return of === undefined || at === undefined ? null : { project: of, tip: at, isReady: isReady === true };
}

async function keepNote(path: string, note: Note): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(`${path}.new`, JSON.stringify(note));
  await rename(`${path}.new`, path);
}
