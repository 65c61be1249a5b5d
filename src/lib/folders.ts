import { existsSync, realpathSync, statSync, type Dirent } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { listFolder } from "./read-source.ts";
import { matchesStep, type PatternStep } from "./path-pattern.ts";
import { access, constants, stat, lstat } from "node:fs/promises";
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

/** Folders that a wildcard does not enter; naming one in the pattern does. */
const CLOSED_FOLDERS = new Set(["node_modules", ".git", ".jj"]);

export interface Search {
  /** Folders that may still be read; at 0 nothing more is found. */
  foldersLeft: number;
  readonly signal: AbortSignal;
}

/**
 * What exists below a folder and fits a pattern, as absolute paths: files, folders, and links to something that exists. Links
 * are not followed by wildcards, so that a cycle cannot hold the search. With `**` a path may come more than once.
 */
export async function* findBelow(
  folder: string,
  steps: readonly PatternStep[],
  search: Search,
): AsyncGenerator<string> {
  const [step, ...rest] = steps;
  if (step === undefined) {
    if (await exists(folder)) yield folder;
  } else if (step.kind === "name") {
    yield* findBelow(join(folder, step.name), rest, search);
  } else {
    if (step.kind === "folders") yield* findBelow(folder, rest, search);
    for (const entry of await list(folder, search)) {
      if (!matchesStep(entry.name, step) || CLOSED_FOLDERS.has(entry.name)) continue;
      if (rest.length > 0 && !entry.isDirectory()) continue;
      yield* findBelow(join(folder, entry.name), step.kind === "folders" ? steps : rest, search);
    }
  }
}

async function list(folder: string, search: Search): Promise<Dirent[]> {
  if (search.foldersLeft <= 0 || search.signal.aborted) return [];
  search.foldersLeft -= 1;
  // Not a folder, or not ours to read: nothing is found in it.
  return (await listFolder(folder)) ?? [];
}

export async function exists(path: string): Promise<boolean> {
  return succeeds(stat(path));
}

/** Whether something can be done at all. */
export async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

const ANY_WRITE_BIT = 0o222;

/**
 * Whether a file may be written, by its mode and by whom this is. Replacing a read-only file would work in a folder that is
 * writable, and is still not what its owner wants. @throws Error where there is none
 */
export async function isWritable(path: string): Promise<boolean> {
  const { mode } = await stat(path);
  return (mode & ANY_WRITE_BIT) !== 0 && succeeds(access(path, constants.W_OK));
}

/**
 * What someone means by a path who is in a folder of a project: what is there of that name, from their folder or else from the
 * project's. @returns the path from the project; null where there is nothing of the name
 */
export async function pathIn(project: string, from: string, name: string): Promise<string | null> {
  for (const folder of new Set([from, project])) {
    const path = resolve(folder, name);
    if ((await lstat(path).catch(() => null)) !== null) return relative(project, path);
  }
  return null;
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
