import { posix } from "node:path";
import { matchesPattern, patternsMeet } from "../lib/path-pattern.ts";
import { TEST_PATH } from "../lib/test-path.ts";
import type { PlanTask } from "./task.ts";

const MAX_COMPARED = 600;
const GLOB_COST = 10;
/** Of all comparisons of one plan together: about a tenth of a second. A plan in a repository is from anyone. */
const MAX_COST = 2_000_000;
/** What `{a,b}` multiplies is bounded by this (`lib/path-pattern.ts`). */
const MAX_BRACES = 64;

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
  return /[*?[{]/u.test(path);
}

/** An absolute path, one of Windows, or one that leads out of the project: not seen to be another task's file as well. */
export function isOutside(path: string): boolean {
  return /^(?:[/\\~]|\.\.[/\\]|.:)/u.test(path);
}

type Named = Pick<PlanTask, "files">;
interface Place {
  readonly path: string;
  /** How all begins that lies in it, and that it matches. */
  readonly within: string;
  readonly start: string;
  readonly isGlob: boolean;
  /** What it costs to compare: its length, for each glob that its braces may stand for. */
  readonly cost: number;
}

/** Compares the tasks of one plan. When that has cost too much, all further ones count as having files in common. */
export function createCommonPaths() {
  let left = MAX_COST;
  const known = new Map<readonly string[], readonly Place[]>();
  const placesOf = (files: readonly string[]): readonly Place[] => {
    const places = known.get(files) ?? files.map(placeOf);
    known.set(files, places);
    return places;
  };
  const meets = (one: Place, other: Place): boolean => {
    left -= 1;
    const [a, b] = [one.path, other.path];
    if (a === b || a.startsWith(other.within) || b.startsWith(one.within)) return true;
    if (!(one.isGlob || other.isGlob) || a.length + b.length > MAX_COMPARED) return false;
    if (!one.start.startsWith(other.start) && !other.start.startsWith(one.start)) return false;
    left -= GLOB_COST * one.cost * other.cost;
    return left < 0 || patternsMeet(a, b) || patternsMeet(`${a}/**`, b) || patternsMeet(a, `${b}/**`);
  };
  /** What two tasks have in common, where one may name a folder or a glob. */
  return ({ files = [] }: Named, { files: others = [] }: Named): string[] => {
    if (left < 0) return others.length > 0 ? files.slice(0, 1) : [];
    return placesOf(files).flatMap((place) => {
      const found = placesOf(others).find((other) => meets(place, other));
      return found === undefined ? [] : [isNarrower(place, found) ? place.path : found.path];
    });
  };
}

function placeOf(file: string): Place {
  const path = normalisePath(file) || "**";
  const isGlob = isPattern(path);
  const start = isGlob ? path.slice(0, path.search(/[*?[{]/u)) : path;
  const cost = path.length * Math.min(MAX_BRACES, 2 ** (path.split(",").length - 1));
  return { path, within: `${path}/`, start, isGlob, cost };
}

function isNarrower(one: Place, other: Place): boolean {
  if (one.isGlob !== other.isGlob) return other.isGlob;
  return one.path.startsWith(other.path) || (other.isGlob && other.path.includes("**"));
}
