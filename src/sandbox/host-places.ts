import { relative, sep } from "node:path";
import { isInFolder, realOf } from "../lib/folders.ts";
import { namedConfig } from "../policy/policy.ts";
import { pathFoldersIn, realPathOf } from "../policy/real-path.ts";
import { guardedPaths } from "./project-places.ts";

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
