import { type Dirent, lstatSync, readlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { isInFolder, realOf } from "../lib/folders.ts";
import { namedConfig } from "../policy/policy.ts";
import { isHookPath, isProtectedPath } from "../policy/protected-path.ts";
import { pathFoldersIn, realPathOf } from "../policy/real-path.ts";
import { isSensitivePath } from "../policy/sensitive-path.ts";
import { askGitFacts } from "./ask-git.ts";
import { placeAt, words } from "./hidden-places.ts";
import { isWithin } from "./profile.ts";
import { isBareRepository, repositoryPaths } from "./repository-places.ts";
import { findPipes } from "./sockets.ts";

export type ProjectFinds = Awaited<ReturnType<typeof searchProject>>;

/** Entries that a search looks at; those near the top come first. */
const MAX_ENTRIES = 20_000;
const MAX_LATE_ENTRIES = 5_000;
const MAX_FOUND = 200;
/** What is installed and what is built: searched behind all else, for repositories, and what is built for secrets too. */
const INSTALLED = new Set(words("node_modules bower_components .venv venv .tox .hg"));
const BUILT = new Set(words("target dist build out .next .nuxt .cache coverage"));
const REPOSITORIES = new Set([".git", ".jj"]);
/** Folders whose files only look secret. */
const SAMPLES = new Set(words("vendor test tests __tests__ spec specs fixtures testdata"));

/** Files of managers of hooks: git runs what they say once the user has set one up. */
const LEFTHOOK = ["yml", "yaml", "toml", "json"].flatMap((ending) =>
  ["lefthook", ".lefthook", "lefthook-local", ".lefthook-local"].map((name) => `${name}.${ending}`),
);

/**
 * Names at a project's root that only a person makes. With a HEAD the folder itself can pass for a repository. `.gaia`
 * is read-only as a whole where it exists; the host may make it while a command runs.
 */
const GUARDED = [
  ...words(`
    .git .jj HEAD opencode.json opencode.jsonc .opencode tui.json tui.jsonc agency.json .agency
    .gaia/config.jsonc .gaia/config.json .gaia/agents .gaia/knowledge .gaia/findings.md .gaia/learnings.md
    .husky .githooks .pre-commit-config.yaml .overcommit.yml`),
  ...LEFTHOOK,
];

/** The paths in a project, or in the folder of it that OpenCode was started in, that only the user makes, there or not. */
export function guardedPaths(project: string): string[] {
  return GUARDED.map((name) => join(project, name));
}

/**
 * The paths below a repository's top, there or not and relative to it, out of which OpenCode runs programs and reads settings:
 * folders of PATH, the configuration that its environment names, and that of each folder from the one where it was started up to
 * the top.
 */
export function hostPlaces(
  env: NodeJS.ProcessEnv,
  { worktree, directory }: { readonly worktree: string; readonly directory: string },
): string[] {
  const top = realOf(worktree);
  const named = namedConfig(env).map((path) => realPathOf(path));
  const below = named.filter((path) => path !== top && isInFolder(path, top));
  const parts = relative(top, realOf(directory)).split(sep).filter(Boolean);
  return [
    ...[...pathFoldersIn(env, [top]), ...below].map((path) => relative(top, path)),
    ...parts.flatMap((_, at) => guardedPaths(parts.slice(0, at + 1).join("/"))),
  ];
}

interface Folder {
  readonly path: string;
  readonly isSample: boolean;
  readonly isLate: boolean;
}

interface Found {
  readonly readOnly: string[];
  readonly secrets: string[];
}

export interface PlaceSearch {
  readonly project: string;
  /** The user's `policy.allowSensitive`. */
  readonly allow: readonly string[];
  /** Whether a command of ours made a repository: it may go on with it. */
  isOwn(path: string): boolean;
}

/**
 * Searches a project for guards, nested repositories and secrets, the upper folders first; bounded, so that in a huge
 * project what lies deep is not found.
 */
export async function searchProject(search: PlaceSearch) {
  const { project } = search;
  const asked = askGitFacts(project);
  const pipes = findPipes(project);
  const found: Found = { readOnly: [], secrets: [] };
  const early: Folder[] = [{ path: project, isSample: false, isLate: false }];
  const late: Folder[] = [];
  /** Folders join the end of the list while it is gone through: the upper ones come first. */
  const searchAll = async (folders: readonly Folder[], entriesLeft: number): Promise<void> => {
    let left = entriesLeft;
    for (const folder of folders) {
      if (left <= 0) return;
      const entries = await readdir(folder.path, { withFileTypes: true }).catch((): Dirent[] => []);
      left -= entries.length;
      if (folder.path !== project && !searchRepository(folder.path, entries, search, found)) continue;
      for (const each of searchFolder(folder, entries, search, found))
        (each.isLate ? late : early).push(each);
    }
  };
  await searchAll(early, MAX_ENTRIES);
  await searchAll(late, MAX_LATE_ENTRIES);
  const { submodules, tracked, settings } = await asked;
  return {
    /** Guards that lie deeper down, and directories of nested repositories. */
    readOnly: found.readOnly.slice(0, MAX_FOUND),
    /** What git is told to follow in the tree (submodules, hooks, included settings), whether it is there or not. */
    guarded: [...submodules.map((path) => join(path, ".git")), ...settings],
    // Files with secrets. What git knows stays as it is: an empty file in its place would be committed, and its history shows it anyway.
    secrets: found.secrets.slice(0, MAX_FOUND).filter((path) => !tracked.has(path)),
    /** Named pipes of this machine's that a program has open. */
    pipes: await pipes,
  };
}

/** @returns whether to search the folder further: a bare repository is read-only as a whole */
function searchRepository(
  folder: string,
  entries: readonly Dirent[],
  { isOwn }: PlaceSearch,
  { readOnly }: Found,
): boolean {
  const names = new Set(entries.map(({ name }) => name));
  const isBare = isBareRepository(names);
  const mark = isBare ? "HEAD" : [...REPOSITORIES].find((name) => names.has(name));
  if (mark !== undefined && !isOwn(join(folder, mark)))
    readOnly.push(...(isBare ? [folder] : repositoryPaths(folder)));
  return !isBare;
}

/** @returns the folders in it that are searched next */
function searchFolder(
  folder: Folder,
  entries: readonly Dirent[],
  { project, allow }: PlaceSearch,
  { readOnly, secrets }: Found,
): Folder[] {
  const next: Folder[] = [];
  for (const entry of entries) {
    const path = join(folder.path, entry.name);
    const inside = path.slice(project.length);
    const isFolder = entry.isDirectory();
    const isSecret = !isFolder && !folder.isSample && isSensitivePath(inside, allow);
    if (isSecret && placeAt(path)?.isFolder === false) secrets.push(path);
    if (REPOSITORIES.has(entry.name) || entry.isSymbolicLink()) continue;
    const isInstalled = INSTALLED.has(entry.name);
    const isLate = folder.isLate || isInstalled || BUILT.has(entry.name);
    const isSample = folder.isSample || isInstalled || SAMPLES.has(entry.name);
    if (!isLate && (isProtectedPath(inside) || isHookPath(inside))) readOnly.push(path);
    else if (isFolder) next.push({ path, isSample, isLate });
  }
  return next;
}

/** The folders between a place and the one in which it may be written: moved away, they would take it with them. */
export function foldersAround(paths: readonly string[], written: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const root = written.findLast((folder) => path !== folder && isWithin(path, folder));
    return root === undefined ? [] : between(path, root);
  });
}

function between(path: string, root: string): string[] {
  const folder = dirname(path);
  return folder === root ? [] : [...between(folder, root), folder];
}

/** What stands at a path that cannot be protected beforehand: nothing, or a link. */
export interface StandingPlace {
  readonly path: string;
  readonly before: string;
  /** A folder around one: it may come and go as long as it does not become a link, which would lead elsewhere. */
  readonly isAround: boolean;
}

/** Takes down what stands at paths now: bubblewrap can put nothing where there is nothing without leaving it behind. */
export function standingPlaces(paths: readonly string[], project: string): StandingPlace[] {
  const listed = new Set(paths);
  const around = new Set(foldersAround(paths, [project]).filter((path) => !listed.has(path)));
  // A folder that became a link is set aside before what it leads to.
  return [...around, ...listed].map((path) => ({
    path,
    before: describe(path),
    isAround: around.has(path),
  }));
}

/** Whether there is now what was not there before, or leads elsewhere. */
export function hasChanged({ path, before, isAround }: StandingPlace): boolean {
  const now = describe(path);
  return now !== before && now !== "absent" && (!isAround || now !== "there");
}

function describe(path: string): string {
  try {
    return lstatSync(path).isSymbolicLink() ? `link to ${readlinkSync(path)}` : "there";
  } catch {
    return "absent";
  }
}
