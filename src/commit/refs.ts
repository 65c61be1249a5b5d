import { join, resolve } from "node:path";
import { readTextSync } from "../lib/read-source.ts";

const MAX_BYTES = 32_000_000;
/** A `.git` file and a `commondir` are one line. */
const MAX_POINTER_BYTES = 8_192;

/** What git keeps for one working tree, and what all of a repository share, there or not: `.git`, or where that points. Starts no git. */
export function gitFolders(worktree: string): { readonly own: string; readonly common: string } {
  const entry = join(worktree, ".git");
  const pointed = /^gitdir: (.+)/u.exec(textOf(entry, MAX_POINTER_BYTES) ?? "")?.[1];
  const own = pointed === undefined ? entry : resolve(worktree, pointed);
  return { own, common: commonFolder(own) };
}

/** @param own of a working tree */
export function commonFolder(own: string): string {
  return resolve(own, textOf(join(own, "commondir"), MAX_POINTER_BYTES) ?? "");
}

/** The branch that is checked out, or the commit where none is; null where there is no repository. Starts no git. */
export function lookAtHead(worktree: string): string | null {
  const head = textOf(join(gitFolders(worktree).own, "HEAD"));
  return head?.replace(/^ref: (?:refs\/heads\/)?/u, "") ?? null;
}

/** The commit that is checked out; null where there is none. Starts no git. */
export function lookAtCommit(worktree: string): string | null {
  const { own, common } = gitFolders(worktree);
  const head = textOf(join(own, "HEAD"));
  const branch = /^ref: (.+)/u.exec(head ?? "")?.[1];
  if (branch === undefined) return head;
  const packed = (): string =>
    textOf(join(common, "packed-refs"))
      ?.split("\n")
      .find((row) => row.endsWith(` ${branch}`)) ?? "";
  return textOf(join(common, branch)) ?? (packed().split(" ")[0] || null);
}

function textOf(path: string, most = MAX_BYTES): string | null {
  return readTextSync(path, most).trim() || null;
}
