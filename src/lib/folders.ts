import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { homedir } from "node:os";

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

const BASES = {
  config: ["XDG_CONFIG_HOME", ".config"],
  data: ["XDG_DATA_HOME", ".local/share"],
  state: ["XDG_STATE_HOME", ".local/state"],
  cache: ["XDG_CACHE_HOME", ".cache"],
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

export type UserFolder = keyof typeof BASES;

export const USER_FOLDERS = Object.keys(BASES) as readonly UserFolder[];

/**
 * The user's folder of a kind, where OpenCode has it on every platform (XDG Base Directory). An empty or relative value of
 * the environment is ignored, as the specification wants it: it would lie in whatever project is open.
 */
export function userFolder(kind: UserFolder, environment: Environment, home: string = homedir()): string {
  const [variable, usual] = BASES[kind];
  const configured = environment[variable] ?? "";
  return isAbsolute(configured) ? configured : join(home, usual);
}

/** OpenCode's own configuration of the user. */
export function openCodeConfigFolder(environment: Environment, home?: string): string {
  return join(userFolder("config", environment, home), "opencode");
}

/** What this plugin can make again. */
export function ownCacheFolder(environment: Environment, home?: string): string {
  return join(userFolder("cache", environment, home), "opencode-gaia");
}

/** Where this plugin keeps what belongs to the user and to no project. */
export function ownDataFolder(environment: Environment, home?: string): string {
  return join(userFolder("data", environment, home), "opencode-gaia");
}
