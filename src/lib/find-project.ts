import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";

const FOLDER = ".gaia";

/**
 * The folder of the project that one is in: the nearest with a `.gaia` from `directory` up to the repository's root, so that a
 * package with its own is a project of its own. Without any it is `directory` itself.
 * @param top the repository's root; outside of a repository `directory`
 */
export function findProject(directory: string, top: string): string {
  const start = isInFolder(directory, top) ? directory : realOf(directory);
  // Outside of it, however one gets there, only the folder itself counts.
  if (!isInFolder(start, top)) return directory;
  for (let folder = start; ; folder = dirname(folder)) {
    if (hasRecord(folder)) return folder;
    if (relative(top, folder) === "" || dirname(folder) === folder) return directory;
  }
}

/** The root of the repository around a folder; the folder itself where there is none. */
export function repositoryRoot(directory: string): string {
  for (let folder = directory; dirname(folder) !== folder; folder = dirname(folder)) {
    if ([".git", ".jj"].some((name) => existsSync(join(folder, name)))) return folder;
  }
  return directory;
}

function hasRecord(folder: string): boolean {
  return statSync(join(folder, FOLDER), { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Whether a folder is another one or lies in it, as they are written. */
export function isInFolder(folder: string, top: string): boolean {
  return pathBelow(top, folder) !== null;
}

/** The path from a folder to what it is or holds, as they are written, with `/` between names; null for what lies elsewhere. */
export function pathBelow(top: string, path: string): string | null {
  const below = relative(top, path).replaceAll("\\", "/");
  return below === ".." || below.startsWith("../") || isAbsolute(below) ? null : below;
}

/** A path as it really is; where there is nothing, as it stands. */
export function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
