import { existsSync } from "node:fs";
import { mkdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ownFolder } from "./lane.ts";
import { clearFolder } from "./clear-folder.ts";
import { isLanding, settleLanding } from "./landing.ts";
import { askLaneGit, askUsers, failed, git, modulesOf, nulRows } from "./run-git.ts";
import type { GitPlace } from "../../process/git.ts";
import type { LaneStore } from "./store.ts";
import { unitPlaceOf, type UnitPlace } from "./unit-place.ts";
import { parseJson, recordOf, textOf } from "../../lib/json.ts";
import { readText } from "../../lib/read-source.ts";

/**
 * Makes whole what became of a worktree's folder. One that was deleted is there again as git's index has it: what git keeps of it
 * beside the index, such as commits on no branch and the repositories of submodules, would go away with it. One that was cut off
 * while git made it goes: nobody has worked there.
 * @returns whether anything was done
 */
async function repairFolder(top: string, folder: string): Promise<boolean> {
  const common = await askUsers(top, "rev-parse", "--path-format=absolute", "--git-common-dir");
  const own = await ownFolder(common.text, folder);
  if (own === null) return false;
  const isHalf = (await readText(join(own, "locked"))).startsWith("initializing");
  const isGone = !existsSync(join(folder, ".git"));
  if (!isHalf && !isGone) return false;
  const at: GitPlace = { folder: own, settings: "user", env: { GIT_DIR: own } };
  // Where the branch is gone too there is nothing to come back to.
  const isEmpty = (await askLaneGit(at, ["rev-parse", "-q", "--verify", "HEAD"])).code !== 0;
  if (isHalf || isEmpty) {
    if (isHalf) await rm(folder, { recursive: true, force: true });
    await askUsers(top, "worktree", "remove", "-f", "-f", folder);
    return true;
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, ".git"), `gitdir: ${own}\n`);
  // Over nothing that lies there.
  await askUsers(folder, "checkout-index", "-a", "-q");
  return true;
}

/**
 * Checks a unit's branch out in its folder, where it is not there yet.
 * @param fresh the commit at which the branch begins; null for one that is there
 * @returns whether it is new there, or why it cannot be had
 */
export async function checkOut(
  top: string,
  { branch, folder }: Pick<UnitPlace, "branch" | "folder">,
  fresh: string | null,
): Promise<boolean | string> {
  const isRepaired = await repairFolder(top, folder);
  if (existsSync(join(folder, ".git"))) {
    const { text } = await askUsers(folder, "rev-parse", "--show-toplevel", "--symbolic-full-name", "HEAD");
    return text === `${folder}\nrefs/heads/${branch}`
      ? isRepaired
      : `${folder} is not at ${branch}. Switch it back (git -C '${folder}' switch ${branch}), then run again.`;
  }
  const how = fresh === null ? [folder, branch] : ["--no-track", "-B", branch, folder, fresh];
  const { code, words } = await askUsers(top, "worktree", "add", "-q", ...how);
  return code === 0 || `git does not check ${branch} out (${words.trim()}). Settle that, then run again.`;
}

export interface UnitNote {
  /** The project that the unit belongs to: a repository may hold several. */
  readonly project: string;
  readonly tip: string;
  readonly isReady: boolean;
  /** Its unit is archived: another one of the same name is not the one whose work stands there. */
  readonly isArchived?: boolean;
}

/** @throws GaiaError for what is no unit's name */
export function checkoutFolder(store: Pick<LaneStore, "folder">, unit: string): UnitPlace {
  const place = unitPlaceOf(store.folder, unit);
  if (place === null) throw failed(`${unit} names no unit.`);
  return place;
}

export async function readNote(path: string): Promise<UnitNote | null> {
  const text = await readText(path);
  const { project, tip, isReady, isArchived } = recordOf(parseJson(text));
  const [of, at] = [textOf(project), textOf(tip)];
  if (of === undefined || at === undefined) return null;
  return { project: of, tip: at, isReady: isReady === true, isArchived: isArchived === true };
}

export async function keepNote(path: string, note: UnitNote): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(`${path}.new`, JSON.stringify(note));
  await rename(`${path}.new`, path);
}

/**
 * Removes the tree of a unit. Its branch stays; what no branch holds is kept on another one.
 * @returns that other branch; null for none @throws GaiaError where something could not be kept
 */
export async function removeUnitTree(store: LaneStore, unit: string): Promise<string | null> {
  const { branch, folder, note, landing } = checkoutFolder(store, unit);
  const there = { ...store, top: folder, landing };
  // What it has moved aside is someone's.
  await settleLanding(there);
  if (isLanding(there)) throw failed(`Something is landing in ${folder}.`);
  await repairFolder(store.top, folder);
  const kept = existsSync(join(folder, ".git")) ? await keepRest(folder, branch) : null;
  await clearFolder(store, folder);
  await askUsers(store.top, "worktree", "remove", "-f", "-f", folder);
  await rm(note, { force: true });
  // What was moved aside by a landing that nobody knows any more stays.
  await rmdir(dirname(note)).catch(() => undefined);
  return kept;
}

async function keepRest(folder: string, branch: string): Promise<string | null> {
  const { text } = await askUsers(folder, "rev-parse", "--show-toplevel", "HEAD");
  const [top, head = ""] = text.split("\n");
  if (top !== folder) throw failed(`${folder} is no worktree any more: look what is in it.`);
  const index = join(dirname(folder), `.index-${process.pid}`);
  const place: GitPlace = { folder, settings: "user", env: { GIT_INDEX_FILE: index } };
  try {
    await git(place, ["read-tree", "HEAD"]);
    // What they do not check out is not deleted.
    const known = nulRows((await askUsers(folder, "ls-files", "-z", "-t")).text);
    const absent = known.flatMap((row) =>
      row.startsWith("S ") && !existsSync(join(folder, row.slice(2))) ? row.slice(2) : [],
    );
    if (absent.length > 0)
      await git(place, ["update-index", "-z", "--skip-worktree", "--stdin"], absent.join("\0"));
    const added = await askLaneGit(place, ["-c", "core.sparseCheckout=false", "add", "-A", "--", "."]);
    const [, fresh] = /'([^]+)\/' does not have a commit checked out/u.exec(added.words) ?? [];
    if (fresh !== undefined)
      throw failed(`${join(folder, fresh)} is a repository without a commit: take it out.`);
    if (added.code !== 0) throw failed(`git does not take what is in ${folder}: ${added.words}`);
    for (const inner of await innerOf(place))
      if (await holdsItsOwn(inner))
        throw failed(`${inner} is a repository with work of its own: take it out.`);
    const tree = await git(place, ["write-tree"]);
    const isWhole = tree === (await git(place, ["rev-parse", "HEAD^{tree}"]));
    const isNamed = (await askUsers(folder, "symbolic-ref", "-q", "HEAD")).code === 0;
    if (isWhole && isNamed) return null;
    const commit = isWhole
      ? head
      : await git(place, ["commit-tree", tree, "-p", "HEAD", "-m", `What ${branch} left uncommitted`]);
    for (let name = `${branch}-left`; ; name += "+") {
      const made = await askUsers(folder, "update-ref", `refs/heads/${name}`, commit, "");
      if (made.code === 0) return name;
      if (name.length > branch.length + 20) throw failed(`git keeps nothing of ${folder}: ${made.words}`);
    }
  } finally {
    await rm(index, { force: true });
  }
}

async function innerOf(place: GitPlace): Promise<string[]> {
  const paths = (await modulesOf(place)).map(({ path }) => join(place.folder, path));
  return paths.filter((path) => existsSync(join(path, ".git")));
}

/** Whether a repository holds files or commits that are nowhere else, as far as git knows: it goes away with its folder. */
async function holdsItsOwn(folder: string): Promise<boolean> {
  const status = await askUsers(folder, "status", "--porcelain");
  const ahead = await askUsers(folder, "rev-list", "-1", "HEAD", "--all", "--not", "--remotes");
  if (status.code !== 0 || ahead.code !== 0 || status.text + ahead.text !== "") return true;
  for (const inner of await innerOf({ folder })) if (await holdsItsOwn(inner)) return true;
  return false;
}
