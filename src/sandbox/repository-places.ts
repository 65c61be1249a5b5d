import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { existingPaths, placeAt } from "./hidden-places.ts";
import { isWithin } from "./profile.ts";

/** What of a project's repository is written, kept in its place, and read-only. */
export interface RepositoryPlaces {
  readonly writable: readonly string[];
  readonly pinned: readonly string[];
  readonly readOnly: readonly string[];
  /** What decides what git runs, whether it is there or not. */
  readonly guarded: readonly string[];
}

/** Of a git directory: what names programs, or another directory in which such names stand. */
const GIT_SETTINGS = ["config", "config.worktree", "hooks", "modules", "commondir", "gitdir"];

/**
 * The places of the repository at a folder: its history is written, its settings and hooks are not, wherever it is kept (a
 * linked worktree and a submodule have it elsewhere).
 */
export function findRepositoryPlaces(project: string): RepositoryPlaces {
  const places = [gitPlaces(project), jjPlaces(project)];
  return {
    writable: places.flatMap(({ writable }) => writable),
    pinned: places.flatMap(({ pinned }) => pinned),
    readOnly: existingPaths(places.flatMap(({ readOnly }) => readOnly)),
    guarded: places.flatMap(({ guarded }) => guarded),
  };
}

/** The file in which git keeps what it tracks of a project; null where there is no repository. */
export function indexOf(project: string): string | null {
  const entry = placeAt(join(project, ".git"));
  if (entry === null) return null;
  return join(entry.isFolder ? entry.path : resolve(project, textOf(entry.path, /^gitdir: (.*)/u)), "index");
}

const NONE: RepositoryPlaces = { writable: [], pinned: [], readOnly: [], guarded: [] };

function gitPlaces(project: string): RepositoryPlaces {
  const entry = placeAt(join(project, ".git"));
  if (entry === null) return NONE;
  if (entry.isFolder) {
    const named = namedBy(join(entry.path, "config"), project);
    const settings = [...GIT_SETTINGS.map((name) => join(entry.path, name)), ...named];
    const worktrees = foldersIn(join(entry.path, "worktrees"));
    return { writable: [], pinned: [entry.path], readOnly: [...settings, ...worktrees], guarded: settings };
  }
  const directory = placeAt(resolve(project, textOf(entry.path, /^gitdir: (.*)/u)))?.path;
  if (directory === undefined) return { ...NONE, readOnly: [entry.path] };
  const common =
    placeAt(resolve(directory, textOf(join(directory, "commondir"), /(.*)/u)))?.path ?? directory;
  const others = foldersIn(join(common, "worktrees")).filter((path) => path !== directory);
  const settings = [
    ...[directory, common].flatMap((folder) => GIT_SETTINGS.map((name) => join(folder, name))),
    ...namedBy(join(common, "config"), project),
  ];
  return {
    writable: [...new Set([common, directory])],
    pinned: [],
    readOnly: [entry.path, ...settings, ...others],
    guarded: settings,
  };
}

/** What a repository's settings name in the project: further settings, which stand beside them, and a folder of hooks. */
function namedBy(config: string, project: string): string[] {
  return allOf(config, /^\s*(hookspath|path)\s*=\s*"?([^"\n]+)/gim)
    .map(([, name = "", path = ""]) => resolve(/^h/iu.test(name) ? project : dirname(config), path.trim()))
    .filter((path) => path !== project && isWithin(path, project));
}

function jjPlaces(project: string): RepositoryPlaces {
  const folder = placeAt(join(project, ".jj"));
  const entry = placeAt(join(project, ".jj", "repo"));
  if (folder === null || entry === null) return NONE;
  const repository = entry.isFolder
    ? entry.path
    : placeAt(resolve(folder.path, textOf(entry.path, /(.*)/u)))?.path;
  if (repository === undefined) return { ...NONE, pinned: [folder.path] };
  const store = join(repository, "store", "git");
  const settings = [join(repository, "config.toml"), ...GIT_SETTINGS.map((name) => join(store, name))];
  return {
    writable: entry.isFolder ? [] : [repository],
    pinned: [folder.path],
    readOnly: entry.isFolder ? settings : [entry.path, ...settings],
    guarded: settings,
  };
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap((name) => placeAt(join(folder, name))?.path ?? []);
  } catch {
    return []; // There are none.
  }
}

function textOf(file: string, pattern: RegExp): string {
  return pattern.exec(contentOf(file))?.[1]?.trim() ?? "";
}

function allOf(file: string, pattern: RegExp): RegExpExecArray[] {
  return [...contentOf(file).matchAll(pattern)];
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
