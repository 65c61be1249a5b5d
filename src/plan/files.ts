import { posix } from "node:path";
import { matchesPattern, patternsMeet } from "../lib/path-pattern.ts";
import { TEST_PATH } from "../lib/test-path.ts";
import type { PlanTask } from "./task.ts";

/** Longer ones, two together, are no paths that anyone means. */
const MAX_COMPARED = 600;

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
export function commonPaths(
  { files = [] }: Pick<PlanTask, "files">,
  { files: others = [] }: Pick<PlanTask, "files">,
): string[] {
  const theirs = others.map(placeOf);
  return files.map(placeOf).flatMap((path) => {
    const found = theirs.find((other) => meet(path, other));
    // The narrower of both is what they meet at.
    return found === undefined ? [] : [isNarrower(path, found) ? path : found];
  });
}

/** "**" for the whole project. */
function placeOf(file: string): string {
  return normalisePath(file) || "**";
}

function meet(one: string, other: string): boolean {
  if (one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`)) return true;
  if (!isPattern(one) && !isPattern(other)) return false;
  if (one.length + other.length > MAX_COMPARED) return false;
  return patternsMeet(one, other) || patternsMeet(`${one}/**`, other) || patternsMeet(one, `${other}/**`);
}

function isNarrower(path: string, other: string): boolean {
  if (isPattern(path) !== isPattern(other)) return isPattern(other);
  return path.startsWith(other) || (isPattern(other) && other.includes("**"));
}

export function isPattern(path: string): boolean {
  return ["*", "?", "[", "{"].some((sign) => path.includes(sign));
}
