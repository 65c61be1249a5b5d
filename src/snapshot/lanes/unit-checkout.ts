import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { bring } from "./bring.ts";
import { ownFolder } from "./lane.ts";
import { askLaneGit, askUsers, failed } from "./run-git.ts";
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
export async function repairFolder(top: string, folder: string): Promise<boolean> {
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

/** Hooks that lie in ignored files, as husky's do, come along: git leaves out what is not there without a word. */
export async function bringHooks(top: string, folder: string): Promise<void> {
  const { text } = await askUsers(top, "config", "--type=path", "--get-all", "core.hooksPath");
  // The last is what this very command was given.
  const path = text.split("\n").at(-2) ?? "";
  if (path !== "" && !isAbsolute(path))
    await bring(top, folder, { globs: [path], below: "", isPrivate: () => false });
}

export interface UnitNote {
  /** The project that the unit belongs to: a repository may hold several. */
  readonly project: string;
  /** The branch's commit when it was last looked at. */
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
