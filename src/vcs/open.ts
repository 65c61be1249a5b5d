import { existsSync } from "node:fs";
import { join } from "node:path";
import { createGit } from "./git.ts";
import { createJj } from "./jj.ts";
import { createNoVcs } from "./none.ts";
import type { Vcs } from "./port.ts";

/**
 * The version control of a project. A jj repository often has a `.git` as well, so jj is looked for first.
 * @param worktree the folder that would hold the repository; `directory` is the project, the same or below it
 */
export function openVcs(worktree: string, directory: string): Vcs {
  const hasGit = existsSync(join(worktree, ".git"));
  if (existsSync(join(worktree, ".jj"))) return createJj(directory, hasGit);
  return hasGit ? createGit(directory) : createNoVcs(directory);
}
