import { matchesPattern } from "../../../lib/path-pattern.ts";
import { TEST_PATH } from "../../../lib/test-path.ts";
import { isNamed, normalisePath } from "../../../plan/files.ts";
import type { TreeChange } from "../../../snapshot/version.ts";

/** What says which tests and rules there are. */
const SETTINGS =
  /(?:^|\/)(?:(?:vitest|vite|jest|karma|playwright|cypress|ava|wdio|babel|eslint|oxlint|stylelint|prettier|biome|dprint)\.(?:config|conf|setup|workspace)\.[\w.]+|\.(?:mocharc|nycrc|c8rc|eslintrc|oxlintrc|stylelintrc|prettierrc|babelrc|rspec|rubocop|golangci|flake8|pylintrc|coveragerc|npmrc|yarnrc|pnpmfile|pre-commit-config)[\w.]*|\.(?:eslint|prettier|stylelint)ignore|biome\.jsonc?|bunfig\.toml|tsconfig[\w.-]*\.json|(?:pytest|tox|mypy)\.ini|(?:ruff|clippy)\.toml|\.cargo\/config[\w.]*|php(?:unit|stan)[\w.]*|(?:noxfile|conftest|(?:site|user)customize)\.py)$|^\.github\/workflows\//iu;
/** What says what a script or target comes down to. */
const SCRIPTS =
  /(?:^|\/)(?:(?:package|deno|composer|project|turbo|nx)\.jsonc?|[^/]*makefile|[^/]+\.(?:mk|sh|bash|zsh)|\.?justfile|taskfile\.ya?ml|(?:pyproject|mise)\.toml)$/iu;
/** A file that a command has a program run. */
const RUN =
  /(?:^|[\s;&|(])(?:(?:node|tsx|ts-node|bun|deno|python[\d.]*|ruby|php|perl|(?:ba|z|da|k)?sh|source|\.)\s+(?:-\S+\s+|run\s+)*|(?=\.\/))["']?([^\s"';&|()]+)/gu;

/** The files that commands run, as they name them: who may change those may have a check say anything. */
export function runsIn(commands: readonly string[]): ReadonlySet<string> {
  const found = commands.flatMap((command) => [...command.matchAll(RUN)]).map(([, path = ""]) => path);
  return new Set(found.map(normalisePath));
}

/** What a candidate has changed, by what may be believed of it. */
export interface SortedChanges {
  /** Check files that are none of its task's: they count as they were before. */
  readonly restored: readonly TreeChange[];
  /** Check files that the plan gives to its task: the work is tried with and without them. */
  readonly own: readonly TreeChange[];
  /** The plan gives it files that say what scripts run. */
  readonly mayChangeScripts: boolean;
  /** How many of its changes the plan does not name. */
  readonly outside: number;
}

/**
 * Sorts what a candidate has changed. A test that was there before is believed in its old form, and so is what sets up the
 * checks, new or not; new tests are the candidate's work. Nobody has a task to take a test away.
 * @param files what the plan gives to the task, from the project; undefined where it names none
 * @param folder the project, from the top of the repository; empty where it is that
 * @param executed files that checks run, as they name them
 */
export function sortChanges(
  changes: readonly TreeChange[],
  files: readonly string[] | undefined,
  folder: string,
  executed: ReadonlySet<string>,
): SortedChanges {
  const named = (files ?? []).map(normalisePath);
  const inProject = (path: string): string | null => pathBelow(path, folder);
  const isOwn = (path: string): boolean => {
    const inside = inProject(path);
    if (inside === null) return false;
    return named.some(
      (file) => inside === file || inside.startsWith(`${file}/`) || matchesPattern(inside, file),
    );
  };
  // Where the plan names no files, what a check runs may well be the work itself.
  const isRun = (path: string): boolean => files !== undefined && executed.has(inProject(path) ?? path);
  const checks = changes.filter(
    ({ path, before }) => SETTINGS.test(path) || (before.id !== "" && (TEST_PATH.test(path) || isRun(path))),
  );
  const own = checks.filter(({ path, after }) => after.id !== "" && isOwn(path));
  const outside = files === undefined ? [] : changes.filter(({ path }) => !isPlanned(named, inProject(path)));
  return {
    restored: checks.filter((step) => !own.includes(step)),
    own,
    mayChangeScripts: changes.some(({ path }) => SCRIPTS.test(path) && isOwn(path)),
    outside: outside.length,
  };
}

/** New tests among changes, with what they share: they set up no check. */
export function newTestsIn(changes: readonly TreeChange[]): TreeChange[] {
  const isTest = (path: string): boolean => TEST_PATH.test(path) && !SETTINGS.test(path);
  return changes.filter(
    ({ path, before, after }) => before.id === "" && after.mode.startsWith("100") && isTest(path),
  );
}

/** Whether a plan gives a file to a task that names these, or it tests one of them. @param path from the project; null outside of it */
export function isPlanned(files: readonly string[], path: string | null): boolean {
  return path !== null && isNamed(files, path);
}

/** A path from a folder; null where it is not in there. @param folder empty for the top */
export function pathBelow(path: string, folder: string): string | null {
  if (folder === "") return path;
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
}
