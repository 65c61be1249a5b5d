import { posix } from "node:path";
import { matchesParsed, matchesPattern, parsePattern, type PatternStep } from "../lib/path-pattern.ts";
import { TEST_PATH } from "../lib/test-path.ts";
import type { PlanTask } from "./task.ts";

const GLOB = /[*?{]/u;
/** Characters that are compared with globs for one plan, which may be from anyone: about a tenth of a second. */
const MAX_COST = 20_000_000;

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
  /** How all ends that it matches. */
  readonly end: string;
  /** What a glob and the paths around it stand for; null for a plain path. */
  readonly glob: readonly PatternStep[][] | null;
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
  const fits = ({ path }: Place, { start, glob }: Place): boolean => {
    if (glob === null || !(path.startsWith(start) || start.startsWith(path))) return false;
    left -= path.length * glob.flat().length;
    return left < 0 || matchesParsed(path, glob);
  };
  const meets = (one: Place, other: Place): boolean => {
    left -= 1;
    const [a, b] = [one.path, other.path];
    if (a === b || a.startsWith(other.within) || b.startsWith(one.within)) return true;
    // Two globs that begin and end alike may stand for the same file.
    if (one.glob !== null && other.glob !== null)
      return (
        (one.start.startsWith(other.start) || other.start.startsWith(one.start)) &&
        (one.end.endsWith(other.end) || other.end.endsWith(one.end))
      );
    return fits(one, other) || fits(other, one);
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
  const [start = path, end = path] = isPattern(path)
    ? [path.split(GLOB)[0], path.split(/[*?}]/u).at(-1)]
    : [];
  return { path, within: `${path}/`, start, end, glob: isPattern(path) ? aroundGlob(path) : null };
}

/** A glob with the folders on its way and all that lies below: a plain path may be each of them. */
function aroundGlob(path: string): PatternStep[][] {
  const on = (parsePattern(path, true) ?? []).flatMap((steps) =>
    steps.map((_, at) => steps.slice(0, at + 1)),
  );
  return [...on, ...(parsePattern(`${path}/**`, true) ?? [])];
}

function isNarrower(one: Place, other: Place): boolean {
  if ((one.glob === null) !== (other.glob === null)) return one.glob === null;
  return one.path.startsWith(other.path) || (other.glob !== null && other.path.includes("**"));
}
