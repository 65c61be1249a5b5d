import { existsSync } from "node:fs";
import { join } from "node:path";
import type { VcsType } from "../contracts/contract.ts";

/** Which version control the project uses. A jj repository often has a `.git` as well, so jj is asked first. */
export function detectVcs(worktree: string): VcsType {
  if (existsSync(join(worktree, ".jj"))) return "jj";
  return existsSync(join(worktree, ".git")) ? "git" : "none";
}
