import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { askGit } from "../process/git.ts";

/**
 * The folders out of which git runs its hooks: what `core.hooksPath` names, wherever that is set. Empty without git, and for
 * a folder that holds the project itself.
 */
export async function findHookFolders({
  worktree,
  directory,
}: {
  readonly worktree: string;
  readonly directory: string;
}): Promise<readonly string[]> {
  if (!existsSync(join(worktree, ".git"))) return [];
  const asked = await askGit({ folder: directory, namesHooks: true }, ["rev-parse", "--git-path", "hooks"]);
  if (!asked.ok || asked.text.trim() === "") return [];
  const folder = resolve(directory, asked.text.replace(/\n$/u, ""));
  // Husky writes that folder anew; what it runs lies above.
  const written = basename(folder) === "_" ? dirname(folder) : folder;
  const holdsProject = !relative(written, resolve(directory)).startsWith("..");
  return holdsProject ? [] : [written];
}
