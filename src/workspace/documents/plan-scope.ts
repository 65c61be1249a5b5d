import { withoutComments } from "../../lib/without-comments.ts";
import { matchesPattern } from "../../lib/path-pattern.ts";

/** What a plan allows to be changed. */
export interface PlanScope {
  /** Files, folders and globs as the plan names them, relative to the project. */
  paths: readonly string[];
  /** Whether the plan is exact enough to hold an edit against it: it names at least one file by path. */
  guards: boolean;
}

const MAX_PLAN_CHARACTERS = 200_000;
const MAX_PATHS = 500;
const PATH = /^[\w.@~+$*?{},[\]()-]+(\/[\w.@~+$*?{},[\]()-]+)*$/;
const FILE_NAME = /[\w*}\])]\.[a-z][a-z\d]{0,7}$/i;
const ABBREVIATIONS = new Set(["e.g", "i.e", "etc", "vs"]);

/**
 * Finds the files that a plan names: in code spans, and bare words that look like paths. Generous on purpose,
 * because a warning about a file that the plan does mean costs more trust than a missed one.
 */
export function readPlanScope(plan: string): PlanScope {
  // What stands in a comment explains the form of a plan, and is not the plan.
  const text = withoutComments(plan.slice(0, MAX_PLAN_CHARACTERS));
  const spans = [...text.matchAll(/`([^`\n]+)`/g)]
    // A comma inside braces belongs to the glob.
    .flatMap((span) => (span[1] ?? "").split(/\s+|,(?![^{]*\})/))
    .map(normalisePath)
    .filter((word) => isPath(word) && (word.includes("/") || FILE_NAME.test(word)));
  const words = text
    .split(/[\s`"'()[\]<>,;|=]+/)
    .map((word) => word.replace(/^[a-z]+:(?!\/\/)/i, ""))
    // Bare words with a slash may be prose, such as and/or: only a file name or a trailing slash makes a path.
    .filter((word) => /\w\/$/.test(word) || FILE_NAME.test(normalisePath(word)))
    .map(normalisePath)
    .filter(isPath);
  const paths = [...new Set([...spans, ...words])].slice(0, MAX_PATHS);
  return { paths, guards: paths.some((path) => path.includes("/")) || spans.length > 0 };
}

/** Whether the plan names this file, a folder around it, a glob over it, or the file that it tests. */
export function isNamed(scope: PlanScope, path: string): boolean {
  return scope.paths.some((named) => names(named, path) || isTestOf(path, named));
}

/** A path as the guard compares it: relative, forward slashes, without a line number or the end of a sentence. */
export function normalisePath(path: string): string {
  return path
    .trim()
    .replaceAll("\\", "/")
    .replace(/^(\.\/)+/, "")
    .replace(/[.:!?]+$/, "")
    .replace(/:\d+(-\d+)?$/, "")
    .replace(/\/+$/, "");
}

function names(named: string, path: string): boolean {
  if (/[*?{]/.test(named)) return matchesPattern(path, named);
  if (path === named || path.startsWith(`${named}/`)) return true;
  // A plan often shortens `src/api/server.ts` to `api/server.ts` or `server.ts`.
  return path.endsWith(`/${named}`);
}

function isTestOf(path: string, named: string): boolean {
  const stem = stemOf(path);
  const tested = stem.replace(/^test[_-]|[._-]?(test|spec)s?$/gi, "");
  return tested !== "" && tested !== stem && tested === stemOf(named);
}

function stemOf(path: string): string {
  return (path.split("/").at(-1) ?? "").replace(/\.[^.]+$/, "");
}

function isPath(word: string): boolean {
  if (word.length > 200 || word.includes("://") || word.startsWith("/")) return false;
  if (/^[\d.]+$/.test(word) || ABBREVIATIONS.has(word.toLowerCase())) return false;
  return PATH.test(word) && /[a-z*]/i.test(word);
}
