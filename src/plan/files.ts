import { posix } from "node:path";
import { matchesPattern } from "../lib/path-pattern.ts";
import type { PlanTask } from "./task.ts";

/** Paths of tests, what they are held against, and what they share, by the customs of most languages. */
export const TEST_PATH =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|cypress|testdata|fixtures|__snapshots__|__mocks__)\/|[._-](?:test|spec|cy|e2e|snap)s?(?:\.|$)|(?:^|\/)test_|Tests?\.(?:java|kt|cs|swift|php)$/iu;

const GLOB = /[*?[{]/u;
/** More paths than this in one plan are not compared. A plan in a repository is from anyone. */
const MAX_PATHS = 2_000;

/** A path as it is compared with others: relative, with forward slashes, empty for the project itself. */
export function normalisePath(path: string): string {
  const bare = posix.normalize(path.trim().replaceAll("\\", "/")).replace(/\/$/u, "");
  return bare === "." ? "" : bare;
}

/** Whether one of these paths, folders or globs of a plan is that file, one around it, or what it tests. */
export function isNamed(planned: readonly string[], path: string): boolean {
  return planned.map(normalisePath).some((named) => {
    if (named === path || named === "" || path.startsWith(`${named}/`)) return true;
    if (isPattern(named) && matchesPattern(path, named)) return true;
    return TEST_PATH.test(path) && stemOf(path) === stemOf(named);
  });
}

function stemOf(path: string): string {
  const words = posix.basename(path, posix.extname(path)).toLowerCase().split(/[._-]/u);
  return words.filter((word) => !["test", "tests", "spec", "specs"].includes(word)).join("-");
}

export function isPattern(path: string): boolean {
  return GLOB.test(path);
}

type Named = Pick<PlanTask, "files">;

/**
 * Whether two tasks of a plan may touch the same file, by the files, folders and globs that they name. A glob stands for all
 * paths that begin as it does, and more paths than can be compared for any file: such tasks come one after another.
 */
export function createOverlap(tasks: readonly Named[]): (one: Named, other: Named) => boolean {
  const starts = new Map(tasks.map((task) => [task, (task.files ?? []).map(startOf)]));
  const isTooMany = [...starts.values()].reduce((sum, { length }) => sum + length, 0) > MAX_PATHS;
  return (one, other) => {
    const others = starts.get(other) ?? [];
    const isShared = (start: string): boolean =>
      others.some((each) => each.startsWith(start) || start.startsWith(each));
    return isTooMany || (starts.get(one) ?? []).some(isShared);
  };
}

function startOf(file: string): string {
  const path = normalisePath(file);
  if (isPattern(path)) return path.slice(0, path.search(GLOB));
  return path === "" ? "" : `${path}/`;
}
