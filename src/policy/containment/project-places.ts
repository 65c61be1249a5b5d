import { execFile } from "node:child_process";
import { type Dirent, lstatSync, readlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { isProtectedPath } from "../protected-path.ts";
import { isSensitivePath } from "../sensitive-path.ts";
import { placeAt } from "./hidden-places.ts";

/** What a search of a project found, by real path. */
export interface ProjectFinds {
  /** Settings and agents, which only the user changes. */
  readonly protectedPaths: readonly string[];
  /** Files with secrets that git does not know. */
  readonly secrets: readonly string[];
}

/** Entries that a search looks at; those near the top come first. */
const MAX_ENTRIES = 6_000;
const MAX_DEPTH = 6;
const MAX_FOUND = 200;
const GIT_MS = 2_000;
/** What is installed or built, and what tests use as if it were secret. */
const SKIPPED =
  /^(?:\.git|\.jj|\.hg|node_modules|bower_components|target|dist|build|out|\.venv|venv|\.tox|\.next|\.nuxt|\.cache|coverage|vendor|tests?|__tests__|specs?|fixtures|testdata)$/u;

/** Names at a project's root that only a person makes. */
const GUARDED = [
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
];

/** The paths in a project that only the user makes, whether they are there or not. */
export function guardedPaths(project: string): string[] {
  return GUARDED.map((name) => join(project, name));
}

/** Those of the project's root that are there now: asked for each call, since they are few. */
export function protectedAtRoot(project: string): string[] {
  return [...guardedPaths(project), join(project, ".gaia")].flatMap((path) => placeAt(path)?.path ?? []);
}

/**
 * Searches a project for what is protected and for secrets, the upper folders first; bounded, so that in a huge project
 * what lies deep is not found.
 * @param allow the user's `policy.allowSensitive`
 */
export async function searchProject(project: string, allow: readonly string[] = []): Promise<ProjectFinds> {
  const protectedPaths: string[] = [];
  const secrets: string[] = [];
  let left = MAX_ENTRIES;
  let level = [project];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0 && left > 0; depth++) {
    const found = await entriesOf(level, left);
    left -= found.length;
    level = [];
    for (const { path, entry } of found) {
      const inside = path.slice(project.length);
      if (entry.isSymbolicLink() || /^\.(?:git|jj)$/u.test(entry.name)) continue;
      if (isProtectedPath(inside)) protectedPaths.push(path);
      else if (entry.isDirectory() && !SKIPPED.test(entry.name)) level.push(path);
      else if (entry.isFile() && isSensitivePath(inside, allow)) secrets.push(path);
    }
  }
  return {
    protectedPaths: protectedPaths.slice(0, MAX_FOUND),
    secrets: await untracked(project, secrets.slice(0, MAX_FOUND)),
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

/** What stands at paths that cannot be protected beforehand: nothing, or a link. */
export type Standing = ReadonlyMap<string, string>;

/** Takes down which of these paths are absent or links now: bubblewrap can put nothing there without leaving it behind. */
export function standingOf(paths: readonly string[]): Standing {
  return new Map(
    paths.flatMap((path) => (describe(path) === "there" ? [] : [[path, describe(path)] as const])),
  );
}

/** Which of these paths are there now, or lead elsewhere. */
export function changedSince(standing: Standing): string[] {
  return [...standing].flatMap(([path, before]) => (describe(path) === before ? [] : [path]));
}

function describe(path: string): string {
  try {
    return lstatSync(path).isSymbolicLink() ? `link to ${readlinkSync(path)}` : "there";
  } catch {
    return "absent";
  }
}
