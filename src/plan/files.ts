import { posix } from "node:path";
import { matchesPattern, patternsMeet } from "../lib/path-pattern.ts";
import { TEST_PATH } from "../lib/test-path.ts";
import type { PlanTask } from "./task.ts";

/** Longer ones, two together, are no paths that anyone means. */
const MAX_COMPARED = 600;
/** What two globs cost for each two of their characters, where two plain paths cost one. */
const GLOB_COST = 10;
/** Of all comparisons of one plan together: about a tenth of a second. A plan in a repository is from anyone. */
const MAX_COST = 2_000_000;
/** What `{a,b}` multiplies is bounded by this (`lib/path-pattern.ts`). */
const MAX_BRACES = 64;

/** A path as it is compared with others: relative, with forward slashes, empty for the project itself. */
export function normalisePath(path: string): string {
  const plain = posix.normalize(path.trim().replaceAll("\\", "/"));
  const bare = plain.endsWith("/") ? plain.slice(0, -1) : plain;
  return bare === "." ? "" : bare;
}

/** Whether one of these paths, folders or globs of a plan is that file, one around it, or what it tests. */
export function isNamed(planned: readonly string[], path: string): boolean {
  return planned.map(normalisePath).some((named) => {
    if (named === path || named === "" || path.startsWith(`${named}/`)) return true;
    if (isPattern(named) && matchesPattern(path, named)) return true;
    // The test of a file has its name.
    return TEST_PATH.test(path) && stemOf(path) === stemOf(named);
  });
}

function stemOf(path: string): string {
  const [first = "", ...rest] = posix.basename(path).toLowerCase().split(/[._-]/u);
  const words = [first, ...rest.slice(0, -1)].filter(
    (word) => !["test", "tests", "spec", "specs"].includes(word),
  );
  return words.join("-");
}

/** The files that two tasks have in common: what they meet at, where one names a folder or a glob. */
type CommonPaths = (task: Pick<PlanTask, "files">, other: Pick<PlanTask, "files">) => string[];

/** Compares the tasks of one plan. When that has cost too much, all further ones count as having files in common. */
export function createCommonPaths(): CommonPaths {
  let left = MAX_COST;
  const known = new Map<readonly string[], readonly Place[]>();
  const placesOf = (files: readonly string[]): readonly Place[] => {
    const places = known.get(files) ?? files.map(placeOf);
    known.set(files, places);
    return places;
  };
  const meets = (one: Place, other: Place): boolean => {
    left -= 1;
    if (one.path === other.path || one.path.startsWith(other.below) || other.path.startsWith(one.below))
      return true;
    if (!mayMeet(one, other)) return false;
    left -= GLOB_COST * one.path.length * one.braces * other.path.length * other.braces;
    return left < 0 || globsMeet(one.path, other.path);
  };
  return ({ files = [] }, { files: others = [] }) => {
    if (left < 0) return others.length > 0 ? files.slice(0, 1) : [];
    const theirs = placesOf(others);
    return placesOf(files).flatMap((place) => {
      const found = theirs.find((other) => meets(place, other));
      // The narrower of both is what they meet at.
      return found === undefined ? [] : [isNarrower(place.path, found.path) ? place.path : found.path];
    });
  };
}

interface Place {
  readonly path: string;
  /** How paths below it begin. */
  readonly below: string;
  readonly isGlob: boolean;
  /** How all begins that it matches. */
  readonly start: string;
  /** How many globs its braces stand for, at most. */
  readonly braces: number;
}

/** "**" for the whole project. */
function placeOf(file: string): Place {
  const path = normalisePath(file) || "**";
  const isGlob = isPattern(path);
  return {
    path,
    below: `${path}/`,
    isGlob,
    start: isGlob ? path.slice(0, path.search(/[*?[{]/u)) : path,
    braces: Math.min(MAX_BRACES, 2 ** (path.split(",").length - 1)),
  };
}

function mayMeet(one: Place, other: Place): boolean {
  if (!one.isGlob && !other.isGlob) return false;
  if (one.path.length + other.path.length > MAX_COMPARED) return false;
  return one.start.startsWith(other.start) || other.start.startsWith(one.start);
}

function globsMeet(one: string, other: string): boolean {
  return patternsMeet(one, other) || patternsMeet(`${one}/**`, other) || patternsMeet(one, `${other}/**`);
}

function isNarrower(path: string, other: string): boolean {
  if (isPattern(path) !== isPattern(other)) return isPattern(other);
  return path.startsWith(other) || (isPattern(other) && other.includes("**"));
}

export function isPattern(path: string): boolean {
  return ["*", "?", "[", "{"].some((sign) => path.includes(sign));
}
