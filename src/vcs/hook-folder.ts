import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Clock } from "../lib/clock.ts";
import { hostGit } from "../process/git.ts";
import { runVcs } from "./command.ts";

const MAX_BYTES = 10_000;

/**
 * The folders out of which git runs its hooks: what `core.hooksPath` names, wherever that is set. Empty without git, and for
 * a folder that holds the project itself.
 */
export async function findHookFolders(
  { worktree, directory }: { readonly worktree: string; readonly directory: string },
  clock: Clock,
): Promise<readonly string[]> {
  if (!existsSync(join(worktree, ".git"))) return [];
  const asked = await runVcs(
    { directory, clock },
    hostGit(["rev-parse", "--git-path", "hooks"], { namesHooks: true }),
    MAX_BYTES,
  );
  if (!asked.ok || asked.text.trim() === "") return [];
  const folder = resolve(directory, asked.text.replace(/\n$/u, ""));
  // Husky writes that folder anew; what it runs lies above.
  const written = basename(folder) === "_" ? dirname(folder) : folder;
  const holdsProject = !relative(written, resolve(directory)).startsWith("..");
  return holdsProject ? [] : [written];
}
