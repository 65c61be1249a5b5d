import { existsSync } from "node:fs";
import { join } from "node:path";
import { excerpt } from "../../lib/excerpt.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { askUsers } from "../../worktrees/run-git.ts";
import type { Facts } from "./facts.ts";

const MAX_WORDS = 200;

/** Asks git for the repository that lies in a folder, as in a container where it belongs to somebody else. */
export async function findGitTrouble(top: string): Promise<Facts["gitTrouble"]> {
  if (!existsSync(join(top, ".git"))) return null;
  const { code, words } = await askUsers(top, "rev-parse", "--show-toplevel");
  if (code === 0) return findBroken(top);
  if (code === -1) return { what: "There is a repository, and git cannot be run", fix: "Install git." };
  if (words.includes("dubious ownership"))
    return {
      what: `git does not trust ${top}, which belongs to another user`,
      fix: `If it is yours: git config --global --add safe.directory ${shellWord(top)}`,
    };
  return unread(top, words);
}

/** What only a look at the files shows, as an index that cannot be read. */
async function findBroken(top: string): Promise<Facts["gitTrouble"]> {
  const { code, words } = await askUsers(top, "status", "--porcelain", "--untracked-files=no");
  return code === 0 ? null : unread(top, words);
}

function unread(top: string, words: string): NonNullable<Facts["gitTrouble"]> {
  return {
    what: `git does not read the repository of ${top}: ${excerpt(words, MAX_WORDS)}`,
    fix: "See what git status says; where the folder was moved, git worktree repair may help.",
  };
}
