import { execFile } from "node:child_process";
import { type Dirent, lstatSync, readlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { isHookPath, isProtectedPath } from "../policy/protected-path.ts";
import { isSensitivePath } from "../policy/sensitive-path.ts";
import { placeAt } from "./hidden-places.ts";
import { findPipes } from "./pipes.ts";
import { isWithin } from "./profile.ts";

/** What a search of a project found, by real path. */
export interface ProjectFinds {
  /** Settings and agents, which only the user changes. */
  readonly protectedPaths: readonly string[];
  /** Files with secrets that git does not know. */
  readonly secrets: readonly string[];
  /** Folders with a repository of their own. */
  readonly repositories: readonly string[];
  /** Named pipes of this machine's that a program has open. */
  readonly pipes: readonly string[];
}

/** Entries that a search looks at; those near the top come first. */
const MAX_ENTRIES = 6_000;
const MAX_DEPTH = 6;
const MAX_FOUND = 200;
const GIT_MS = 2_000;
/** What is installed or built, and what tests use as if it were secret. */
const SKIPPED =
  /^(?:\.git|\.jj|\.hg|node_modules|bower_components|target|dist|build|out|\.venv|venv|\.tox|\.next|\.nuxt|\.cache|coverage|vendor|tests?|__tests__|specs?|fixtures|testdata)$/u;

/**
 * Names at a project's root that only a person makes. With a HEAD the folder itself can pass for a repository, whose settings
 * git would follow once `.git` is broken.
 */
const GUARDED = [
  "HEAD",
  "opencode.json",
  "opencode.jsonc",
  ".opencode",
  "tui.json",
  "tui.jsonc",
  "agency.json",
  ".agency",
  ".gaia/config.jsonc",
  ".gaia/config.json",
  ".gaia/agents",
  ".gaia/knowledge",
  ".gaia/findings.md",
  ".gaia/learnings.md",
];

/** Files of managers of hooks: git runs what they say once the user has set one up. */
const HOOKS = ["yml", "yaml", "toml", "json"].flatMap((ending) =>
  ["lefthook", ".lefthook"].map((name) => `${name}.${ending}`),
);
const MANAGERS = [...HOOKS, ".husky", ".githooks", ".pre-commit-config.yaml", ".overcommit.yml"];

/** What lefthook reads beside its file, which is there. */
function besideHooks(project: string): string[] {
  const isUsed = HOOKS.some((name) => placeAt(join(project, name)) !== null);
  return isUsed ? HOOKS.map((name) => join(project, name.replace(/\.(?=\w+$)/u, "-local."))) : [];
}

/** The paths in a project that only the user makes, whether they are there or not. */
export function guardedPaths(project: string): string[] {
  return [...GUARDED.map((name) => join(project, name)), ...besideHooks(project)];
}

/** What a command does not change at a project's root where it is there, and may make where it is not. */
export function besideGuarded(project: string): string[] {
  return [...MANAGERS, ".gaia"].map((name) => join(project, name));
}

/**
 * Searches a project for what is protected and for secrets, the upper folders first; bounded, so that in a huge project
 * what lies deep is not found.
 * @param allow the user's `policy.allowSensitive`
 */
export async function searchProject(project: string, allow: readonly string[] = []): Promise<ProjectFinds> {
  const protectedPaths: string[] = [];
  const secrets: string[] = [];
  const repositories: string[] = [];
  let left = MAX_ENTRIES;
  let level = [project];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0 && left > 0; depth++) {
    const found = await entriesOf(level, left);
    left -= found.length;
    level = [];
    for (const { path, entry } of found) {
      const inside = path.slice(project.length);
      const isRepository = /^\.(?:git|jj)$/u.test(entry.name);
      if (isRepository && depth > 0) repositories.push(dirname(path));
      const isSecret = !entry.isDirectory() && isSensitivePath(inside, allow);
      if (isSecret && placeAt(path)?.isFolder === false) secrets.push(path);
      if (isRepository || entry.isSymbolicLink()) continue;
      if (isProtectedPath(inside) || isHookPath(inside)) protectedPaths.push(path);
      else if (entry.isDirectory() && !SKIPPED.test(entry.name)) level.push(path);
    }
  }
  return {
    protectedPaths: protectedPaths.slice(0, MAX_FOUND),
    secrets: await untracked(project, secrets.slice(0, MAX_FOUND)),
    repositories: repositories.slice(0, MAX_FOUND),
    pipes: await findPipes(project),
  };
}

/** What lies in these folders, up to a number. */
async function entriesOf(
  folders: readonly string[],
  most: number,
): Promise<{ readonly path: string; readonly entry: Dirent }[]> {
  const found: { path: string; entry: Dirent }[] = [];
  for (const folder of folders) {
    // One folder after the other, so that the bound holds.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    found.push(...entries.map((entry) => ({ path: join(folder, entry.name), entry })));
    if (found.length >= most) break;
  }
  return found.slice(0, most);
}

/** What git knows stays as it is: an empty file in its place would be committed, and its history shows it anyway. */
async function untracked(project: string, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const names = paths.map((path) => relative(project, path));
  const known = await new Promise<string>((done) => {
    const args = ["-c", "core.fsmonitor=false", "ls-files", "-z", "--", ...names];
    execFile("git", args, { cwd: project, timeout: GIT_MS }, (_error, text) => {
      done(text);
    });
  });
  const tracked = new Set(known.split("\0"));
  return paths.filter((_, index) => !tracked.has(names[index] ?? ""));
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

/** What stands at paths that cannot be protected beforehand: nothing, or a link. */
export type Standing = ReadonlyMap<string, string>;

/**
 * Takes down which of these paths are absent or links now: bubblewrap can put nothing there without leaving it behind. Their
 * folders come before them: one that becomes a link would lead elsewhere.
 */
export function standingOf(paths: readonly string[], project: string): Standing {
  const all = [...new Set([...foldersAround(paths, [project]), ...paths])];
  const listed = new Set(paths);
  return new Map(
    all.flatMap((path) => {
      const before = describe(path);
      return before === "there" && listed.has(path)
        ? []
        : [[path, listed.has(path) ? before : FOLDER + before]];
    }),
  );
}

/** Marks a folder, which may come and go as long as it does not become a link. */
const FOLDER = "folder ";

/** Whether there is now what was not there before, or leads elsewhere. */
export function hasChanged([path, before]: readonly [path: string, before: string]): boolean {
  const now = describe(path);
  if (!before.startsWith(FOLDER)) return now !== before;
  return now.startsWith("link") && FOLDER + now !== before;
}

function describe(path: string): string {
  try {
    return lstatSync(path).isSymbolicLink() ? `link to ${readlinkSync(path)}` : "there";
  } catch {
    return "absent";
  }
}
